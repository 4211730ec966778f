"""How far the encoding rule holds, by agent version."""

from __future__ import annotations

import re
from typing import Any

from forensics.report.charts import Margins, Theme, fixed, frame, legend
from forensics.report.model import Picture
from forensics.report.pictures.base import Scene, leave_out, show
from forensics.report.text import count_of

_VERSIONS = 30
_STEP = 22

_QUERY = """
select
    m.agent_version,
    count(*) filter (where m.match_any or m.match_relocated) as n_exact,
    count(*) filter (where m.match_alias) as n_alias,
    count(*) filter (
        where m.n_keys > 0 and not (m.match_any or m.match_relocated or m.match_alias)
    ) as n_against,
    count(*) filter (
        where m.n_keys = 0 and not (m.match_any or m.match_relocated or m.match_alias)
    ) as n_undecided
from key_matches as m
where m.project_key is not null
group by m.agent_version
order by m.agent_version
"""
_TITLE = "The key rule by agent version"
_NAME = "rule-by-version"


def draw_rules(scene: Scene) -> Picture | None:
    """Each version a bar: sessions whose directories give the key, give it in another spelling, or do not."""
    beside = scene.place("key_match_by_version", "measures")
    missing = scene.missing("key_matches")
    if missing:
        return leave_out(_NAME, beside, _TITLE, missing)
    rows = sorted(scene.rows(_QUERY), key=lambda row: _order(row["agent_version"]))
    if not rows:
        return leave_out(_NAME, beside, _TITLE, "no session lies under a key.")
    names = ("n_exact", "n_alias", "n_against", "n_undecided")
    totals = {name: sum(row[name] for row in rows) for name in names}
    n = sum(totals.values())
    shown = rows[-_VERSIONS:]
    decided = n - totals["n_undecided"]
    title = (
        f"{totals['n_exact'] + totals['n_alias']:,} of {count_of(decided, 'session')} lie under a key that a "
        f"recorded directory gives; {totals['n_against']:,} do not"
    )
    older = f" The newest {_VERSIONS} of {len(rows)} versions are drawn." if len(rows) > _VERSIONS else ""
    return show(
        _NAME,
        beside,
        title=title,
        caption=(
            f"Sessions under a key by the last agent version they record, {n:,} in all; "
            f"{totals['n_undecided']:,} without a directory decide nothing.{older} A session that "
            "contradicts was moved, renamed or named by hand, or the rule is wrong."
        ),
        description=f"{title}. "
        + " ".join(
            f"Version {row['agent_version'] or 'unknown'}: {row['n_exact'] + row['n_alias']} for, "
            f"{row['n_against']} against, {row['n_undecided']} undecided."
            for row in shown[-10:]
        ),
        draw=lambda theme: _chart(theme, shown),
        height=_STEP * len(shown),
        margins=Margins(left=90, right=110, top=34, bottom=10),
    )


def _order(version: str) -> tuple[list[int], str]:
    return [int(part) for part in re.findall(r"[0-9]+", version)], version


def _chart(theme: Theme, rows: list[dict[str, Any]]) -> Any:
    import altair as alt

    kinds = (
        ("n_exact", "gives the key", theme.series[0]),
        ("n_alias", "in another spelling", theme.series[5]),
        ("n_against", "does not", theme.fault),
        ("n_undecided", "undecided", theme.line),
    )
    bars: list[dict[str, object]] = []
    names: list[dict[str, object]] = []
    for at, row in enumerate(rows):
        done = 0
        for name, said, _ in kinds:
            if row[name]:
                bars.append(
                    {
                        "y0": at + 0.16,
                        "y1": at + 0.84,
                        "middle": at + 0.5,
                        "x0": done,
                        "x1": done + row[name],
                        "kind": said,
                    }
                )
            done += row[name]
        against = f", {row['n_against']:,} against" if row["n_against"] else ""
        names.append(
            {
                "middle": at + 0.5,
                "end": done,
                "version": row["agent_version"] or "unknown",
                "said": f"{done:,}{against}",
            }
        )
    most = max(int(str(name["end"])) for name in names)
    x = alt.Scale(domain=[0, most], nice=False)
    y = alt.Scale(domain=[0, len(rows)], reverse=True, nice=False)
    base = alt.Chart(frame(bars))
    ends = alt.Chart(frame(names))
    layers = [
        base.mark_rect(stroke=theme.card, strokeWidth=1).encode(
            x=alt.X("x0:Q", scale=x, axis=None),
            x2=alt.X2("x1:Q"),
            y=alt.Y("y0:Q", scale=y, axis=None),
            y2=alt.Y2("y1:Q"),
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=[kind[1] for kind in kinds], range=[kind[2] for kind in kinds]),
                legend=None,
            ),
        ),
        ends.mark_text(align="right", dx=-10, color=theme.ink, fontSize=12, baseline="middle").encode(
            x=fixed("X", 0), y=alt.Y("middle:Q", scale=y), text=alt.Text("version:N")
        ),
        ends.mark_text(align="left", dx=8, color=theme.soft, fontSize=12, baseline="middle").encode(
            x=alt.X("end:Q", scale=x), y=alt.Y("middle:Q", scale=y), text=alt.Text("said:N")
        ),
    ]
    there = {bar["kind"] for bar in bars}
    key = [(said, colour, "square") for _, said, colour in kinds if said in there]
    return alt.layer(*layers, *legend(theme, key))
