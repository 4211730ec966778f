"""Sessions over time, and the moment when most of them ended together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from forensics.report.charts import Margins, Theme, fixed, frame, legend
from forensics.report.model import Picture
from forensics.report.pictures.base import Row, Scene, leave_out, show
from forensics.report.text import count_of, format_seconds

_SESSIONS = 150
_WINDOW = timedelta(seconds=60)
# Among many sessions some end close together by chance.
_FEWEST = 3
_CHANCE = 400

_QUERY = """
select
    s.session_id,
    s.first_ts,
    s.last_ts
from sessions as s
where s.first_ts is not null
order by s.first_ts, s.last_ts, s.label, s.path
"""
_COUNT = "select count(*) as n_sessions from sessions"
_TITLE = "Sessions over time"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Sessions whose last records stand close together."""

    first: datetime
    last: datetime
    n: int


def draw_times(scene: Scene) -> Picture | None:
    """Each session a line from its first record to its last."""
    missing = scene.missing("sessions")
    if missing:
        return leave_out("sessions-over-time", "sessions", _TITLE, missing)
    rows = scene.rows(_QUERY)
    if not rows:
        return leave_out("sessions-over-time", "sessions", _TITLE, "no session records a time.")
    n_sessions = scene.rows(_COUNT)[0]["n_sessions"]
    cluster = find_cluster([row["last_ts"] for row in rows])
    shown = sorted(rows, key=lambda row: row["last_ts"])[-_SESSIONS:]
    shown.sort(key=lambda row: (row["first_ts"], row["last_ts"]))
    days = (max(row["last_ts"] for row in rows) - min(row["first_ts"] for row in rows)).days + 1
    together = _say(cluster)
    title = (
        f"{count_of(len(rows), 'session')} in {count_of(days, 'day')}, "
        f"{count_at_once(rows):,} of them open at once at most{together}"
    )
    newest = f" The {_SESSIONS} that ended last are drawn." if len(rows) > _SESSIONS else ""
    step = max(3.0, min(14.0, 420 / len(shown)))
    return show(
        "sessions-over-time",
        "sessions",
        title=title,
        caption=(
            f"Each line is a session from its first recorded time to its last, in UTC; {len(rows):,} of "
            f"{count_of(n_sessions, 'main transcript')} record a time.{newest} A long line was not "
            "necessarily busy all along."
        ),
        description=(
            f"{title}. The first begins on {rows[0]['first_ts']:%Y-%m-%d %H:%M} UTC, the last record is of "
            f"{max(row['last_ts'] for row in rows):%Y-%m-%d %H:%M} UTC."
        ),
        draw=lambda theme: _chart(theme, shown, cluster, step),
        height=round(step * len(shown)),
        margins=Margins(left=24, right=24, top=34, bottom=36),
    )


def find_cluster(ends: list[datetime]) -> Cluster | None:
    """The most ends within a minute, the latest of equals; None below three, or one in four hundred."""
    ends = sorted(ends)
    fewest = max(_FEWEST, len(ends) // _CHANCE)
    best: Cluster | None = None
    begin = 0
    for at, end in enumerate(ends):
        while end - ends[begin] > _WINDOW:
            begin += 1
        n = at - begin + 1
        if n >= fewest and (best is None or n >= best.n):
            best = Cluster(ends[begin], end, n)
    return best


def count_at_once(rows: list[dict[str, Any]]) -> int:
    """The most sessions whose spans overlap at any moment; ends count as inside."""
    steps = sorted([(row["first_ts"], 0) for row in rows] + [(row["last_ts"], 1) for row in rows])
    now = most = 0
    for _, is_end in steps:
        now += -1 if is_end else 1
        most = max(most, now)
    return most


def _say(cluster: Cluster | None) -> str:
    if cluster is None:
        return ""
    within = format_seconds((cluster.last - cluster.first).total_seconds())
    return f"; {cluster.n:,} ended within {within} on {cluster.last:%Y-%m-%d at %H:%M} UTC"


def _chart(theme: Theme, rows: list[dict[str, Any]], cluster: Cluster | None, step: float) -> Any:
    import altair as alt

    data = [
        {
            "y": at + 0.5,
            "first": _text(row["first_ts"]),
            "last": _text(row["last_ts"]),
            "together": _is_in(row, cluster),
        }
        for at, row in enumerate(rows)
    ]
    x = alt.Scale(type="utc", nice=False, padding=6)
    y = alt.Scale(domain=[0, len(rows)], reverse=True, nice=False)
    colour = alt.condition("datum.together", alt.value(theme.fault), alt.value(theme.measure))
    base = alt.Chart(frame(data))
    spans = base.mark_rule(strokeWidth=min(6.0, step * 0.55), strokeCap="round").encode(
        x=alt.X(
            "first:T",
            scale=x,
            axis=alt.Axis(
                title=None, grid=True, tickCount=7, format="%b %d", labelExpr=_LABEL, formatType="utc"
            ),
        ),
        x2=alt.X2("last:T"),
        y=alt.Y("y:Q", scale=y, axis=None),
        color=colour,
    )
    ends = base.mark_point(shape="diamond", size=max(16, step * 5), filled=True, opacity=1).encode(
        x=alt.X("last:T", scale=x), y=alt.Y("y:Q", scale=y), color=fixed("Color", theme.fault)
    )
    ends = ends.transform_filter("datum.together")
    key = [("session", theme.measure, "square")]
    if cluster is not None and any(row["together"] for row in data):
        key.append((f"ended together with others ({cluster.n:,})", theme.fault, "diamond"))
    return alt.layer(spans, ends, *legend(theme, key))


# Days carry the month, hours carry the time alone: what a person needs at either zoom.
_LABEL = (
    "utchours(datum.value) == 0 && utcminutes(datum.value) == 0"
    " ? utcFormat(datum.value, '%b %d') : utcFormat(datum.value, '%b %d %H:%M')"
)


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def _is_in(row: Row, cluster: Cluster | None) -> bool:
    return cluster is not None and cluster.first <= row["last_ts"] <= cluster.last
