"""All that a case knows about a key: whose it is, what lies under it, what exists nowhere else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from forensics.cli import output
from forensics.cli.output import Sheet

if TYPE_CHECKING:
    from forensics.case import Case

_KEYS = """
select k.label, k.home, k.project_key, k.form, k.is_empty
from keys as k
where k.project_key = $key and ($label is null or k.label = $label)
order by k.label, k.home
"""
_DIRECTORIES = """
select d.cwd, d.n_sessions, d.n_lines, d.first_ts, d.last_ts, d.encodes, d.how
from key_dirs as d
where d.label = $label and d.home = $home and d.project_key = $key
order by d.n_lines desc, d.cwd
"""
_HOLDS = """
select f.role, count(*) as n_files, coalesce(sum(f.size_bytes), 0)::bigint as n_bytes
from files as f
where f.label = $label and f.home = $home and f.project_key = $key
group by f.role
order by f.role
"""
_SESSIONS = """
select
    s.session_id,
    s.last_ts,
    s.n_human as n_requests,
    s.size_bytes,
    s.last_cwd,
    s.path,
    not exists(
        select 1
        from sessions as o
        where o.session_id = s.session_id
            and (o.label, o.home, o.project_key) is distinct from (s.label, s.home, s.project_key)
    ) as is_only_here
from sessions as s
where s.label = $label and s.home = $home and s.project_key = $key
order by s.last_ts desc nulls last, s.path
"""


@dataclass(frozen=True, slots=True)
class Dossier:
    """One folder under one `projects/`."""

    label: str
    home: str
    project_key: str
    form: str
    is_empty: bool
    directories: Sheet
    holds: Sheet
    sessions: Sheet

    def record(self) -> dict[str, Any]:
        """The dossier for JSON."""
        plain = {
            name: value for name, value in asdict(self).items() if not isinstance(getattr(self, name), Sheet)
        }
        return {
            **plain,
            "directories": self.directories.records(),
            "holds": self.holds.records(),
            "sessions": self.sessions.records(),
            "n_sessions_only_here": self.n_only_here,
        }

    @property
    def n_only_here(self) -> int:
        """Sessions that lie under no other key of this case."""
        return sum(record["is_only_here"] is True for record in self.sessions.records())

    @property
    def owners(self) -> list[str]:
        """Recorded directories that encode to this key."""
        return [str(record["cwd"]) for record in self.directories.records() if record["encodes"]]


def read_dossier(case: Case, key: str, *, label: str | None = None) -> list[Dossier]:
    """A dossier for each home that has a folder of this name."""
    dossiers = []
    for row in case.sql(_KEYS, {"key": key, "label": label}).to_pylist():
        place = {"label": row["label"], "home": row["home"], "key": key}
        directories, holds, sessions = (
            output.sheet_of(case.sql(query, place)) for query in (_DIRECTORIES, _HOLDS, _SESSIONS)
        )
        dossiers.append(Dossier(**row, directories=directories, holds=holds, sessions=sessions))
    return dossiers


def put_dossier(dossiers: Sequence[Dossier], *, zone: dt.tzinfo) -> None:
    """Nothing; the dossiers stand on stdout for people."""
    output.put("\n\n".join(_as_text(dossier, zone) for dossier in dossiers))


def _as_text(dossier: Dossier, zone: dt.tzinfo) -> str:
    folder = f"{dossier.label}/{dossier.home}/projects/{dossier.project_key}".replace("/./", "/")
    blocks = [output.emphasise(folder), _whose(dossier)]
    if dossier.directories.rows:
        shown = ("cwd", "n_sessions", "n_lines", "last_ts", "encodes", "how")
        blocks.append(output.terminal_table(output.only(dossier.directories, shown), zone=zone))
    if dossier.is_empty:
        return "\n\n".join([*blocks, "it is empty: nothing would be lost"])
    blocks.append(output.terminal_table(dossier.holds))
    if dossier.sessions.rows:
        brief = ("session_id", "last_ts", "is_only_here", "last_cwd")
        blocks.append(output.terminal_table(output.only(dossier.sessions, brief), zone=zone))
    n_sessions = len(dossier.sessions.rows)
    blocks.append(
        output.wrapped(
            f"if it were deleted: {dossier.n_only_here:,} of {n_sessions:,} sessions lie under no other "
            "key of this case, and the files of other roles would be lost with them"
        )
    )
    return "\n\n".join(blocks)


def _whose(dossier: Dossier) -> str:
    owners = dossier.owners
    if not dossier.directories.rows:
        return "no directory is recorded under it"
    if not owners:
        return "no directory recorded under it encodes to it"
    if len(owners) == 1:
        return f"it is the key of {owners[0]}"
    return f"{len(owners)} directories share it: {', '.join(owners)}"
