"""Is every key of a case explained by a rule that a version recorded under it may have used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from forensics.keys import CLAUDE_CODE, Explanation, Ruleset, classify
from forensics.refs import Ref, format_ref

if TYPE_CHECKING:
    from forensics.case import Case

EXPLAINED: Final = ("exact", "moved", "alias", "named")
UNDECIDED: Final = "undecided"
KINDS: Final = (*EXPLAINED, "untruncated", "alien_hash", "wrong_rule", "unexplained", UNDECIDED)

RECORD: Final = (
    *("label", "home", "project_key", "kind", "version", "rule"),
    *("basis", "cwd", "alias", "note", "ancestor", "ref"),
)

_SESSIONS = """
select
    s.file_id,
    s.generation,
    s.label,
    s.home,
    s.project_key,
    s.path,
    s.agent
from sessions as s
where s.project_key is not null
order by
    s.label,
    s.home,
    s.project_key,
    s.path,
    s.generation
"""
_VERSIONS = """
select
    v.file_id,
    v.generation,
    v.agent_version
from session_versions as v
where v.agent_version <> ''
order by
    v.file_id,
    v.generation,
    v.first_position,
    v.agent_version
"""
# A relocation names a directory that no line may have carried yet.
_CWDS = """
select
    c.file_id,
    c.generation,
    c.cwd,
    min(c.first_position) as first_position
from (
    select file_id, generation, cwd, first_position from session_cwds
    union all
    select file_id, generation, cwd, position from cwd_moves where cwd is not null
) as c
group by
    c.file_id,
    c.generation,
    c.cwd
order by
    c.file_id,
    c.generation,
    first_position,
    c.cwd
"""
_EMPTY = """
select
    k.label,
    k.home,
    k.project_key,
    k.n_files,
    key_folder(k.home, k.project_key) as folder
from keys as k
anti join sessions as s
    on k.label = s.label and k.home = s.home and k.project_key = s.project_key
order by
    k.label,
    k.home,
    k.project_key
"""


@dataclass(frozen=True, slots=True)
class KeyVerdict:
    """What explains the key of one session, or why nothing does.

    `version` is the one whose rule explains the key, else the first one recorded; `ref` is the session's
    file, or the key's folder when no session lies under it.
    """

    label: str
    home: str
    project_key: str
    version: str
    ref: str
    explanation: Explanation

    @property
    def is_explained(self) -> bool:
        """Whether a rule of a recorded version gives the key."""
        return self.explanation.kind in EXPLAINED

    @property
    def is_violation(self) -> bool:
        """Whether the rules of the recorded versions are contradicted."""
        return self.explanation.kind not in (*EXPLAINED, UNDECIDED)

    @property
    def key(self) -> tuple[str, str, str]:
        """The key with the place it lies in: label, home, project_key."""
        return (self.label, self.home, self.project_key)

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What names this verdict in a baseline: a further session of the kind under a key is not new."""
        return (*self.key, self.explanation.kind)

    def record(self) -> dict[str, Any]:
        """The verdict as one flat row.

        Shape: the columns of `RECORD`.
        """
        why = self.explanation
        return {
            "label": self.label,
            "home": self.home,
            "project_key": self.project_key,
            "kind": why.kind,
            "version": self.version,
            "rule": why.rule,
            "basis": why.basis,
            "cwd": why.cwd,
            "alias": why.alias,
            "note": why.note,
            "ancestor": why.ancestor,
            "ref": self.ref,
        }


def judge_keys(case: Case, *, ruleset: Ruleset | None = None) -> list[KeyVerdict]:
    """A verdict for each session under a key, by label, home, key and path.

    Subagents lie where their session does and are not judged.
    """
    cwds = _by_file(case.sql(_CWDS).to_pylist(), "cwd")
    versions = _by_file(case.sql(_VERSIONS).to_pylist(), "agent_version")
    return [
        _judge(
            row,
            cwds.get((row["file_id"], row["generation"]), []),
            versions.get((row["file_id"], row["generation"]), []),
            ruleset,
        )
        for row in case.sql(_SESSIONS).to_pylist()
    ]


def list_empty_keys(case: Case) -> list[KeyVerdict]:
    """An undecided verdict for each key under which no session lies, by label, home and key."""
    return [
        KeyVerdict(
            label=row["label"],
            home=row["home"],
            project_key=row["project_key"],
            version="",
            ref=format_ref(Ref(row["label"], row["folder"])),
            explanation=Explanation(
                "undecided", note="no session lies under it" if row["n_files"] else "the folder is empty"
            ),
        )
        for row in case.sql(_EMPTY).to_pylist()
    ]


def explain_key(
    key: str,
    cwds: Sequence[str],
    versions: Sequence[str],
    *,
    agent: str = CLAUDE_CODE,
    ruleset: Ruleset | None = None,
) -> tuple[str, Explanation]:
    """The version that explains a key with its explanation; without one the first version and its reason.

    The version that began a session named the folder; a later one may have moved it. All that are recorded
    are tried in their order.
    """
    tried = [(version, classify(key, cwds, version or None, agent, ruleset)) for version in versions or ("",)]
    return next((pair for pair in tried if pair[1].kind in EXPLAINED), tried[0])


def count_kinds(verdicts: Iterable[KeyVerdict]) -> dict[str, int]:
    """Each kind of explanation that occurs with its count, explained ones first."""
    kinds = [verdict.explanation.kind for verdict in verdicts]
    return {kind: n for kind in KINDS if (n := sum(each == kind for each in kinds))}


def _by_file(rows: Iterable[dict[str, Any]], column: str) -> dict[tuple[int, int], list[str]]:
    found: dict[tuple[int, int], list[str]] = {}
    for row in rows:
        found.setdefault((row["file_id"], row["generation"]), []).append(row[column])
    return found


def _judge(
    row: dict[str, Any], cwds: Sequence[str], versions: Sequence[str], ruleset: Ruleset | None
) -> KeyVerdict:
    version, explanation = explain_key(
        row["project_key"], cwds, versions, agent=row["agent"] or CLAUDE_CODE, ruleset=ruleset
    )
    return KeyVerdict(
        label=row["label"],
        home=row["home"],
        project_key=row["project_key"],
        version=version,
        ref=format_ref(Ref(row["label"], row["path"])),
        explanation=explanation,
    )
