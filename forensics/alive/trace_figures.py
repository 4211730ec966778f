"""How well the name on a first line tells who started a session, where somebody saw it run.

Source: the tool that keeps sessions in tmux was seen to mark every session of its own and none of another's;
on evidence where a registry or tmux says which is which, the same can be counted.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from forensics.alive.facts import Known
from forensics.alive.places import gather_places
from forensics.alive.query import PREFIX, Query


@dataclass(frozen=True, slots=True)
class TraceFigures:
    """Transcripts by what their first line tells, and the same of sessions that were seen to run.

    `marked` sessions ran in a session of tmux with the tool's prefix, `unmarked` ones elsewhere; both are
    counted once, and only when a transcript of theirs is here.
    """

    n_transcripts: int
    n_exact: int
    n_titled_other: int
    n_marked: int
    n_marked_exact: int
    n_unmarked: int
    n_unmarked_exact: int

    @property
    def precision(self) -> float | None:
        """Of the sessions seen to run whose first line has the name, the share that was marked."""
        return _share(self.n_marked_exact, self.n_marked_exact + self.n_unmarked_exact)

    @property
    def recall(self) -> float | None:
        """Of the marked sessions, the share whose first line has the name."""
        return _share(self.n_marked_exact, self.n_marked)

    def record(self) -> dict[str, Any]:
        """All of it as a program reads it; a share of nothing is null."""
        return {**asdict(self), "precision": self.precision, "recall": self.recall}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def count_traces(known: Known, query: Query) -> TraceFigures:
    """The figures over the sources and homes that are asked about."""
    traces = [
        (log.sid, place.traces[log.ident]) for place in gather_places(known, query) for log in place.logs
    ]
    exact = {sid for sid, trace in traces if trace == "exact"}
    here = {sid for sid, _ in traces}
    seen = {(each.sid, each.tmux or "") for each in known.processes}
    seen |= {(pane.sid, pane.session) for pane in known.panes if pane.sid is not None}
    marked = {sid for sid, session in seen if session.startswith(PREFIX)} & here
    unmarked = ({sid for sid, _ in seen} & here) - marked
    return TraceFigures(
        n_transcripts=len(traces),
        n_exact=sum(trace == "exact" for _, trace in traces),
        n_titled_other=sum(trace == "titled_other" for _, trace in traces),
        n_marked=len(marked),
        n_marked_exact=len(marked & exact),
        n_unmarked=len(unmarked),
        n_unmarked_exact=len(unmarked & exact),
    )


def as_text(figures: TraceFigures) -> str:
    """The figures as people read them."""
    named = (
        f"{figures.n_transcripts:,} transcripts: the first line of {figures.n_exact:,} has the name of their"
        f" place, that of {figures.n_titled_other:,} another name"
    )
    if not figures.n_marked and not figures.n_unmarked:
        return f"{named}\nnobody saw which of them ran (convert --with registry=DIR --with tmux=FILE)"
    marked = (
        f"seen to run in tmux as {PREFIX}…: {figures.n_marked:,}, of which {figures.n_marked_exact:,} have it"
        f" (recall {_percent(figures.recall)})"
    )
    unmarked = (
        f"seen to run elsewhere: {figures.n_unmarked:,}, of which {figures.n_unmarked_exact:,} have it"
        f" (precision {_percent(figures.precision)})"
    )
    return "\n".join((named, marked, unmarked))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
