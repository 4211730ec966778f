"""Witnesses about which directory gives the key of a session, and how it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from forensics.assumptions.verdicts import KeyVerdict
from forensics.assumptions.witness import Witness, judge
from forensics.keys import encode, load_rules, rules_for
from forensics.refs import Ref, format_ref

if TYPE_CHECKING:
    from forensics.case import Case

_SESSIONS: Final = """
select
    m.label,
    s.path,
    m.agent_version as version,
    m.n_keys,
    m.match_first,
    m.match_last,
    m.match_any,
    m.match_alias,
    r.cwd is not null as is_relocated,
    coalesce(k.how = 'exact', false) as match_relocated
from key_matches as m
inner join sessions as s
    on m.file_id = s.file_id and m.generation = s.generation
left join last_relocations as r
    on m.file_id = r.file_id and m.generation = r.generation
left join session_keys as k
    on r.file_id = k.file_id and r.generation = k.generation and r.cwd = k.cwd
order by
    m.label,
    s.path,
    m.generation
"""
_SDKS: Final = ("claude_sdk_python", "claude_sdk_typescript")


def witnesses_of_placing(case: Case, verdicts: Iterable[KeyVerdict]) -> Iterator[Witness]:
    """Yield witnesses of V-01, V-02, V-03, V-08, V-11 and V-14."""
    for row in case.sql(_SESSIONS).to_pylist():
        yield from _of_session(row)
    newest = tuple(rules_for(agent)[0].rule.name for agent in _SDKS)
    for verdict in verdicts:
        yield from _of_verdict(verdict, newest)


def _of_session(row: dict[str, Any]) -> Iterator[Witness]:
    head = row["match_relocated"] if row["is_relocated"] else row["match_first"]
    flags = {
        "V-01": row["match_last"],
        "V-02": row["match_any"],
        "V-03": head,
    }
    ref, version = format_ref(Ref(row["label"], row["path"])), row["version"]
    is_explained = any(flags.values()) or row["match_relocated"]
    why = "only another spelling gives the key" if row["match_alias"] else "no directory gives the key"
    if is_settled := all(flags.values()):
        why = "it began and ended in the directory of the key"
    # Where all directories of a session give one key, first, last and any say the same.
    if row["n_keys"] >= 2 or len({*flags.values()}) > 1:
        is_telling = is_explained and not is_settled
        for about, holds in flags.items():
            yield judge(about, version=version, ref=ref, holds=holds if is_telling else None, why=why)
    if row["is_relocated"]:
        holds = row["match_relocated"] if is_explained else None
        yield judge("V-14", version=version, ref=ref, holds=holds, why=why)


def _of_verdict(verdict: KeyVerdict, sdk_rules: tuple[str, ...]) -> Iterator[Witness]:
    why, place = verdict.explanation, {"version": verdict.version, "ref": verdict.ref}
    if why.cwd is None or why.kind == "named":
        return
    if why.rule is not None and _is_long(why.cwd):
        same = {encode(why.cwd, rule) for rule in sdk_rules} == {verdict.project_key}
        yield judge("V-08", holds=same if why.kind in ("exact", "moved") else None, why=_NOT_ITS_OWN, **place)
    elif why.kind == "alien_hash":
        yield judge("V-08", holds=None, why=_NOT_ITS_OWN, **place)
    if "_" in why.cwd:
        if verdict.is_explained:
            yield judge("V-11", holds=True, **place)
        else:
            kept = why.kind == "wrong_rule" and "_" in verdict.project_key
            yield judge("V-11", holds=False if kept else None, why="another rule gives the key", **place)


_NOT_ITS_OWN: Final = "no rule of the recorded version gives the key"


def _is_long(cwd: str) -> bool:
    name = encode(cwd, load_rules().get("no_truncation"))
    return name is not None and len(name) > 200
