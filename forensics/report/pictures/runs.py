"""The working directories of sessions in order, as coloured runs."""

from __future__ import annotations

from typing import Any

from forensics.report.charts import Margins, Theme, fixed, frame, legend
from forensics.report.model import Picture
from forensics.report.pictures.base import Row, Scene, leave_out, show
from forensics.report.text import count_of

_SESSIONS = 24
_STEP = 24
_SHADES = 7

_QUERY = f"""
with shown as (
    select
        s.file_id,
        s.session_id,
        s.n_runs,
        s.n_cwds,
        row_number() over (order by s.n_runs desc, s.n_cwds desc, s.n_records desc, s.label, s.path) as place
    from sessions as s
    where s.n_runs > 1
    order by place
    limit {_SESSIONS}
)
select
    shown.place,
    shown.session_id,
    shown.n_runs,
    shown.n_cwds,
    r.run_no,
    r.cwd,
    r.n_lines
from shown
join cwd_runs as r on r.file_id = shown.file_id
where r.chain = 'main'
order by shown.place, r.run_no
"""
_COUNTS = """
select
    count(*) as n_sessions,
    count(*) filter (where n_runs > 0) as n_with_cwd,
    count(*) filter (where n_cwds > 1) as n_moving,
    coalesce(max(n_runs), 0) as most_runs
from sessions
"""
_TITLE = "The directories of sessions, in order"


def draw_runs(scene: Scene) -> Picture | None:
    """Each session a bar: a run of one directory has one colour and number."""
    beside = scene.place("cwd_history", "sessions")
    missing = scene.missing("sessions", "cwd_runs")
    if missing:
        return leave_out("cwd-runs", beside, _TITLE, missing)
    counts = scene.rows(_COUNTS)[0]
    rows = scene.rows(_QUERY)
    if not rows:
        return leave_out("cwd-runs", beside, _TITLE, "no session records more than one working directory.")
    n = len({row["place"] for row in rows})
    title = (
        f"{counts['n_moving']:,} of {count_of(counts['n_with_cwd'], 'session')} worked in more than one "
        f"directory; one changed {count_of(counts['most_runs'] - 1, 'time')}"
    )
    bars, labels = _lay_out(rows)
    return show(
        "cwd-runs",
        beside,
        title=title,
        caption=(
            f"The {count_of(n, 'session')} with most changes among {counts['n_with_cwd']:,} with a recorded "
            "directory. A bar is all records of a session; its parts are runs in one directory, numbered and "
            "coloured by the order in which directories first appear."
        ),
        description=(
            f"{title}. Shown: "
            + "; ".join(f"session {label['session']} {label['said']}" for label in labels[:8])
            + ("." if len(labels) <= 8 else f"; and {len(labels) - 8} more.")
        ),
        draw=lambda theme: _chart(theme, bars, labels),
        height=n * _STEP,
        margins=Margins(left=104, right=190, top=34, bottom=14),
    )


def _lay_out(rows: list[dict[str, Any]]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    bars: list[dict[str, object]] = []
    labels: list[dict[str, object]] = []
    by_session: dict[int, list[Row]] = {}
    for row in rows:
        by_session.setdefault(row["place"], []).append(row)
    for at, runs in enumerate(by_session.values()):
        total = sum(run["n_lines"] for run in runs)
        order: dict[str, int] = {}
        done = 0
        for run in runs:
            number = order.setdefault(run["cwd"], len(order) + 1)
            start, done = done / total, done + run["n_lines"]
            end = done / total
            bars.append(
                {
                    "y0": at + 0.14,
                    "y1": at + 0.86,
                    "middle": at + 0.5,
                    "x0": start,
                    "x1": end,
                    "x": (start + end) / 2,
                    "shade": min(number, _SHADES + 1),
                    "number": str(number) if end - start > 0.022 else "",
                }
            )
        labels.append(
            {
                "middle": at + 0.5,
                "session": str(runs[0]["session_id"] or "?")[:8],
                "said": f"{runs[0]['n_runs']:,} runs in "
                + count_of(runs[0]["n_cwds"], "directory", "directories"),
            }
        )
    return bars, labels


def _chart(theme: Theme, bars: list[dict[str, object]], labels: list[dict[str, object]]) -> Any:
    import altair as alt

    n = len(labels)
    y = alt.Scale(domain=[0, n], reverse=True, nice=False)
    x = alt.Scale(domain=[0, 1], nice=False)
    shades = [*theme.series[:_SHADES], theme.soft]
    base = alt.Chart(frame(bars))
    runs = base.mark_rect(stroke=theme.card, strokeWidth=1).encode(
        x=alt.X("x0:Q", scale=x, axis=None),
        x2=alt.X2("x1:Q"),
        y=alt.Y("y0:Q", scale=y, axis=None),
        y2=alt.Y2("y1:Q"),
        color=alt.Color(
            "shade:O", scale=alt.Scale(domain=list(range(1, _SHADES + 2)), range=shades), legend=None
        ),
    )
    numbers = base.mark_text(color=theme.card, fontSize=11, fontWeight="bold", baseline="middle").encode(
        x=alt.X("x:Q", scale=x), y=alt.Y("middle:Q", scale=y), text=alt.Text("number:N")
    )
    names = alt.Chart(frame(labels))
    left = names.mark_text(align="right", dx=-10, color=theme.ink, fontSize=12, baseline="middle").encode(
        x=fixed("X", 0), y=alt.Y("middle:Q", scale=y), text=alt.Text("session:N")
    )
    right = names.mark_text(align="left", dx=10, color=theme.soft, fontSize=12, baseline="middle").encode(
        x=fixed("X", "width"), y=alt.Y("middle:Q", scale=y), text=alt.Text("said:N")
    )
    most = max(int(str(bar["shade"])) for bar in bars)
    words = ["first directory", "second", "third", "fourth", "fifth", "sixth", "seventh", "later"]
    key = [(word, shades[at], "square") for at, word in enumerate(words[:most])]
    return alt.layer(runs, numbers, left, right, *legend(theme, key))
