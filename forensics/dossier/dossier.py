"""All that a case knows about one session, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from forensics.case import Case
from forensics.dossier.find import Match
from forensics.dossier.identity import Identity, read_identity
from forensics.dossier.places import References
from forensics.dossier.refusals import Met, read_refusals
from forensics.dossier.resume import CwdState, ResumePlan, Standing, plan_resume
from forensics.dossier.scope import Candidate, Outcome, ask_in, predict_continue
from forensics.dossier.shellquote import Shell
from forensics.keys import LIMIT, parse_version

_SESSION = """
select s.*, p.resume_cwd, p.resume_basis, p.how, p.resume_ref, p.last_recorded_cwd, p.last_recorded_ref,
    l.is_listed_by_sdk, l.has_messages, l.is_title_only, l.stub_reason,
    w.last_word, w.is_pending, w.ts as last_word_ts,
    case when w.line_no is not null then line_ref(s.file_id, s.generation, w.line_no, w.part) end
        as last_word_ref
from sessions as s
inner join resume_places as p using (file_id, generation)
inner join session_listing as l using (file_id, generation)
left join session_last_words as w using (file_id, generation)
where s.file_id = $file_id and s.generation = $generation
"""
_BESIDE = """
select s.file_id, s.path, s.session_id, s.project_key, s.first_cwd as head_cwd, n.title,
    coalesce(a.mtime_ns, epoch_ns(s.last_ts), 0) as newness
from sessions as s
inner join session_names as n using (file_id, generation)
left join acquisition as a using (file_id, generation)
where s.label = $label and s.home = $home and s.project_key is not null and s.n_user + s.n_assistant > 0
    and ends_with(s.path, concat(s.session_id, '.jsonl'))
    and (s.session_id = $session_id or left(s.project_key, $limit) = left($project_key, $limit))
"""
_BELIEVED = """
select e.path, a.mtime_ns is not null as has_mtime,
    coalesce(
        e.idle_gap_s < -2
        or (c.n_same_second >= 3 and c.nearest_content_s > 60)
        or (m.is_copied_guess and m.n_transcripts > 1),
        false
    ) as is_suspect
from session_ends as e
left join acquisition as a using (file_id, generation)
left join mtime_companions as c using (file_id, generation)
left join session_mtimes as m using (file_id, generation)
where e.label = $label and e.home = $home
"""
_COPIES = """
select s.file_id, s.home, s.path
from sessions as s
where s.label = $label and s.session_id = $session_id and s.file_id <> $file_id
order by s.path
"""
_RECORDED = """
select l.session_id
from lines as l
where l.file_id = $file_id and l.generation = $generation and l.session_id is not null
group by l.session_id
order by count(*) desc, l.session_id
"""
_VERSIONS = "select distinct agent_version from session_versions where agent_version <> ''"
_KEYS = "select project_key from keys where label = $label and home = $home"
_PATHS = 'select path, "exists" as is_there from probe_paths where label = $label and "exists" is not null'
_RUNNING = """
select
    exists (select 1 from probe_host where label = $label)
        or exists (select 1 from with_files where kind = 'registry') as has_looked,
    exists (
        select 1
        from live_processes
        where source_label in ('', $label) and session_id = lower($session_id)
    ) as is_running
"""
_HOST = "select value from probe_host where label = $label and name = 'projects_real_path'"

_NO_ROOTS: Mapping[str, Path] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Question:
    """How a dossier is asked: where from, with which version and shell, and what may be looked at.

    `version` None means the newest in the evidence. `roots` say where the sources lie now. `look` says
    whether a directory is there on this machine; None forbids that. `deep` reads tools' results in `raw`.
    """

    asked_in: str
    version: str | None = None
    shell: Shell | None = None
    roots: Mapping[str, Path] = field(default_factory=lambda: _NO_ROOTS)
    look: Callable[[str], bool] | None = None
    default_home: Path | None = None
    deep: bool = False


NewestBy = Literal["mtime", "suspect_mtime", "recorded"]


@dataclass(frozen=True, slots=True)
class ContinuePick:
    """What `--continue` takes in the session's own directory, and whose that is.

    `newest_by` says which times decided: those of the files, the same although they cannot be believed
    (of a copy, not of a last writing), or the recorded ones because a file has no time.
    """

    outcome: Outcome
    session_id: str | None
    title: str | None
    head_cwd: str | None
    is_this: bool
    newest_by: NewestBy


@dataclass(frozen=True, slots=True)
class SessionDossier:
    """One main transcript: who it is, where it was, whether and how it can be taken up again."""

    session_id: str | None
    recorded_session_ids: tuple[str, ...]
    label: str
    home: str
    project_key: str | None
    path: str
    ref: str
    identity: Identity
    is_listed_by_sdk: bool
    has_messages: bool
    is_title_only: bool
    stub_reason: str | None
    n_requests: int
    n_assistant: int
    first_ts: datetime | None
    last_ts: datetime | None
    first_version: str | None
    last_version: str | None
    resume_cwd: str | None
    resume_basis: str | None
    resume_ref: str | None
    last_recorded_cwd: str | None
    last_recorded_ref: str | None
    cwd_state: CwdState
    last_word: str | None
    last_word_ts: datetime | None
    last_word_ref: str | None
    is_pending: bool
    is_running: bool | None
    version_basis: str
    plan: ResumePlan
    continue_pick: ContinuePick | None
    copies: tuple[str, ...]
    refusals: tuple[Met, ...]


def newest_version(case: Case) -> str | None:
    """The newest version of the agent that the evidence records, or None."""
    texts = case.sql(_VERSIONS).column(0).to_pylist()
    known = [(number, text) for text in texts if (number := parse_version(text)) is not None]
    return max(known)[1] if known else None


def read_dossiers(case: Case, matches: Sequence[Match], question: Question) -> tuple[SessionDossier, ...]:
    """The dossier of each transcript, in the order given."""
    references = References(case)
    version = question.version or newest_version(case)
    basis = "given" if question.version else "newest_in_evidence" if version else "unknown"
    return tuple(
        _read(case, match, question, references=references, version=version, version_basis=basis)
        for match in matches
    )


def _read(
    case: Case,
    match: Match,
    question: Question,
    *,
    references: References,
    version: str | None,
    version_basis: str,
) -> SessionDossier:
    place = {"file_id": match.file_id, "generation": match.generation}
    row = case.sql(_SESSION, place).to_pylist()[0]
    values = {**row, "limit": LIMIT}
    beside = case.sql(_BESIDE, values).to_pylist()
    looks = _Looks(case, row["label"], question)
    standing = _standing(case, row, looks, question)
    same_id = [_candidate(each) for each in beside if each["session_id"] == row["session_id"]]
    plan = plan_resume(standing, same_id, version=version, asked_in=question.asked_in, shell=question.shell)
    return SessionDossier(
        **{name: row[name] for name in _AS_THEY_ARE},
        recorded_session_ids=tuple(case.sql(_RECORDED, place).column(0).to_pylist()),
        ref=references.file(match.file_id),
        identity=read_identity(case, references, **place),
        n_requests=row["n_human"],
        resume_ref=references.maybe(row["resume_ref"]),
        last_recorded_ref=references.maybe(row["last_recorded_ref"]),
        cwd_state=standing.cwd_state,
        last_word_ref=references.maybe(row["last_word_ref"]),
        is_pending=bool(row["is_pending"]),
        is_running=standing.is_running,
        version_basis=version_basis,
        plan=plan,
        continue_pick=_pick(case, row, beside, looks, version),
        copies=tuple(references.file(each["file_id"]) for each in case.sql(_COPIES, values).to_pylist()),
        refusals=read_refusals(case, references, session_id=row["session_id"], deep=question.deep),
    )


_AS_THEY_ARE = (
    *("session_id", "label", "home", "project_key", "path"),
    *("is_listed_by_sdk", "has_messages", "is_title_only", "stub_reason", "n_assistant"),
    *("first_ts", "last_ts", "first_version", "last_version"),
    *("resume_cwd", "resume_basis", "last_recorded_cwd", "last_word", "last_word_ts"),
)


class _Looks:
    """Whether directories are there: as they are now, if that may be looked at, else as a probe saw them."""

    def __init__(self, case: Case, label: str, question: Question) -> None:
        rows = case.sql(_PATHS, {"label": label}).to_pylist()
        self._probed = {row["path"]: bool(row["is_there"]) for row in rows}
        self._look = question.look

    def __call__(self, cwd: str) -> bool | None:
        if self._look is not None:
            return self._look(cwd)
        return self._probed.get(cwd)

    def state(self, cwd: str | None) -> CwdState:
        """The state of a directory in a word."""
        seen = None if cwd is None else self(cwd)
        return "not_looked" if seen is None else "there" if seen else "gone"


def _standing(case: Case, row: Mapping[str, Any], looks: _Looks, question: Question) -> Standing:
    running = case.sql(_RUNNING, row).to_pylist()[0]
    folder = _home_folder(case, row, question)
    default = question.default_home or Path.home() / ".claude"
    root = question.roots.get(row["label"])
    is_default = folder == default if folder is not None else row["home"] in (".", ".claude")
    # A file that lies under no home is reached by its path alone.
    is_default = is_default or row["project_key"] is None
    return Standing(
        session_id=row["session_id"] or "",
        path=row["path"],
        project_key=row["project_key"],
        resume_cwd=row["resume_cwd"],
        resume_basis=row["resume_basis"],
        how=row["how"],
        n_user=row["n_user"],
        n_assistant=row["n_assistant"],
        stub_reason=row["stub_reason"],
        is_title_only=row["is_title_only"],
        waits_on=row["last_word"] if row["is_pending"] else None,
        has_open_call=row["last_word"] == "tool_call",
        is_running=bool(running["is_running"]) if running["has_looked"] else None,
        cwd_state=looks.state(row["resume_cwd"]),
        config_dir=None if is_default or folder is None else str(folder),
        is_home_unknown=not is_default and folder is None,
        file_path=None if root is None else str(root / row["path"]),
    )


def _home_folder(case: Case, row: Mapping[str, Any], question: Question) -> Path | None:
    """Where the session's home lies: below a root that is given, else where a probe saw its `projects`."""
    root = question.roots.get(row["label"])
    if root is not None:
        return root if row["home"] == "." else root / row["home"]
    probed = [Path(value).parent for value in case.sql(_HOST, row).column(0).to_pylist() if value]
    fitting = [folder for folder in probed if row["home"] == "." or f"/{folder}".endswith(f"/{row['home']}")]
    return fitting[0] if len(fitting) == 1 else None


def _candidate(row: Mapping[str, Any]) -> Candidate:
    return Candidate(row["path"], row["session_id"], row["project_key"], row["head_cwd"], row["newness"])


def _pick(
    case: Case,
    row: Mapping[str, Any],
    beside: Sequence[Mapping[str, Any]],
    looks: _Looks,
    version: str | None,
) -> ContinuePick | None:
    if row["project_key"] is None or row["resume_cwd"] is None:
        return None
    outcome = predict_continue(
        [_candidate(each) for each in beside],
        ask_in(row["resume_cwd"], version=version),
        folders=case.sql(_KEYS, row).column(0).to_pylist(),
        exists=looks,
    )
    taken = next((each for each in beside if each["path"] == outcome.path), None)
    return ContinuePick(
        outcome=outcome,
        session_id=taken["session_id"] if taken else None,
        title=taken["title"] if taken else None,
        head_cwd=taken["head_cwd"] if taken else None,
        is_this=outcome.path == row["path"],
        newest_by=_newest_by(case, row, beside, taken or row),
    )


def _newest_by(
    case: Case, row: Mapping[str, Any], beside: Sequence[Mapping[str, Any]], taken: Mapping[str, Any]
) -> NewestBy:
    """The kind of times by which one of the files under a key came out as the newest."""
    rivals = {each["path"] for each in beside if each["project_key"] == taken["project_key"]}
    seen = [each for each in case.sql(_BELIEVED, row).to_pylist() if each["path"] in rivals]
    if not all(each["has_mtime"] for each in seen):
        return "recorded"
    # A file that has no rival is the newest whatever its time.
    is_suspect = len(seen) > 1 and any(each["is_suspect"] for each in seen)
    return "suspect_mtime" if is_suspect else "mtime"
