"""Worktree keys by state: when each was last used, and how much it holds."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from forensics.display import row_text
from forensics.report.charts import Margins, Theme, fixed, frame, legend, short_label
from forensics.report.model import Finding, Picture
from forensics.report.pictures.base import Scene, leave_out, show
from forensics.report.text import count_of, format_bytes

_FINDING = "orphaned_worktree_key"
_SHOWN = 30
_STEP = 24
_TITLE = "Worktree keys by state"
_NAME = "worktree-keys"
_SHAPES = {"gone": "diamond", "unregistered": "triangle-up", "unknown": "hollow-circle"}

_WORDS = {"gone": "gone", "unregistered": "unregistered", "unknown": "of unknown state"}


def draw_worktrees(scene: Scene) -> Picture | None:
    """Each worktree key a mark at its last use; shape and colour tell its state."""
    beside = scene.place(_FINDING, "risks")
    finding = scene.findings.get(_FINDING)
    if finding is None or not finding.is_assessed:
        return leave_out(_NAME, beside, _TITLE, "the finding about worktree keys is not in this report.")
    if not finding.n_rows:
        return leave_out(_NAME, beside, _TITLE, "no key belongs to a worktree that may be gone.")
    rows = _read(finding, scene)
    counts = {state: sum(1 for row in rows if row["state"] == state) for state in _SHAPES}
    said = ", ".join(f"{n:,} {_WORDS[state]}" for state, n in counts.items() if n)
    size = sum(row["size_bytes"] or 0 for row in rows)
    title = f"{count_of(len(rows), 'worktree key')} among {finding.denominator or 0:,} keys: {said}"
    shown = sorted(rows, key=lambda row: (-(row["size_bytes"] or 0), row["key"]))[:_SHOWN]
    shown.sort(key=lambda row: (row["last_ts"] is None, row["last_ts"] or 0), reverse=True)
    largest = f" The {_SHOWN} largest are drawn." if len(rows) > _SHOWN else ""
    return show(
        _NAME,
        beside,
        title=title,
        caption=(
            f"{format_bytes(size)} in all, among {finding.denominator or 0:,} {finding.denominator_of}; "
            f"by last recorded time in UTC, the latest first.{largest} State unknown means that no probe of "
            "the machine was given."
        ),
        description=f"{title}. "
        + " ".join(
            f"{row_text(row['key'], 80)}: {row['state']}, {format_bytes(row['size_bytes'] or 0)}."
            for row in shown[:8]
        ),
        draw=lambda theme: _chart(theme, shown),
        height=_STEP * len(shown),
        margins=Margins(left=300, right=150, top=34, bottom=36),
    )


def _read(finding: Finding, scene: Scene) -> list[dict[str, Any]]:
    names = [column.name for column in finding.columns]
    rows = [dict(zip(names, row.values, strict=True)) for row in finding.rows]
    return [
        {
            "key": scene.mask(str(row["worktree"] or row["project_key"])),
            "state": row["state"] if row["state"] in _SHAPES else "unknown",
            "size_bytes": row["size_bytes"],
            "n_sessions": row["n_sessions"],
            "last_ts": row["last_ts"].timestamp() if isinstance(row["last_ts"], datetime) else None,
        }
        for row in rows
    ]


def _chart(theme: Theme, rows: list[dict[str, Any]]) -> Any:
    import altair as alt

    colours = {"gone": theme.fault, "unregistered": theme.risk, "unknown": theme.measure}
    data = [
        {
            "y": at + 0.5,
            "key": short_label(row["key"], 284),
            "state": row["state"],
            "last": None if row["last_ts"] is None else round(row["last_ts"] * 1000),
            "said": f"{format_bytes(row['size_bytes'] or 0)}, {count_of(row['n_sessions'] or 0, 'session')}",
        }
        for at, row in enumerate(rows)
    ]
    y = alt.Scale(domain=[0, len(rows)], reverse=True, nice=False)
    x = alt.Scale(type="utc", nice=False, padding=12)
    base = alt.Chart(frame(data))
    layers: list[Any] = [
        base.mark_rule(color=theme.line).encode(
            x=fixed("X", 0), x2=fixed("X2", "width"), y=alt.Y("y:Q", scale=y, axis=None)
        ),
        base.mark_text(align="right", dx=-10, color=theme.ink, fontSize=12, baseline="middle").encode(
            x=fixed("X", 0), y=alt.Y("y:Q", scale=y), text=alt.Text("key:N")
        ),
        base.mark_text(align="left", dx=10, color=theme.soft, fontSize=12, baseline="middle").encode(
            x=fixed("X", "width"), y=alt.Y("y:Q", scale=y), text=alt.Text("said:N")
        ),
    ]
    axis = alt.Axis(title=None, tickCount=5, labelExpr="utcFormat(datum.value, '%Y-%m-%d')")
    there = [state for state in _SHAPES if any(row["state"] == state for row in data)]
    for state in there:
        shape = _SHAPES[state]
        one = base.transform_filter(f"datum.state == '{state}' && datum.last != null")
        layers.append(
            one.mark_point(
                shape=shape.removeprefix("hollow-"),
                filled=not shape.startswith("hollow-"),
                size=90,
                opacity=1,
                strokeWidth=1.8,
                color=colours[state],
            ).encode(x=alt.X("last:T", scale=x, axis=axis), y=alt.Y("y:Q", scale=y))
        )
    key = [(state, colours[state], _SHAPES[state]) for state in there]
    return alt.layer(*layers, *legend(theme, key))
