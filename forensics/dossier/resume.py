"""Whether a session can be taken up again, where, by which command, and what to know before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from forensics.dossier.lookups import load_facts
from forensics.dossier.scope import Candidate, Outcome, ask_in, predict_resume
from forensics.dossier.shellquote import ResumeCommand, Shell, default_shell, is_session_id, write_command
from forensics.errors import UsageError

CwdState = Literal["there", "gone", "not_looked"]
Weight = Literal["blocks", "warns"]


_PAST_BY_PATH = frozenset(
    {"outside_projects", "other_name", "other_file", "ambiguous_id", "out_of_scope", "no_cwd", "no_id"}
)


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing to know: `blocks` keeps the session from being taken up, `warns` does not."""

    code: str
    weight: Weight
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What the evidence says of a session that bears on taking it up."""

    session_id: str
    path: str
    project_key: str | None
    resume_cwd: str | None
    resume_basis: str | None
    how: str | None
    n_user: int
    n_assistant: int
    stub_reason: str | None
    is_title_only: bool
    waits_on: str | None
    has_open_call: bool
    is_running: bool | None
    cwd_state: CwdState
    config_dir: str | None = None
    is_home_unknown: bool = False
    file_path: str | None = None


@dataclass(frozen=True, slots=True)
class ResumePlan:
    """How to take a session up again, by the lookups of one version of the command line.

    `from_here` is what `--resume ID` does in the asking directory, `from_there` in the session's own.
    `command` is null where nothing can be taken up or the shell cannot say it; `command_by_path` is the way
    past a lookup that does not find the file, where the file's place is known.
    """

    version: str | None
    asked_in: str
    shell: Shell
    from_here: Outcome | None
    from_there: Outcome | None
    command: str | None
    command_here: str | None
    command_by_path: str | None
    reasons: tuple[Reason, ...]

    @property
    def is_possible(self) -> bool:
        """Whether nothing stands against it."""
        return all(reason.weight != "blocks" for reason in self.reasons)

    @property
    def is_past_by_path(self) -> bool:
        """Whether naming the file gets past all that stands against it."""
        return {reason.code for reason in self.reasons if reason.weight == "blocks"} <= _PAST_BY_PATH


def plan_resume(
    standing: Standing,
    files: Sequence[Candidate],
    *,
    version: str | None,
    asked_in: str,
    shell: Shell | None = None,
) -> ResumePlan:
    """The plan; `files` are those of the session's home that have its id and hold messages."""
    shell = shell or default_shell(standing.resume_cwd)
    here = predict_resume(files, ask_in(asked_in, version=version)) if standing.project_key else None
    there = None
    if standing.resume_cwd is not None and standing.project_key:
        there = predict_resume(files, ask_in(standing.resume_cwd, version=version))
    reasons = [*_blocks(standing, here, there, version)]
    command = command_here = by_path = None
    blocking = {reason.code for reason in reasons if reason.weight == "blocks"}
    if blocking <= _PAST_BY_PATH:
        reasons += _warnings(standing, files, here, there, is_blocked=bool(blocking))
    if blocking and blocking <= _PAST_BY_PATH and standing.file_path is not None:
        by_path = _write(standing, shell, enter=standing.resume_cwd is not None, word=standing.file_path)[0]
    if not blocking:
        takes_here = here is not None and _takes(here, standing)
        command, refused = _write(standing, shell, enter=standing.resume_cwd is not None)
        command_here = _write(standing, shell, enter=False)[0] if takes_here else None
        reasons += refused
    return ResumePlan(version, asked_in, shell, here, there, command, command_here, by_path, tuple(reasons))


def _takes(outcome: Outcome, standing: Standing) -> bool:
    return outcome.verdict == "found" and outcome.path == standing.path


def _write(
    standing: Standing, shell: Shell, *, enter: bool, word: str | None = None
) -> tuple[str | None, list[Reason]]:
    command = ResumeCommand(
        session=word or standing.session_id,
        cwd=standing.resume_cwd if enter else None,
        make_directory=standing.cwd_state == "gone",
        config_dir=standing.config_dir,
    )
    try:
        return write_command(command, shell), []
    except UsageError as error:
        return None, [Reason("shell_refuses", "warns", f"{error.message}; {error.hint}")]


def _blocks(
    standing: Standing, here: Outcome | None, there: Outcome | None, version: str | None
) -> Iterator[Reason]:
    if standing.is_title_only:
        yield Reason("title_only", "blocks", "it has a title and no message: there is nothing to take up")
    elif standing.n_user + standing.n_assistant == 0:
        why = {"empty": "the file is empty", "corrupt": "nothing in the file can be read"}
        said = why.get(standing.stub_reason or "", "the file holds no message")
        yield Reason("stub", "blocks", f"{said}: there is nothing to take up")
    elif standing.n_assistant == 0 and load_facts().takes_user_only(version) is False:
        since = load_facts().user_only_from
        yield Reason(
            "no_model_turn",
            "blocks",
            f"the model never answered in it, and before {since} such a session cannot be resumed"
            f" ({load_facts().user_only_source})",
        )
    if standing.is_running:
        yield Reason(
            "in_background",
            "blocks",
            "it is running, says the registry of live sessions: a second process would write into the same"
            " file; go to the one that runs",
        )
    if not standing.session_id:
        yield Reason("no_id", "blocks", "it has no id, and lookups go by ids; name the file instead")
    elif not is_session_id(standing.session_id):
        yield Reason(
            "not_an_id",
            "blocks",
            "its id has not the shape of a session id (a UUID): --resume would take it for a title, or"
            " even for an option",
        )
    if standing.project_key is None:
        yield Reason(
            "outside_projects",
            "blocks",
            "the file lies under no projects/ folder, and lookups go nowhere else; name the file instead:"
            " claude --resume PATH.jsonl",
        )
    elif not standing.path.endswith(f"{standing.session_id}.jsonl"):
        yield Reason(
            "other_name",
            "blocks",
            "the file is not named after its session id, and lookups go by names; name the file instead:"
            " claude --resume PATH.jsonl",
        )
    elif not any(outcome is not None and _takes(outcome, standing) for outcome in (here, there)):
        yield from _not_found(standing, there or here)


def _not_found(standing: Standing, outcome: Outcome | None) -> Iterator[Reason]:
    if standing.n_user + standing.n_assistant == 0 or outcome is None:
        return
    if standing.resume_cwd is None and outcome.verdict == "not_found":
        yield Reason(
            "no_cwd",
            "blocks",
            "no line records a directory, and this version only looks in the folder of the one it is run in",
        )
    elif outcome.verdict == "unknown":
        yield Reason(
            "scope_unknown",
            "warns",
            "it is not known what this version does here: the versions tried on either side differ",
        )
    elif outcome.verdict == "found":
        yield Reason(
            "other_file",
            "blocks",
            f"another file of the same id would be taken: {outcome.path}; name the file instead",
        )
    elif outcome.why == "several_elsewhere":
        yield Reason(
            "ambiguous_id",
            "blocks",
            "several folders hold this id and none of them is that of its directory; name the file instead",
        )
    else:
        yield Reason(
            "out_of_scope",
            "blocks",
            "this version gives its directory another folder than the one it lies in, and looks nowhere else;"
            " run a newer version, or name the file instead",
        )


def _warnings(
    standing: Standing,
    files: Sequence[Candidate],
    here: Outcome | None,
    there: Outcome | None,
    *,
    is_blocked: bool,
) -> Iterator[Reason]:
    if here is not None and not _takes(here, standing) and not is_blocked:
        yield from _from_here(here)
    if standing.cwd_state == "gone":
        yield Reason(
            "directory_gone",
            "warns",
            "its directory is gone: made again, the conversation comes back, the edited files do not",
        )
    elif standing.cwd_state == "not_looked" and standing.resume_cwd is not None:
        yield Reason(
            "directory_not_looked",
            "warns",
            "nobody looked whether its directory is still there; if cd fails, make it again with mkdir -p"
            " (the conversation comes back, the edited files do not)",
        )
    if standing.resume_basis == "last_recorded_cwd" and standing.project_key is not None:
        yield Reason(
            "key_unexplained",
            "warns",
            "none of its directories gives the key it lies under; the last recorded one is shown",
        )
    if standing.waits_on is not None:
        said = {"request": "the last request", "tool_result": "a tool's result"}[standing.waits_on]
        yield Reason(
            "pending_turn", "warns", f"{said} was never answered: once taken up it starts to work at once"
        )
    elif standing.has_open_call:
        yield Reason("open_call", "warns", "it ended while a tool was being called: the result is missing")
    if len({file.project_key for file in files}) > 1:
        yield Reason(
            "several_files",
            "warns",
            f"{len(files)} files of this home have this id: each is only taken in its own directory",
        )
    if standing.is_running is None:
        yield Reason("registry_not_looked", "warns", "nobody looked whether it is running at this moment")
    if standing.is_home_unknown:
        yield Reason(
            "home_unknown",
            "warns",
            "it lies in another home than ~/.claude, and where that is this case does not say: set"
            " CLAUDE_CONFIG_DIR to it, or say --root LABEL=PATH",
        )
    if there is not None and there.basis == "beyond_observed":
        yield Reason("beyond_observed", "warns", "no version as old or as new as this one was tried: a guess")


def _from_here(here: Outcome) -> Iterator[Reason]:
    match here.verdict, here.why:
        case "not_found", "several_elsewhere":
            text = "from here its id is ambiguous: several folders hold it, and the lookup refuses"
            yield Reason("ambiguous_from_here", "warns", text)
        case "not_found", _:
            text = "from here it would not be found: No conversation found with session ID"
            yield Reason("out_of_scope_from_here", "warns", text)
        case "found", _:
            yield Reason("other_file_from_here", "warns", f"from here another file is taken: {here.path}")
        case _:
            text = "whether it would be found from here is not known for this version"
            yield Reason("unknown_from_here", "warns", text)
