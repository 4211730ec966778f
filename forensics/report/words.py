"""The words of a report that all its formats share."""

from __future__ import annotations

import re
from collections.abc import Mapping

from forensics.report.model import ReportContext
from forensics.report.text import count_of

KIND_NAMES: Mapping[str, str] = {"fault": "Faults", "risk": "Risks", "measure": "Measures"}
KIND_DOCS: Mapping[str, str] = {
    "fault": "Something is broken or lost already, as the evidence records it.",
    "risk": "Nothing is lost yet; a step that looks harmless could lose it or mix it up.",
    "measure": "Counts and lists to reason with; they are neither good nor bad.",
}
CONFIDENCES: Mapping[str, str] = {
    "observed": "Observed: read from the evidence as it stands.",
    "rule": "By a rule: an agent's rule that was observed for a range of versions.",
    "heuristic": "A guess: a pattern that usually means this.",
}
BASES: Mapping[str, str] = {
    "evidence": "the newest time in the evidence",
    "given": "as it was given",
    "now": "when the evidence was taken in",
}
_CODE = re.compile(r"`([^`]+)`")


def say_headline(context: ReportContext) -> str:
    """The outcome in a few words."""
    found = [head for head in context.headlines if head.n_with_rows and head.kind != "measure"]
    if found:
        return " and ".join(count_of(head.n_with_rows, head.kind) for head in found) + " found"
    if not context.assessed:
        return "Nothing could be asked"
    return "No fault and no risk found"


def split_code(text: str) -> list[tuple[bool, str]]:
    """The pieces of a sentence, each with whether it stands between backticks."""
    pieces = _CODE.split(text)
    return [(n % 2 == 1, piece) for n, piece in enumerate(pieces) if piece]
