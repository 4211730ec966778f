"""What a case says for and against each hypothesis about keys; what it cannot decide is said to be so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from forensics.cli.key_check import EXPLAINED, KeyVerdict
from forensics.refs import Ref, format_ref

if TYPE_CHECKING:
    from forensics.case import Case

_SESSIONS = """
select
    s.label, s.path, m.n_keys, m.match_first, m.match_last, m.match_any, m.match_relocated, m.match_alias,
    exists(
        select 1 from cwd_moves as v
        where v.file_id = m.file_id and v.generation = m.generation and v.kind = 'relocated'
    ) as is_relocated
from key_matches as m
inner join sessions as s using (file_id, generation)
order by s.label, s.path, m.generation
"""

ONLY_A_RUN_TELLS = "transcripts cannot tell; only a run of the tool can"
ONLY_BY_RUNNING = (
    ("V-04", "A lookup sees one folder."),
    ("V-05", "A lookup sees the folder and the repository's worktrees, up to 2.1.222."),
    ("V-06", "A lookup sees every folder, from 2.1.223."),
    ("V-07", "A lookup takes another directory's session under a colliding key."),
    ("V-09", "The time of the file is the time the session was last alive."),
    ("V-10", "A title in the first line means that the session was named when it began."),
    ("V-12", "A session without an answer can be resumed, from 2.1.187."),
    ("V-13", "A long key falls back to another project's folder, up to 2.1.223."),
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A hypothesis with its evidence; counts are None where no transcript can decide it."""

    id: str
    claim: str
    n_applicable: int | None
    n_support: int | None
    n_against: int | None
    n_undecided: int | None
    example: str | None
    note: str | None = None


COLUMNS = tuple(field.name for field in fields(Weighed))


def weigh_hypotheses(case: Case, verdicts: Sequence[KeyVerdict]) -> list[Weighed]:
    """Each hypothesis with the transcripts for and against it, in the order of their names."""
    sessions = case.sql(_SESSIONS).to_pylist()
    # Where all directories of a session give one key, first, last and any say the same.
    telling = [row for row in sessions if row["n_keys"] >= 2]
    relocated = [row for row in sessions if row["is_relocated"]]
    weighed = [
        _weigh("V-01", "The key is that of the last directory.", telling, "match_last"),
        _weigh("V-02", "The key is that of some recorded directory.", telling, "match_any"),
        _weigh_head(telling),
        _weigh(
            "V-14",
            "A moved session lies under the key of where it was moved to.",
            relocated,
            "match_relocated",
        ),
        _weigh_long(verdicts),
        _weigh_underscore(verdicts),
        *(
            Weighed(name, claim, None, None, None, None, None, ONLY_A_RUN_TELLS)
            for name, claim in ONLY_BY_RUNNING
        ),
    ]
    return sorted(weighed, key=lambda each: each.id)


def _weigh(name: str, claim: str, rows: Sequence[dict[str, Any]], flag: str) -> Weighed:
    return _count(name, claim, [(row[flag], _is_explained(row), _ref(row)) for row in rows])


def _weigh_head(rows: Sequence[dict[str, Any]]) -> Weighed:
    claim = "The key is that of a relocation, else of the first directory."
    judged = [
        (row["match_relocated"] if row["is_relocated"] else row["match_first"], _is_explained(row), _ref(row))
        for row in rows
    ]
    return _count("V-03", claim, judged)


def _weigh_long(verdicts: Iterable[KeyVerdict]) -> Weighed:
    claim = "A long key ends in the hash that the rule of its version writes."
    judged = [
        (
            v.explanation.kind in EXPLAINED,
            v.explanation.kind in (*EXPLAINED, "alien_hash", "untruncated"),
            v.ref,
        )
        for v in verdicts
        if len(v.project_key) > 200
    ]
    return _count("V-08", claim, judged)


def _weigh_underscore(verdicts: Iterable[KeyVerdict]) -> Weighed:
    claim = "An underscore becomes a dash in every version."
    judged = [
        (v.explanation.kind in EXPLAINED, v.explanation.kind in (*EXPLAINED, "wrong_rule"), v.ref)
        for v in verdicts
        if v.explanation.cwd is not None and "_" in v.explanation.cwd and v.explanation.kind != "named"
    ]
    return _count("V-11", claim, judged)


def _count(name: str, claim: str, judged: Sequence[tuple[bool, bool, str]]) -> Weighed:
    support = [ref for holds, _, ref in judged if holds]
    against = [ref for holds, decided, ref in judged if not holds and decided]
    return Weighed(
        name,
        claim,
        n_applicable=len(judged),
        n_support=len(support),
        n_against=len(against),
        n_undecided=len(judged) - len(support) - len(against),
        example=next(iter([*against, *support]), None),
    )


def _is_explained(row: dict[str, Any]) -> bool:
    # A key that nothing explains (a chosen name, a foreign tool) speaks neither for nor against.
    return bool(row["match_any"] or row["match_relocated"] or row["match_alias"])


def _ref(row: dict[str, Any]) -> str:
    return format_ref(Ref(row["label"], row["path"]))
