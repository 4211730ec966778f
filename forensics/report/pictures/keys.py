"""Keys against the directories that their sessions record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forensics.display import row_text
from forensics.report.charts import Margins, Theme, fixed, frame, legend, short_label
from forensics.report.model import Picture
from forensics.report.pictures.base import Scene, leave_out, show
from forensics.report.text import count_of

_KEYS = 20
_QUOTA = {"shared": 9, "orphan": 5, "plain": 5, "silent": 1}
_DIRS = 3
_STEP = 21
_LABEL = 290
_SPOKEN = 80

_QUERY = """
select
    k.label,
    k.home,
    k.project_key,
    k.n_sessions,
    d.cwd,
    d.encodes,
    d.n_sessions as n_recording,
    coalesce(c.n_began > 0, false) as is_colliding
from keys as k
left join key_dirs as d
    on d.label = k.label
    and d.home = k.home
    and d.project_key = k.project_key
left join colliding_dirs as c
    on c.label = k.label
    and c.home = k.home
    and c.project_key = k.project_key
    and c.directory_guess = d.directory_guess
where k.n_sessions > 0
order by k.n_sessions desc, k.label, k.home, k.project_key, d.encodes desc, d.n_sessions desc, d.cwd
"""
_TITLE = "Keys against directories"
_NAME = "keys-directories"


@dataclass(frozen=True, slots=True)
class _Key:
    text: str
    n_sessions: int
    dirs: tuple[tuple[str, bool], ...]
    n_dirs: int
    status: str


def draw_keys(scene: Scene) -> Picture | None:
    """Each key at the right, at the left the directories that its sessions record."""
    beside = scene.place("encoding_collision", "examined")
    missing = scene.missing("key_dirs", "colliding_dirs")
    if missing:
        return leave_out(_NAME, beside, _TITLE, missing)
    keys = _read(scene)
    if not keys:
        return leave_out(_NAME, beside, _TITLE, "no key holds a session.")
    n_shared = sum(1 for key in keys if key.status == "shared")
    n_orphan = sum(1 for key in keys if key.status == "orphan")
    n_silent = sum(1 for key in keys if key.status == "silent")
    shown = _choose(keys)
    title = (
        f"{n_shared or 'None'} of {count_of(len(keys), 'key')} {'is' if n_shared < 2 else 'are'} shared by "
        f"different directories; {n_orphan or 'none'} {'is' if n_orphan < 2 else 'are'} left unexplained"
    )
    silent = f" {count_of(n_silent, 'key')} without any recorded directory." if n_silent else ""
    return show(
        _NAME,
        beside,
        title=title,
        caption=(
            f"{len(shown):,} of {len(keys):,} keys with a session, the largest of each kind. A dashed line "
            f"leads to a directory that is recorded but does not encode to the key.{silent}"
        ),
        description=f"{title}. " + " ".join(f"{_say(key)}." for key in shown[:6]),
        draw=lambda theme: _chart(theme, shown),
        height=_STEP * sum(max(1, len(key.dirs)) for key in shown) + 6 * len(shown),
        margins=Margins(left=10, right=10, top=34, bottom=6),
    )


def _read(scene: Scene) -> list[_Key]:
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in scene.rows(_QUERY):
        groups.setdefault((row["label"], row["home"], row["project_key"]), []).append(row)
    return [_make(name[2], rows) for name, rows in groups.items()]


def _make(text: str, rows: list[dict[str, Any]]) -> _Key:
    recorded = [row for row in rows if row["cwd"] is not None]
    colliding = {row["cwd"]: None for row in recorded if row["is_colliding"]}
    encoding = {row["cwd"]: None for row in recorded if row["encodes"]}
    if len(colliding) > 1:
        status, dirs = "shared", [(cwd, True) for cwd in colliding]
    elif encoding:
        status, dirs = "plain", [(cwd, True) for cwd in list(encoding)[:1]]
    elif recorded:
        status, dirs = "orphan", [(row["cwd"], False) for row in recorded]
    else:
        status, dirs = "silent", []
    n = len({row["cwd"] for row in recorded})
    return _Key(text, rows[0]["n_sessions"], tuple(dirs[:_DIRS]), n, status)


def _choose(keys: list[_Key]) -> list[_Key]:
    """Some keys of each status, the largest first, and more of the first where others leave room."""
    by_status = {status: [key for key in keys if key.status == status] for status in _QUOTA}
    chosen = [key for status, n in _QUOTA.items() for key in by_status[status][:n]]
    rest = [key for status, n in _QUOTA.items() for key in by_status[status][n:]]
    shown = {id(key) for key in [*chosen, *rest][:_KEYS]}
    return [key for status in _QUOTA for key in by_status[status] if id(key) in shown]


def _say(key: _Key) -> str:
    names = " and ".join(row_text(cwd, _SPOKEN) for cwd, _ in key.dirs)
    text = row_text(key.text, _SPOKEN)
    match key.status:
        case "shared":
            return f"Key {text} is shared by {names}"
        case "orphan":
            return f"No recorded directory encodes to key {text}"
        case "plain":
            return f"Key {text} is explained by {names}"
        case _:
            return f"Key {text} records no directory"


_WORDS = {
    "shared": "shared",
    "orphan": "unexplained",
    "plain": "",
    "silent": "no directory recorded",
}
_SHAPES = {"shared": "diamond", "orphan": "triangle-up", "plain": "circle", "silent": "hollow-circle"}


def _chart(theme: Theme, keys: list[_Key]) -> Any:
    import altair as alt

    colours = {"shared": theme.fault, "orphan": theme.risk, "plain": theme.measure, "silent": theme.soft}
    edges: list[dict[str, object]] = []
    names: list[dict[str, object]] = []
    y = 0.0
    for key in keys:
        rows = max(1, len(key.dirs))
        middle = y + rows * _STEP / 2
        word = _WORDS[key.status]
        sessions = count_of(key.n_sessions, "session")
        names.append(
            {
                "y": middle,
                "key": short_label(key.text, _LABEL),
                "said": f"{word} · {sessions}" if word else sessions,
                "status": key.status,
            }
        )
        for at, (cwd, is_solid) in enumerate(key.dirs):
            edges.append(
                {
                    "y0": y + (at + 0.5) * _STEP,
                    "y1": middle,
                    "cwd": short_label(cwd, _LABEL),
                    "status": key.status,
                    "dash": "solid" if is_solid else "dashed",
                }
            )
        y += rows * _STEP + 6
    scale = alt.Scale(domain=[0, y], reverse=True, nice=False)
    colour = alt.Color(
        "status:N", scale=alt.Scale(domain=list(colours), range=list(colours.values())), legend=None
    )
    layers: list[Any] = []
    if edges:
        base = alt.Chart(frame(edges))
        layers += [
            base.mark_rule(strokeWidth=1.6).encode(
                x=fixed("X", 330),
                x2=fixed("X2", 398),
                y=alt.Y("y0:Q", scale=scale, axis=None),
                y2=alt.Y2("y1:Q"),
                color=colour,
                strokeDash=alt.StrokeDash(
                    "dash:N", scale=alt.Scale(domain=["solid", "dashed"], range=[[1, 0], [4, 3]]), legend=None
                ),
            ),
            base.mark_text(align="right", color=theme.ink, fontSize=12, baseline="middle").encode(
                x=fixed("X", 322), y=alt.Y("y0:Q", scale=scale), text=alt.Text("cwd:N")
            ),
        ]
    ends = alt.Chart(frame(names))
    for status, shape in _SHAPES.items():
        one = ends.transform_filter(alt.datum.status == status)
        layers.append(
            one.mark_point(
                shape=shape.removeprefix("hollow-"),
                filled=not shape.startswith("hollow"),
                size=80,
                opacity=1,
                color=colours[status],
                strokeWidth=1.6,
            ).encode(x=fixed("X", 402), y=alt.Y("y:Q", scale=scale))
        )
    layers.append(
        ends.mark_text(align="left", color=theme.ink, fontSize=12, baseline="middle").encode(
            x=fixed("X", 414), y=alt.Y("y:Q", scale=scale), text=alt.Text("key:N")
        )
    )
    layers.append(
        ends.mark_text(align="right", color=theme.soft, fontSize=12, baseline="middle").encode(
            x=fixed("X", "width"), y=alt.Y("y:Q", scale=scale), text=alt.Text("said:N")
        )
    )
    there = [status for status in _SHAPES if any(key.status == status for key in keys)]
    said = {"shared": "shared", "orphan": "unexplained", "plain": "explained", "silent": "no directory"}
    key_row = [(said[status], colours[status], _SHAPES[status]) for status in there]
    return alt.layer(*layers, *legend(theme, key_row))
