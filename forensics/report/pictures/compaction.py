"""What compaction covered in each session, and the tail that stands in no summary."""

from __future__ import annotations

from typing import Any

from forensics.report.charts import Margins, Theme, fixed, frame, legend
from forensics.report.model import Picture
from forensics.report.pictures.base import Scene, leave_out, show
from forensics.report.text import count_of

_SESSIONS = 30
_STEP = 24
_TITLE = "Compaction: what is covered, and the tail"
_NAME = "compaction"

_QUERY = """
select
    s.file_id,
    s.session_id,
    s.n_lines,
    c.line_no,
    c.summary_line_no is not null as has_summary
from sessions as s
join compactions as c on c.file_id = s.file_id and c.generation = s.generation
order by s.label, s.path, c.position
"""
_COUNT = "select count(*) as n_sessions from sessions"


def draw_compaction(scene: Scene) -> Picture | None:
    """Each compacted session a bar of its lines: covered by a summary up to the last one, then the tail."""
    beside = scene.place("uncovered_tail", "sessions")
    missing = scene.missing("sessions", "compactions")
    if missing:
        return leave_out(_NAME, beside, _TITLE, missing)
    rows = _read(scene)
    if not rows:
        return leave_out(_NAME, beside, _TITLE, "no session was compacted.")
    n_sessions = scene.rows(_COUNT)[0]["n_sessions"]
    n_compactions = sum(len(row["marks"]) for row in rows)
    n_tail = sum(row["n_lines"] - row["covered"] for row in rows)
    shown = sorted(rows, key=lambda row: (row["covered"] - row["n_lines"], row["session"]))[:_SESSIONS]
    n_lines = sum(row["n_lines"] for row in rows)
    title = (
        f"{len(rows):,} of {count_of(n_sessions, 'session')} {'was' if len(rows) == 1 else 'were'} "
        f"compacted, {count_of(n_compactions, 'time')}; {count_of(n_tail, 'line')} of them "
        f"{'stands' if n_tail == 1 else 'stand'} in no summary"
    )
    largest = f" The {_SESSIONS} with the longest tails are drawn." if len(rows) > _SESSIONS else ""
    return show(
        _NAME,
        beside,
        title=title,
        caption=(
            f"A bar is all lines of a session, {n_lines:,} in all; a diamond is a summary, a hollow one a "
            f"compaction without any.{largest} A summary covers what stands before it; how well is not shown."
        ),
        description=f"{title}. "
        + " ".join(
            f"Session {row['session']}: {row['n_lines'] - row['covered']:,} of {row['n_lines']:,} lines "
            "after the last summary."
            for row in shown[:8]
        ),
        draw=lambda theme: _chart(theme, shown),
        height=_STEP * len(shown),
        margins=Margins(left=104, right=190, top=34, bottom=10),
    )


def _read(scene: Scene) -> list[dict[str, Any]]:
    sessions: dict[int, dict[str, Any]] = {}
    for row in scene.rows(_QUERY):
        session = sessions.setdefault(
            row["file_id"],
            {
                "session": str(row["session_id"] or "?")[:8],
                "n_lines": row["n_lines"],
                "covered": 0,
                "marks": [],
            },
        )
        session["marks"].append((row["line_no"], row["has_summary"]))
        if row["has_summary"]:
            session["covered"] = max(session["covered"], row["line_no"])
    return list(sessions.values())


def _chart(theme: Theme, rows: list[dict[str, Any]]) -> Any:
    import altair as alt

    covered, tail = theme.series[0], theme.risk
    bars: list[dict[str, object]] = []
    marks: list[dict[str, object]] = []
    names: list[dict[str, object]] = []
    for at, row in enumerate(rows):
        share = row["covered"] / row["n_lines"]
        place = {"y0": at + 0.18, "y1": at + 0.82}
        if share:
            bars.append({**place, "x0": 0.0, "x1": share, "part": "covered"})
        bars.append({**place, "x0": share, "x1": 1.0, "part": "tail"})
        marks += [
            {"y": at + 0.5, "x": line / row["n_lines"], "is_summary": is_summary}
            for line, is_summary in row["marks"]
        ]
        left = row["n_lines"] - row["covered"]
        names.append(
            {
                "y": at + 0.5,
                "session": row["session"],
                "said": f"{left:,} of {row['n_lines']:,} lines after",
            }
        )
    x = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Scale(domain=[0, len(rows)], reverse=True, nice=False)
    points = alt.Chart(frame(marks))
    lines = alt.Chart(frame(names))
    layers: list[Any] = [
        alt.Chart(frame(bars))
        .mark_rect(stroke=theme.card, strokeWidth=1)
        .encode(
            x=alt.X("x0:Q", scale=x, axis=None),
            x2=alt.X2("x1:Q"),
            y=alt.Y("y0:Q", scale=y, axis=None),
            y2=alt.Y2("y1:Q"),
            color=alt.Color(
                "part:N", scale=alt.Scale(domain=["covered", "tail"], range=[covered, tail]), legend=None
            ),
        )
    ]
    for is_summary, fill in ((True, theme.ink), (False, theme.card)):
        one = points.transform_filter(f"datum.is_summary == {str(is_summary).lower()}")
        layers.append(
            one.mark_point(
                shape="diamond",
                size=90,
                filled=False,
                fill=fill,
                stroke=theme.ink,
                opacity=1,
                strokeWidth=1.4,
            ).encode(x=alt.X("x:Q", scale=x), y=alt.Y("y:Q", scale=y))
        )
    layers += [
        lines.mark_text(align="right", dx=-10, color=theme.ink, fontSize=12, baseline="middle").encode(
            x=fixed("X", 0), y=alt.Y("y:Q", scale=y), text=alt.Text("session:N")
        ),
        lines.mark_text(align="left", dx=10, color=theme.soft, fontSize=12, baseline="middle").encode(
            x=fixed("X", "width"), y=alt.Y("y:Q", scale=y), text=alt.Text("said:N")
        ),
    ]
    key = [
        ("covered by a summary", covered, "square"),
        ("tail", tail, "square"),
        ("summary", theme.ink, "diamond"),
    ]
    return alt.layer(*layers, *legend(theme, key))
