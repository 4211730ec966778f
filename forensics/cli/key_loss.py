"""What would be lost if the folder of a key were deleted: session by session, and the files beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from forensics.case import Case

Loss = Literal["whole", "records", "none"]

_COPIES = """
with
mine as (
    select s.file_id, s.generation, s.session_id, s.path, s.last_ts, f.sha256
    from sessions as s
    inner join files as f using (file_id, generation)
    where s.label = $label and s.home = $home and s.project_key = $key
),
copies as (
    select m.file_id, m.generation, t.file_id as other_file_id, t.generation as other_generation,
        t.label, t.home, t.project_key, t.path, coalesce(f.sha256 = m.sha256, false) as is_equal
    from mine as m
    inner join transcripts as t on m.session_id = t.session_id and t.role = 'main'
    inner join files as f on t.file_id = f.file_id and t.generation = f.generation
    where (t.label, t.home, t.project_key) is distinct from ($label, $home, $key)
),
records_here as (
    select l.file_id, l.generation, l.line_no, l.line_hash
    from lines as l
    inner join mine as m using (file_id, generation)
    where l.part = 0 and l.status <> 'blank'
),
held as (
    select distinct r.file_id, r.generation, r.line_no, c.other_file_id
    from records_here as r
    inner join copies as c using (file_id, generation)
    inner join lines as o
        on c.other_file_id = o.file_id and c.other_generation = o.generation and o.part = 0
        and r.line_hash = o.line_hash
),
sizes as (
    select r.file_id, count(*) as n_records, count(h.line_no) as n_held
    from records_here as r
    left join (select distinct file_id, line_no from held) as h using (file_id, line_no)
    group by r.file_id
),
by_copy as (
    select h.file_id, h.other_file_id, count(*) as n_held
    from held as h
    group by h.file_id, h.other_file_id
),
relations as (
    select file_id, other_file_id, relation, false as is_longer from session_copies
    union all
    select other_file_id, file_id, relation, true from session_copies
)

select
    m.path as own_path,
    m.session_id,
    coalesce(z.n_records, 0) as n_records,
    coalesce(z.n_records - z.n_held, 0) as n_in_no_copy,
    c.label,
    c.home,
    c.project_key,
    c.path,
    c.is_equal,
    coalesce(z.n_records, 0) - coalesce(b.n_held, 0) as n_only_here,
    r.relation,
    r.is_longer
from mine as m
left join sizes as z on m.file_id = z.file_id
left join copies as c on m.file_id = c.file_id
left join by_copy as b on c.file_id = b.file_id and c.other_file_id = b.other_file_id
left join relations as r on c.file_id = r.file_id and c.other_file_id = r.other_file_id
order by m.last_ts desc nulls last, m.path, not c.is_equal, n_only_here, c.label, c.path
"""
_BESIDE = """
select f.role, count(*) as n_files, count(*) filter (
    where not exists(
        select 1
        from files as o
        where o.sha256 = f.sha256 and (o.label, o.home, o.project_key) is distinct from ($label, $home, $key)
    )
) as n_only_here
from files as f
where f.label = $label and f.home = $home and f.project_key = $key and f.role <> 'main'
group by f.role
order by f.role
"""
_NAMES = {
    "subagent": ("transcript of a subagent", "transcripts of subagents"),
    "sidecar": ("side file", "side files"),
    "index": ("index", "indexes"),
    "other": ("other file", "other files"),
}


@dataclass(frozen=True, slots=True)
class Copy:
    """Another file of a session's id, outside the folder; `relation` is told from the session's side."""

    label: str
    home: str
    project_key: str | None
    path: str
    relation: str
    n_records_only_here: int


@dataclass(frozen=True, slots=True)
class SessionLoss:
    """What goes with one session's file; the copy that holds most of it comes first."""

    session_id: str | None
    path: str
    loss: Loss
    n_records: int
    n_records_only_here: int
    copies: tuple[Copy, ...]

    @property
    def lost(self) -> str:
        """How much of it would be lost, in a word or two."""
        if self.loss == "records":
            return f"{self.n_records_only_here:,} of {self.n_records:,} records"
        return "all" if self.loss == "whole" else "nothing"


@dataclass(frozen=True, slots=True)
class FilesBeside:
    """Files of one other role, and how many of them have no equal outside the folder."""

    role: str
    n_files: int
    n_files_only_here: int


@dataclass(frozen=True, slots=True)
class KeyLoss:
    """What would be lost with one folder under one `projects/`."""

    label: str
    home: str
    sessions: tuple[SessionLoss, ...]
    beside: tuple[FilesBeside, ...]

    def record(self) -> dict[str, Any]:
        """The loss for JSON."""
        plain = asdict(self)
        return {
            "n_sessions_lost": self.count("whole"),
            "n_sessions_losing_records": self.count("records"),
            "n_sessions_losing_nothing": self.count("none"),
            "sessions": plain["sessions"],
            "beside": plain["beside"],
        }

    def count(self, loss: Loss) -> int:
        """Sessions that lose so much."""
        return sum(each.loss == loss for each in self.sessions)

    def __str__(self) -> str:
        return f"if it were deleted: {'; '.join(self._parts())}"

    def _parts(self) -> list[str]:
        whole, partly, n = self.count("whole"), self.count("records"), len(self.sessions)
        parts = []
        if whole:
            parts.append(f"{whole:,} of {n:,} sessions would be lost")
        if partly:
            n_records = sum(each.n_records_only_here for each in self.sessions if each.loss == "records")
            parts.append(
                f"of {partly:,} of {n:,} sessions {_counted(n_records, 'record', 'records')} would be lost"
            )
        if n and not whole and not partly:
            parts.append(f"nothing of its {_counted(n, 'session', 'sessions')} would be lost")
        gone = [
            _counted(each.n_files_only_here, *_NAMES.get(each.role, (each.role, each.role)))
            for each in self.beside
            if each.n_files_only_here
        ]
        if gone:
            parts.append(f"lost with it: {', '.join(gone)}")
        return parts or ["nothing would be lost"]

    def of_sessions(self) -> list[str]:
        """A sentence for each session that has a copy."""
        return [f"{each.session_id}: {self._of(each)}" for each in self.sessions if each.copies]

    def _of(self, session: SessionLoss) -> str:
        best = session.copies[0]
        where = self._place(best)
        if session.loss == "none":
            if best.n_records_only_here:
                return "its copies together hold all of its records: nothing would be lost"
            held = "is equal" if best.relation == "equal" else "holds all of its records"
            return f"its copy {where} {held}: nothing would be lost"
        how = {
            "longer": "is only its beginning",
            "stub": "holds no message",
            "stub_here": "has the messages, this file none",
            "unrelated": "has no record in common with it",
        }.get(best.relation, "diverged")
        stand = "record stands" if session.n_records_only_here == 1 else "records stand"
        more = len(session.copies) - 1
        beside = f" (and {_counted(more, 'further copy', 'further copies')} considered)" if more else ""
        return f"its copy {where} {how}: {session.n_records_only_here:,} {stand} only here{beside}"

    def _place(self, copy: Copy) -> str:
        if (copy.label, copy.home) == (self.label, self.home) and copy.project_key is not None:
            return f"under {copy.project_key}"
        return f"at {copy.label}/{copy.path}"


def read_loss(case: Case, *, label: str, home: str, key: str) -> KeyLoss:
    """What would be lost with the folder of a key, by what stands in no other file of the case."""
    place = {"label": label, "home": home, "key": key}
    by_path: dict[str, list[dict[str, Any]]] = {}
    for row in case.sql(_COPIES, place).to_pylist():
        by_path.setdefault(row["own_path"], []).append(row)
    beside = [
        FilesBeside(row["role"], row["n_files"], row["n_only_here"])
        for row in case.sql(_BESIDE, place).to_pylist()
    ]
    return KeyLoss(label, home, tuple(_session(rows) for rows in by_path.values()), tuple(beside))


def _session(rows: Sequence[dict[str, Any]]) -> SessionLoss:
    first = rows[0]
    copies = tuple(_copy(row) for row in rows if row["path"] is not None)
    is_equal = any(copy.relation == "equal" for copy in copies)
    n_only = 0 if is_equal else int(first["n_in_no_copy"])
    loss: Loss = "whole"
    if copies and n_only == 0:
        loss = "none"
    elif n_only < first["n_records"]:
        loss = "records"
    return SessionLoss(first["session_id"], first["own_path"], loss, first["n_records"], n_only, copies)


def _copy(row: dict[str, Any]) -> Copy:
    n_only = 0 if row["is_equal"] else int(row["n_only_here"])
    return Copy(
        row["label"], row["home"], row["project_key"], row["path"], _relation(row, n_only=n_only), n_only
    )


def _relation(row: dict[str, Any], *, n_only: int) -> str:
    """How the copy stands to the session's own file, also where the two lie in different sources."""
    if row["is_equal"]:
        return "equal"
    if n_only == 0:
        return "holds_all"
    if row["relation"] == "prefix":
        return "longer" if row["is_longer"] else "diverged"
    if row["relation"] == "stub":
        # The first of the pair is the stub, and that may be the session's own file.
        return "stub" if row["is_longer"] else "stub_here"
    if n_only == row["n_records"]:
        return "unrelated"
    return "diverged"


def _counted(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"
