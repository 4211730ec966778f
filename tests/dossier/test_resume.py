"""Whether and how a session can be taken up again: one reason each, and the command."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.dossier.resume import ResumePlan, Standing, plan_resume
from forensics.dossier.scope import Candidate
from forensics.dossier.shellquote import Shell

ID = "5e551111-0000-4000-8000-000000000001"
PATH = f"projects/-srv-shop/{ID}.jsonl"
OLD, NEWEST = "2.1.112", "2.1.332"

PLAIN = Standing(
    session_id=ID,
    path=PATH,
    project_key="-srv-shop",
    resume_cwd="/srv/shop",
    resume_basis="folder_matching_cwd",
    how="exact",
    n_user=3,
    n_assistant=3,
    stub_reason=None,
    is_title_only=False,
    waits_on=None,
    has_open_call=False,
    is_running=False,
    cwd_state="there",
)
OWN = Candidate(PATH, ID, "-srv-shop", "/srv/shop")
OTHER = Candidate(f"projects/-srv-mill/{ID}.jsonl", ID, "-srv-mill", "/srv/mill")


def plan(
    *files: Candidate,
    version: str | None = NEWEST,
    asked_in: str = "/srv/shop",
    shell: Shell | None = None,
    **changes: Any,
) -> ResumePlan:
    return plan_resume(
        replace(PLAIN, **changes), files or (OWN,), version=version, asked_in=asked_in, shell=shell
    )


def codes(planned: ResumePlan, weight: str) -> list[str]:
    return [reason.code for reason in planned.reasons if reason.weight == weight]


def test_a_session_with_nothing_against_it_has_a_command_and_no_reason() -> None:
    planned = plan()
    assert planned.is_possible
    assert planned.reasons == ()
    assert planned.command == f"cd /srv/shop && claude --resume {ID}"
    assert planned.command_here == f"claude --resume {ID}"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"n_user": 0, "n_assistant": 0, "is_title_only": True, "stub_reason": "title_only"}, "title_only"),
        ({"n_user": 0, "n_assistant": 0, "stub_reason": "queue_only"}, "stub"),
        ({"n_user": 0, "n_assistant": 0, "stub_reason": "empty"}, "stub"),
        ({"is_running": True}, "in_background"),
        ({"project_key": None}, "outside_projects"),
    ],
)
def test_each_thing_that_stands_against_it_is_said_once_and_there_is_no_command(
    changes: dict[str, Any], code: str
) -> None:
    files = () if changes.get("n_user") == 0 else (OWN,)
    planned = plan_resume(replace(PLAIN, **changes), files, version=NEWEST, asked_in="/srv/shop")
    assert codes(planned, "blocks") == [code]
    assert not planned.is_possible
    assert (planned.command, planned.command_here) == (None, None)


@pytest.mark.parametrize(
    ("version", "blocked"), [("2.1.186", ["no_model_turn"]), ("2.1.187", []), (None, [])]
)
def test_a_session_without_an_answer_is_taken_up_from_a_version_on(
    version: str | None, blocked: list[str]
) -> None:
    assert codes(plan(version=version, n_assistant=0), "blocks") == blocked


def test_from_elsewhere_an_old_version_needs_the_whole_line_and_a_new_one_does_not() -> None:
    old, new = plan(version=OLD, asked_in="/srv/mill"), plan(version=NEWEST, asked_in="/srv/mill")
    assert codes(old, "warns") == ["out_of_scope_from_here"]
    assert (old.command, old.command_here) == (f"cd /srv/shop && claude --resume {ID}", None)
    assert codes(new, "warns") == []
    assert new.command_here == f"claude --resume {ID}"


def test_between_versions_that_differ_nothing_is_promised() -> None:
    planned = plan(version="2.1.200", asked_in="/srv/mill")
    assert codes(planned, "warns") == ["unknown_from_here"]
    assert planned.command_here is None
    assert planned.command is not None


def test_beyond_the_versions_tried_it_is_called_a_guess() -> None:
    assert "beyond_observed" in codes(plan(version="3.0.0"), "warns")


def test_an_id_under_two_keys_is_still_taken_in_its_own_directory() -> None:
    planned = plan(OWN, OTHER, asked_in="/srv/bakery")
    assert codes(planned, "warns") == ["ambiguous_from_here", "several_files"]
    assert planned.command == f"cd /srv/shop && claude --resume {ID}"
    assert planned.command_here is None


def test_a_misplaced_file_of_an_ambiguous_id_is_reached_by_its_path_only() -> None:
    stray = Candidate(f"projects/-srv-bakery/{ID}.jsonl", ID, "-srv-bakery", "/srv/shop")
    planned = plan(
        stray,
        OTHER,
        asked_in="/srv/home",
        project_key="-srv-bakery",
        path=stray.path,
        resume_basis="last_recorded_cwd",
        file_path=f"/home/kit/.claude/{stray.path}",
    )
    assert codes(planned, "blocks") == ["ambiguous_id"]
    assert planned.command is None
    assert planned.command_by_path == f"cd /srv/shop && claude --resume /home/kit/.claude/{stray.path}"


def test_where_its_directory_belongs_to_another_file_of_the_id_that_one_is_named() -> None:
    stray = Candidate(f"projects/-srv-bakery/{ID}.jsonl", ID, "-srv-bakery", "/srv/shop")
    planned = plan(stray, OWN, project_key="-srv-bakery", path=stray.path, resume_basis="last_recorded_cwd")
    assert codes(planned, "blocks") == ["other_file"]
    assert PATH in planned.reasons[0].text


def test_a_misplaced_file_is_out_of_the_scope_of_an_old_version_and_found_by_a_new_one() -> None:
    stray = Candidate(f"projects/-srv-bakery/{ID}.jsonl", ID, "-srv-bakery", "/srv/shop")
    changes: dict[str, Any] = {
        "project_key": "-srv-bakery",
        "path": stray.path,
        "resume_basis": "last_recorded_cwd",
    }
    assert codes(plan(stray, version=OLD, **changes), "blocks") == ["out_of_scope"]
    assert codes(plan(stray, version=NEWEST, **changes), "warns") == ["key_unexplained"]


def test_a_session_without_a_directory_is_found_by_a_version_that_looks_everywhere() -> None:
    changes: dict[str, Any] = {
        "resume_cwd": None,
        "resume_basis": None,
        "how": None,
        "cwd_state": "not_looked",
    }
    assert codes(plan(version=OLD, asked_in="/srv/mill", **changes), "blocks") == ["no_cwd"]
    planned = plan(asked_in="/srv/mill", **changes)
    assert planned.command == planned.command_here == f"claude --resume {ID}"


def test_a_directory_that_is_gone_is_made_again_and_its_files_are_not_promised() -> None:
    planned = plan(cwd_state="gone")
    assert planned.command == f"mkdir -p /srv/shop && cd /srv/shop && claude --resume {ID}"
    assert codes(planned, "warns") == ["directory_gone"]
    assert "the conversation comes back, the edited files do not" in planned.reasons[0].text


def test_another_home_stands_in_the_command_or_is_asked_for() -> None:
    planned = plan(config_dir="/home/kit/work")
    assert planned.command == f"cd /srv/shop && CLAUDE_CONFIG_DIR=/home/kit/work claude --resume {ID}"
    assert codes(plan(is_home_unknown=True), "warns") == ["home_unknown"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"waits_on": "request"}, "pending_turn"),
        ({"waits_on": "tool_result"}, "pending_turn"),
        ({"has_open_call": True}, "open_call"),
        ({"is_running": None}, "registry_not_looked"),
        ({"cwd_state": "not_looked"}, "directory_not_looked"),
    ],
)
def test_what_to_know_before_does_not_keep_it_from_being_taken_up(changes: dict[str, Any], code: str) -> None:
    planned = plan(**changes)
    assert codes(planned, "warns") == [code]
    assert planned.is_possible
    assert planned.command is not None


def test_a_shell_that_cannot_say_the_path_gives_no_command_and_says_so() -> None:
    planned = plan(resume_cwd="D:\\100%", project_key="D--100-", shell=Shell.cmd)
    assert planned.command is None
    assert "shell_refuses" in codes(planned, "warns")


STANDINGS = st.builds(
    replace,
    st.just(PLAIN),
    n_user=st.integers(0, 2),
    n_assistant=st.integers(0, 2),
    is_running=st.sampled_from([True, False, None]),
    project_key=st.sampled_from(["-srv-shop", "-srv-mill", None]),
    resume_cwd=st.sampled_from(["/srv/shop", "/srv/my shop", None]),
    cwd_state=st.sampled_from(["there", "gone", "not_looked"]),
    waits_on=st.sampled_from(["request", "tool_result", None]),
    is_home_unknown=st.booleans(),
)


@given(STANDINGS, st.sampled_from([OLD, "2.1.200", NEWEST, None]), st.sampled_from(["/srv/shop", "/srv/x"]))
def test_there_is_a_command_just_where_nothing_stands_against_it(
    standing: Standing, version: str | None, asked_in: str
) -> None:
    files = [OWN] if standing.n_user + standing.n_assistant and standing.project_key == "-srv-shop" else []
    planned = plan_resume(standing, files, version=version, asked_in=asked_in)
    assert (planned.command is not None) == planned.is_possible
    assert len({reason.code for reason in planned.reasons}) == len(planned.reasons)
    assert all(reason.text for reason in planned.reasons)
    if planned.command is not None:
        assert ID in planned.command
        assert (planned.command.startswith("mkdir -p ")) == (
            standing.cwd_state == "gone" and standing.resume_cwd is not None
        )


@pytest.mark.parametrize(
    "name",
    ["--dangerously-skip-permissions", "-c", "a title of words", f"{ID}\n--dangerously-skip-permissions"],
)
def test_what_has_not_the_shape_of_an_id_is_in_no_command(name: str) -> None:
    path = f"projects/-srv-shop/{name}.jsonl"
    found = plan_resume(
        replace(PLAIN, session_id=name, path=path, file_path=f"/srv/home/{path}"),
        [Candidate(path, name, "-srv-shop", "/srv/shop")],
        version=NEWEST,
        asked_in="/srv/shop",
    )
    assert (found.command, found.command_here, found.command_by_path) == (None, None, None)
    assert [reason.code for reason in found.reasons if reason.weight == "blocks"] == ["not_an_id"]
