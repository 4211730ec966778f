"""What is known already: violations that were seen before and do not fail a check again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from forensics.assumptions.verdicts import KeyVerdict
from forensics.errors import UsageError

_FIELDS = ("label", "home", "project_key", "kind")


@dataclass(frozen=True, slots=True)
class Baseline:
    """Violations that are known: by label, home, project_key and kind."""

    known: frozenset[tuple[str, str, str, str]] = frozenset()

    def new_among(self, verdicts: Iterable[KeyVerdict]) -> list[KeyVerdict]:
        """The violations that are not known, in their order."""
        return [each for each in verdicts if each.is_violation and each.identity not in self.known]

    def gone_from(self, verdicts: Iterable[KeyVerdict]) -> list[tuple[str, str, str, str]]:
        """What is known and not seen any more, sorted: it can be taken out."""
        return sorted(self.known - {each.identity for each in verdicts if each.is_violation})


def baseline_text(verdicts: Iterable[KeyVerdict]) -> str:
    """The violations among some verdicts as the text of a baseline; equal sets give equal texts."""
    known = sorted({verdict.identity for verdict in verdicts if verdict.is_violation})
    rows = [dict(zip(_FIELDS, identity, strict=True)) for identity in known]
    return json.dumps({"violations": rows}, indent=2) + "\n"


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file: one that was written for it, or a result of `forensics check-keys --json`.

    Raises: UsageError when the file is neither.
    """
    try:
        return Baseline(_known(json.loads(path.read_text("utf-8"))["violations"]))
    except OSError as error:
        raise UsageError(f"cannot read the baseline: {error.strerror}", where=str(path)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            "this is no baseline",
            where=str(path),
            hint="write one with: forensics check-keys --write-baseline FILE",
        ) from error


def _known(rows: Sequence[dict[str, str]]) -> frozenset[tuple[str, str, str, str]]:
    known = {(row["label"], row["home"], row["project_key"], row["kind"]) for row in rows}
    if not all(isinstance(value, str) for identity in known for value in identity):
        raise TypeError("not texts")
    return frozenset(known)
