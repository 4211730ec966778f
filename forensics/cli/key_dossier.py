"""All that a case knows about a key: whose it is, what lies under it, what exists nowhere else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from forensics.cli import output
from forensics.cli.key_loss import KeyLoss, read_loss
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
_KEYS_OF = """
select d.project_key
from key_dirs as d
left join directories as c using (cwd)
where ($label is null or d.label = $label)
    and ($path in (d.cwd, c.directory_guess) or $word in (d.cwd, c.directory_guess))
group by d.project_key
order by bool_or(d.encodes) desc, sum(d.n_lines) desc, d.project_key
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
    loss: KeyLoss

    def record(self) -> dict[str, Any]:
        """The dossier for JSON."""
        plain = {
            name: value
            for name, value in asdict(self).items()
            if not isinstance(getattr(self, name), Sheet | KeyLoss)
        }
        return {
            **plain,
            "directories": self.directories.records(),
            "holds": self.holds.records(),
            "sessions": self.sessions.records(),
            "n_sessions_only_here": self.n_only_here,
            "if_deleted": self.loss.record(),
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
        loss = read_loss(case, **place)
        dossiers.append(Dossier(**row, directories=directories, holds=holds, sessions=sessions, loss=loss))
    return dossiers


def keys_of_directory(case: Case, word: str, *, label: str | None = None) -> list[str]:
    """The keys under which a directory is recorded, those that it encodes to first."""
    from forensics.cli.keys import absolute
    from forensics.paths import canonical_guess

    values = {"word": canonical_guess(word), "path": canonical_guess(absolute(word)), "label": label}
    return [str(row["project_key"]) for row in case.sql(_KEYS_OF, values).to_pylist()]


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
        blocks.append(output.terminal_table(_brief(dossier), zone=zone))
    blocks.append(
        "\n".join(output.wrapped(text) for text in (str(dossier.loss), *dossier.loss.of_sessions()))
    )
    return "\n\n".join(blocks)


def _brief(dossier: Dossier) -> Sheet:
    lost = {each.path: each.lost for each in dossier.loss.sessions}
    rows = [
        (row["session_id"], row["last_ts"], lost[str(row["path"])], row["last_cwd"])
        for row in (
            dict(zip(dossier.sessions.columns, cells, strict=True)) for cells in dossier.sessions.rows
        )
    ]
    return Sheet(("session_id", "last_ts", "lost", "last_cwd"), rows)


def _whose(dossier: Dossier) -> str:
    owners = dossier.owners
    if not dossier.directories.rows:
        return "no directory is recorded under it"
    if not owners:
        return "no directory recorded under it encodes to it"
    if len(owners) == 1:
        return f"it is the key of {owners[0]}"
    return f"{len(owners)} directories share it: {', '.join(owners)}"
