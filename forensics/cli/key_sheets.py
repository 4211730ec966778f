"""What check-keys prints: counts by version, hypotheses, and each key that is not explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from forensics.assumptions import Baseline, Interval, KeyVerdict, Tally, VersionCount, count_by_version
from forensics.assumptions.verdicts import RECORD, count_kinds
from forensics.cli import output
from forensics.cli.output import Sheet

LISTED: Final = ("standing", *RECORD)
"""`standing` is new or known for a violation, else undecided."""

_SHOWN: Final = ("standing", "kind", "project_key", "version", "cwd", "why", "ref")


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """What a case says about its keys, with what was known before."""

    sessions: Sequence[KeyVerdict]
    empty: Sequence[KeyVerdict]
    tallies: Sequence[Tally]
    baseline: Baseline

    @property
    def new(self) -> list[KeyVerdict]:
        """Violations that the baseline does not hold."""
        return self.baseline.new_among(self.sessions)

    def listed(self) -> list[dict[str, Any]]:
        """Each session that is not explained and each key without one: violations first.

        Shape: the columns of `LISTED`.
        """
        violations = [each for each in self.sessions if each.is_violation]
        undecided = [each for each in self.sessions if not each.is_violation and not each.is_explained]
        new = {each.identity for each in self.new}
        rows = [{"standing": "new" if v.identity in new else "known", **v.record()} for v in violations]
        rows.sort(key=lambda row: row["standing"] != "new")
        return rows + [{"standing": "undecided", **v.record()} for v in (*undecided, *self.empty)]

    def document(self) -> dict[str, Any]:
        """Everything as JSON can hold it; the same names when nothing was found."""
        rows = self.listed()
        return {
            "n_sessions": len(self.sessions),
            "n_keys": len({each.key for each in (*self.sessions, *self.empty)}),
            "n_new": len(self.new),
            "kinds": count_kinds(self.sessions),
            "by_version": [_version_record(count) for count in count_by_version(self.sessions)],
            "hypotheses": [_tally_record(each) for each in self.tallies],
            "violations": [row for row in rows if row["standing"] != "undecided"],
            "undecided": [row for row in rows if row["standing"] == "undecided"],
            "gone_from_baseline": [list(each) for each in self.baseline.gone_from(self.sessions)],
        }

    def sheet(self) -> Sheet:
        """The listed rows."""
        return Sheet(LISTED, [tuple(row[name] for name in LISTED) for row in self.listed()])

    def text(self) -> Iterator[str]:
        """Yield the blocks that a person reads on a terminal."""
        kinds = ", ".join(f"{n:,} {kind}" for kind, n in count_kinds(self.sessions).items())
        n_keys = len({each.key for each in self.sessions})
        yield f"{len(self.sessions):,} sessions under {n_keys:,} keys: {kinds or 'none'}"
        yield output.terminal_table(_versions_sheet(count_by_version(self.sessions)))
        yield output.terminal_table(_hypotheses_sheet(self.tallies))
        yield "\n".join([*_eras(self.tallies), *_silences(self.tallies)])
        if rows := [{**row, "why": _why(row)} for row in self.listed()]:
            yield output.terminal_table(Sheet(_SHOWN, [tuple(row[name] for name in _SHOWN) for row in rows]))
        if gone := self.baseline.gone_from(self.sessions):
            yield f"no longer seen, of the baseline: {', '.join(key for _, _, key, _ in gone)}"


def _version_record(count: VersionCount) -> dict[str, Any]:
    return {
        "version": count.version,
        "n_sessions": count.n_sessions,
        "n_explained": count.n_explained,
        "n_contradicted": count.n_contradicted,
        "n_undecided": count.n_undecided,
        "violation_rate": count.violation_rate,
        "interval": _ends(count.interval),
    }


def _tally_record(tally: Tally) -> dict[str, Any]:
    hypothesis = tally.hypothesis
    return {
        "id": hypothesis.id,
        "claim": hypothesis.claim,
        "first": hypothesis.first or None,
        "last": hypothesis.last or None,
        "told_by": hypothesis.told_by,
        "n_applicable": tally.n_applicable,
        "n_support": tally.n_support,
        "n_against": tally.n_against,
        "n_undecided": tally.n_undecided,
        "interval": _ends(tally.interval),
        "undecided_because": dict(tally.undecided_because),
        "by_version": [
            {
                "version": count.version,
                "n_support": count.n_support,
                "n_against": count.n_against,
                "n_undecided": count.n_undecided,
            }
            for count in tally.by_version
        ],
        "examples": {
            "support": list(tally.support_refs),
            "against": list(tally.against_refs),
            "undecided": list(tally.undecided_refs),
        },
    }


def _versions_sheet(counts: Sequence[VersionCount]) -> Sheet:
    return Sheet(
        ("version", "sessions", "explained", "contradicted", "undecided", "violation rate, 95 %"),
        [
            (
                count.version or "(none)",
                count.n_sessions,
                count.n_explained,
                count.n_contradicted,
                count.n_undecided,
                _share(count.n_contradicted, count.n_decided, count.interval),
            )
            for count in counts
        ],
    )


def _hypotheses_sheet(tallies: Sequence[Tally]) -> Sheet:
    return Sheet(
        ("id", "claim", "versions", "for", "against", "undecided", "share for, 95 %"),
        [
            (
                each.hypothesis.id,
                each.hypothesis.claim,
                each.hypothesis.versions or "all",
                each.n_support,
                each.n_against,
                each.n_undecided,
                _share(each.n_support, each.n_support + each.n_against, each.interval),
            )
            for each in tallies
            if each.n_applicable
        ],
    )


def _eras(tallies: Sequence[Tally]) -> Iterator[str]:
    """Yield, of each hypothesis with witnesses on both sides, in which versions they stand."""
    for each in tallies:
        if not (each.n_support and each.n_against):
            continue
        decided = [count for count in each.by_version if count.n_support or count.n_against]
        spans = []
        for (has_support, has_against), group in groupby(
            decided, key=lambda count: (count.n_support > 0, count.n_against > 0)
        ):
            counts = list(group)
            n_support, n_against = sum(c.n_support for c in counts), sum(c.n_against for c in counts)
            said = [f"{n_support:,} for"] * has_support + [f"{n_against:,} against"] * has_against
            versions = [count.version or "no version" for count in counts]
            span = versions[0] if len(versions) == 1 else f"{versions[0]} to {versions[-1]}"
            spans.append(f"{span}: {', '.join(said)}")
        yield f"{each.hypothesis.id} by version: {'; '.join(spans)}"


def _silences(tallies: Sequence[Tally]) -> Iterator[str]:
    for each in tallies:
        told = ", ".join(f"{n:,} × {why}" for why, n in each.undecided_because.items())
        if told:
            yield f"{each.hypothesis.id} undecided: {told}"
    by_witness: dict[str, list[str]] = {}
    for each in tallies:
        if not each.n_applicable:
            by_witness.setdefault(each.hypothesis.told_by, []).append(each.hypothesis.id)
    for told_by, ids in by_witness.items():
        yield f"{', '.join(ids)}: nothing here speaks for or against; witnesses would be {told_by}"


def _why(row: dict[str, Any]) -> str:
    above = f"the directory above would give it: {row['ancestor']}" if row["ancestor"] else ""
    return "; ".join(filter(None, (row["note"], above)))


def _share(n: int, n_decided: int, interval: Interval | None) -> str:
    if interval is None:
        return "nothing decided"
    return f"{n:,} of {n_decided:,}, {interval.low:.1%} to {interval.high:.1%}"


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [round(interval.low, 6), round(interval.high, 6)]
