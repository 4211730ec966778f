"""Directories that encode to a key: those that evidence records, and those a walk finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensics.cli import common
from forensics.cli.live import read_case_or_source
from forensics.cli.output import Sheet

if TYPE_CHECKING:
    from forensics.keys import Ruleset

_COLUMNS = ("key", "directory", "found", "rules", "alias", "n_lines")
_RECORDED = """
select k.cwd, k.alias, k.spelling, k.rule, c.n_lines
from cwd_keys as k
inner join cwds as c using (cwd)
where k.key = $key
order by k.alias <> '', c.n_lines desc, k.cwd, k.alias, k.rule
"""


@dataclass(frozen=True, slots=True)
class Located:
    """Directories with how each was found, and the versions that say so."""

    rows: tuple[tuple[object, ...], ...]
    envelope: dict[str, Any]

    @property
    def sheet(self) -> Sheet:
        """The rows with their names."""
        return Sheet(_COLUMNS, self.rows)


def locate_recorded(
    keys: Sequence[str], *, case: Path | None, source: str | None, ruleset: Ruleset
) -> Located:
    """The recorded directories that encode to the keys, under the case's rules and those given."""
    rows: list[tuple[object, ...]] = []
    with read_case_or_source(case, source) as opened:
        for key in keys:
            rows += _merge(key, opened.sql(_RECORDED, {"key": key}).to_pylist(), ruleset)
        envelope = common.versions(opened.manifest)
        if ruleset.digest != opened.manifest["ruleset"]["digest"]:
            cwds = opened.sql("select cwd, n_lines from cwds order by n_lines desc, cwd").to_pylist()
            seen = {(row[0], row[1]) for row in rows}
            rows += [row for row in _encoded(keys, cwds, ruleset) if (row[0], row[1]) not in seen]
    return Located(tuple(rows), envelope)


def locate_existing(
    keys: Sequence[str], roots: Sequence[Path], *, ruleset: Ruleset
) -> tuple[list[tuple[object, ...]], list[str]]:
    """The directories of this machine that encode to the keys, and a line on what each walk has cost.

    Raises:
        SourceError: a root is no directory.
    """
    from forensics.host.preimage import locate_under

    rows: list[tuple[object, ...]] = []
    walked: list[str] = []
    rules = [rule for rule in ruleset.rules if rule.kind == "tool"]
    for root in roots:
        for key in keys:
            found = locate_under(key, root, rules=rules)
            rows += [
                (key, path, "exists", ", ".join(names), None, None) for path, names in found.matches.items()
            ]
            walked.append(
                f"{root}: {found.n_visited:,} directories opened, {found.n_pruned:,} cannot lead to {key}, "
                f"{found.n_unreadable:,} could not be read, {found.n_links:,} links not followed"
            )
    return rows, walked


def _merge(key: str, found: Sequence[dict[str, Any]], ruleset: Ruleset) -> list[tuple[object, ...]]:
    rules: dict[tuple[str, str, int], list[str]] = {}
    spellings: dict[tuple[str, str, int], str] = {}
    for row in found:
        place = (row["cwd"], row["alias"], row["n_lines"])
        rules.setdefault(place, []).append(row["rule"])
        spellings[place] = row["spelling"]
    return [
        (
            key,
            place[0],
            "recorded",
            ", ".join(sorted(set(names))),
            spellings[place] if place[1] else None,
            place[2],
        )
        for place, names in rules.items()
    ]


def _encoded(
    keys: Sequence[str], cwds: Sequence[dict[str, Any]], ruleset: Ruleset
) -> list[tuple[object, ...]]:
    from forensics.keys import variants

    wanted = set(keys)
    rows: list[tuple[object, ...]] = []
    for row in cwds:
        hits: dict[str, list[str]] = {}
        for rule, key in variants(row["cwd"], ruleset).items():
            if key in wanted:
                hits.setdefault(key, []).append(rule)
        rows += [
            (key, row["cwd"], "recorded", _told(names, ruleset), None, row["n_lines"])
            for key, names in hits.items()
        ]
    return rows


def _told(names: Sequence[str], ruleset: Ruleset) -> str:
    """The rules in their own order; wrong rules of other tools only where there is no other."""
    order = {rule.name: at for at, rule in enumerate(ruleset.rules)}
    tools = {rule.name for rule in ruleset.rules if rule.kind == "tool"}
    known = sorted(set(names), key=lambda name: (order.get(name, len(order)), name))
    return ", ".join([name for name in known if name in tools or name not in order] or known)
