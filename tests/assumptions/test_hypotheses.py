"""Each hypothesis with witnesses for it, against it, and such that decide nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forensics.assumptions import HYPOTHESES, Hypothesis, Tally, judge_keys, weigh_hypotheses
from forensics.assumptions.hypotheses import N_EXAMPLES, tally
from forensics.assumptions.witness import Witness, judge
from forensics.keys import encode
from tests.assumptions.evidence import open_home, put, said, session_id

NEWEST = "2.1.332"
LONG = "/srv/" + "x" * 210

Weigh = Callable[..., dict[str, Tally]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def weigh(home: Path, tmp_path: Path) -> Weigh:
    """Put records under keys as numbered sessions; answer with the tallies by hypothesis."""

    def put_and_weigh(*sessions: tuple[str, list[dict[str, Any]]]) -> dict[str, Tally]:
        for number, (key, records) in enumerate(sessions, start=1):
            put(home, key, number, *records)
        with open_home(home, tmp_path / "case") as case:
            return {each.hypothesis.id: each for each in weigh_hypotheses(case, judge_keys(case))}

    return put_and_weigh


def counts(each: Tally) -> tuple[int, int, int]:
    assert each.n_applicable == each.n_support + each.n_against + each.n_undecided
    return each.n_support, each.n_against, each.n_undecided


def walk(*cwds: str, version: str = NEWEST) -> list[dict[str, Any]]:
    return [said(cwd, version, minute=minute) for minute, cwd in enumerate(cwds)]


def relocated(cwd: str) -> dict[str, Any]:
    return {"type": "relocated", "relocatedCwd": cwd}


def taken_up(first: str, then: str, *, version: str, before: str = "2.1.100") -> list[dict[str, Any]]:
    """A session begun in one directory and taken up in another by another version."""
    return [
        said(first, before),
        said(first, before, kind="assistant", minute=1),
        said(then, version, minute=2),
    ]


def key_of(cwd: str, rule: str = "cli_e3") -> str:
    key = encode(cwd, rule)
    assert key is not None
    return key


def test_every_hypothesis_is_there_once_and_in_order(weigh: Weigh) -> None:
    weighed = weigh(("-srv-a", walk("/srv/a")))
    assert list(weighed) == [f"V-{number:02}" for number in range(1, 15)]
    assert {name for name, each in weighed.items() if each.n_applicable} == {"V-09", "V-12"}


def test_first_last_and_any_are_told_apart_by_sessions_that_wandered(weigh: Weigh) -> None:
    weighed = weigh(
        ("-srv-a", walk("/srv/a", "/srv/b")),
        ("-srv-b", walk("/srv/a", "/srv/b")),
        ("-srv-m", walk("/srv/a", "/srv/m", "/srv/b")),
        ("-srv-a", walk("/srv/a", "/srv/b", "/srv/a")),
        ("-srv-a", walk("/srv/a", "/srv/a")),
        ("-srv-z", walk("/srv/a", "/srv/b")),
    )
    assert counts(weighed["V-01"]) == (1, 2, 2)
    assert counts(weighed["V-02"]) == (3, 0, 2)
    assert counts(weighed["V-03"]) == (1, 2, 2)
    assert weighed["V-01"].undecided_because == {
        "it began and ended in the directory of the key": 1,
        "no directory gives the key": 1,
    }
    assert weighed["V-01"].support_refs == (f"home/projects/-srv-b/{session_id(2)}.jsonl",)
    assert weighed["V-01"].against_refs == (
        f"home/projects/-srv-a/{session_id(1)}.jsonl",
        f"home/projects/-srv-m/{session_id(3)}.jsonl",
    )


def test_a_relocation_is_followed_or_not(weigh: Weigh) -> None:
    weighed = weigh(
        ("-srv-w", [*walk("/srv/a"), relocated("/srv/w")]),
        ("-srv-a", [*walk("/srv/a"), relocated("/srv/w")]),
        ("-srv-w", [*walk("/srv/a"), relocated("/srv/v"), relocated("/srv/w")]),
        ("-srv-z", [*walk("/srv/a"), relocated("/srv/w")]),
    )
    assert counts(weighed["V-14"]) == (2, 1, 1)
    assert counts(weighed["V-03"]) == (2, 1, 0)
    assert counts(weighed["V-02"]) == (1, 2, 0)
    assert weighed["V-14"].against_refs == (f"home/projects/-srv-a/{session_id(2)}.jsonl",)


def test_another_spelling_decides_nothing(weigh: Weigh) -> None:
    weighed = weigh(("-private-tmp-a", walk("/tmp/a", "/tmp/b")))
    assert counts(weighed["V-01"]) == (0, 0, 1)
    assert weighed["V-01"].undecided_because == {"only another spelling gives the key": 1}


def test_a_session_found_from_elsewhere_speaks_for_wide_lookups(weigh: Weigh) -> None:
    weighed = weigh(
        ("-srv-a", taken_up("/srv/a", "/srv/b", version=NEWEST)),
        ("-srv-a", taken_up("/srv/a", "/srv/b", version="2.1.200")),
        ("-srv-a", taken_up("/srv/a", "/srv/a", version=NEWEST)),
    )
    assert counts(weighed["V-04"]) == (0, 2, 0)
    assert counts(weighed["V-05"]) == (0, 1, 0)
    assert counts(weighed["V-06"]) == (1, 0, 0)
    assert weighed["V-06"].support_refs == (f"home/projects/-srv-a/{session_id(1)}.jsonl#L3",)
    assert [(count.version, count.n_against) for count in weighed["V-04"].by_version] == [
        ("2.1.200", 1),
        (NEWEST, 1),
    ]


def test_a_worktree_of_the_repository_is_not_elsewhere(weigh: Weigh) -> None:
    worktree = "/srv/repo/.worktrees/fix"
    weighed = weigh(
        ("-srv-repo", taken_up("/srv/repo", worktree, version="2.1.200")),
        ("-srv-repo", taken_up("/srv/repo", f"{worktree}/lib", version=NEWEST)),
    )
    assert counts(weighed["V-04"]) == (0, 2, 0)
    assert counts(weighed["V-05"]) == (1, 0, 0)
    assert counts(weighed["V-06"]) == (0, 0, 1)
    assert weighed["V-06"].undecided_because == {"a worktree of the same repository": 1}


@pytest.mark.parametrize(
    "records",
    [
        [said("/srv/a", "2.1.100"), said("/srv/b", NEWEST, kind="assistant", minute=1)],
        [said("/srv/a", "2.1.100"), said(None, NEWEST, minute=1), said("/srv/b", NEWEST, minute=2)],
        [*taken_up("/srv/a", "/srv/b", version=NEWEST), relocated("/srv/a")],
    ],
    ids=["an answer comes first", "no directory comes first", "moved later"],
)
def test_where_a_version_began_may_be_unknown(weigh: Weigh, records: list[dict[str, Any]]) -> None:
    weighed = weigh(("-srv-a", records))
    assert (counts(weighed["V-04"]), counts(weighed["V-06"])) == ((0, 0, 1), (0, 0, 1))


def test_a_key_that_nothing_explains_says_nothing_about_lookups(weigh: Weigh) -> None:
    weighed = weigh(("-srv-z", taken_up("/srv/a", "/srv/b", version=NEWEST)))
    assert counts(weighed["V-06"]) == (0, 0, 1)


def test_the_other_directory_of_a_key_finds_the_session(weigh: Weigh) -> None:
    weighed = weigh(
        ("-srv-a-b", taken_up("/srv/a.b", "/srv/a-b", version="2.1.238")),
        ("-srv-a-b", taken_up("/srv/a.b", "/srv/a-b", version="2.1.239")),
        ("-srv-a-b", taken_up("/srv/a.b", "/srv/a.b", version="2.1.238")),
        ("-srv-a-b", walk("/srv/a.b", "/srv/a-b")),
    )
    assert counts(weighed["V-07"]) == (1, 1, 0)
    assert counts(weighed["V-04"]) == (0, 0, 0)
    assert weighed["V-07"].against_refs == (f"home/projects/-srv-a-b/{session_id(2)}.jsonl#L3",)


def test_a_long_key_of_another_project_with_the_same_beginning(weigh: Weigh) -> None:
    mine, other = f"{LONG}/mine", f"{LONG}/other"
    weighed = weigh(
        (key_of(mine), taken_up(mine, other, version="2.1.200", before="2.1.150")),
        (key_of(mine), taken_up(mine, other, version="2.1.224", before="2.1.150")),
    )
    assert counts(weighed["V-13"]) == (1, 1, 0)
    assert counts(weighed["V-04"]) == (0, 2, 0)


def test_a_session_without_an_answer_is_taken_up_or_not(weigh: Weigh) -> None:
    def left_alone(version: str) -> list[dict[str, Any]]:
        return [said("/srv/a", "2.1.100"), said("/srv/a", version, minute=1)]

    weighed = weigh(
        ("-srv-a", left_alone("2.1.187")),
        ("-srv-a", left_alone("2.1.186")),
        ("-srv-a", [said("/srv/a", NEWEST)]),
        ("-srv-a", taken_up("/srv/a", "/srv/a", version="2.1.187")),
    )
    assert counts(weighed["V-12"]) == (1, 1, 1)
    assert weighed["V-12"].undecided_because == {"no other version took it up": 1}


def test_the_hash_of_a_long_key_is_that_of_the_sdks_or_not(weigh: Weigh) -> None:
    cwd = f"{LONG}/mine"
    weighed = weigh(
        (key_of(cwd), walk(cwd)),
        (key_of(cwd, "cli_e2_bun"), walk(cwd, version="2.1.50")),
        (key_of(cwd, "cli_e1"), walk(cwd, version="1.0.51")),
        (key_of(cwd)[:200] + "-zzzzzz", walk(cwd)),
        ("-srv-short", walk("/srv/short")),
    )
    assert counts(weighed["V-08"]) == (1, 2, 1)
    assert [(c.version, c.n_support, c.n_against, c.n_undecided) for c in weighed["V-08"].by_version] == [
        ("1.0.51", 0, 1, 0),
        ("2.1.50", 0, 1, 0),
        (NEWEST, 1, 0, 1),
    ]


def test_an_underscore_is_replaced_or_kept(weigh: Weigh) -> None:
    weighed = weigh(
        ("-srv-a-b", walk("/srv/a_b")),
        ("-srv-c_d", walk("/srv/c_d")),
        ("-srv-e", walk("/srv/e")),
        ("-srv-z", walk("/srv/f_g")),
    )
    assert counts(weighed["V-11"]) == (1, 1, 0)
    assert weighed["V-11"].against_refs == (f"home/projects/-srv-c_d/{session_id(2)}.jsonl",)


def _set_times(home: Path, *seconds_later: int) -> None:
    # The last record of each session of `walk("/srv/a")` is of 2026-03-01 08:00 UTC.
    for number, later in enumerate(seconds_later, start=1):
        path = home / "projects" / "-srv-a" / f"{session_id(number)}.jsonl"
        os.utime(path, (1772352000 + later,) * 2)


def test_the_time_of_a_file_is_near_its_last_record_or_not(home: Path, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        put(home, "-srv-a", number, *walk("/srv/a"))
    _set_times(home, 300, 301, -301)
    with open_home(home, tmp_path / "case") as case:
        each = {each.hypothesis.id: each for each in weigh_hypotheses(case, [])}["V-09"]
    assert counts(each) == (1, 1, 1)
    assert each.undecided_because == {"the file is older than its last record": 1}
    assert each.against_refs == (f"home/projects/-srv-a/{session_id(2)}.jsonl",)


def test_the_times_of_a_copy_decide_nothing(home: Path, tmp_path: Path) -> None:
    put(home, "-srv-a", 1, said("/srv/a", NEWEST))
    put(home, "-srv-a", 2, said("/srv/a", NEWEST, minute=59))
    _set_times(home, 86_400, 86_401)
    with open_home(home, tmp_path / "case") as case:
        each = {each.hypothesis.id: each for each in weigh_hypotheses(case, [])}["V-09"]
    assert counts(each) == (0, 0, 2)
    assert each.undecided_because == {"the files' times are those of a copy": 2}


def test_one_file_alone_is_believed_only_when_its_time_fits(home: Path, tmp_path: Path) -> None:
    put(home, "-srv-a", 1, said("/srv/a", NEWEST))
    found = []
    for number, later in enumerate((0, 9_999)):
        _set_times(home, later)
        with open_home(home, tmp_path / f"case{number}") as case:
            found.append(counts({each.hypothesis.id: each for each in weigh_hypotheses(case, [])}["V-09"]))
    assert found == [(1, 0, 0), (0, 0, 1)]


def test_a_title_in_the_first_line_has_the_mark_of_the_option_or_not(weigh: Weigh) -> None:
    title = {"type": "custom-title", "customTitle": "Sails"}
    named = {"type": "agent-name", "agentName": "Sails"}
    weighed = weigh(
        ("-srv-a", [title, named, said("/srv/a", NEWEST)]),
        ("-srv-a", [title, said("/srv/a", NEWEST)]),
        ("-srv-a", [title, said("/srv/a", "2.1.112")]),
        ("-srv-a", [title]),
        ("-srv-a", [said("/srv/a", NEWEST), title]),
    )
    assert counts(weighed["V-10"]) == (1, 1, 1)
    assert weighed["V-10"].undecided_because == {"the version is not recorded": 1}
    assert weighed["V-10"].against_refs == (f"home/projects/-srv-a/{session_id(2)}.jsonl#L1",)


def _witness(version: str, holds: bool | None, ref: str = "home/a") -> Witness:
    return judge("X", version=version, ref=ref, holds=holds, why="it is dark")


def test_a_hypothesis_hears_only_versions_of_its_range() -> None:
    witnesses = [_witness(version, True) for version in ("2.1.9", "2.1.10", "2.1.99", "2.1.100", "", "nine")]
    heard = tally(Hypothesis("X", "It shines.", "lamps", first="2.1.10", last="2.1.99"), witnesses)
    assert counts(heard) == (2, 0, 2)
    assert heard.undecided_because == {"the version is not recorded": 2}
    assert [count.version for count in heard.by_version] == ["", "nine", "2.1.10", "2.1.99"]
    unbounded = tally(Hypothesis("X", "It shines.", "lamps"), witnesses)
    assert counts(unbounded) == (6, 0, 0)


def test_what_decides_nothing_is_never_support() -> None:
    heard = tally(Hypothesis("X", "It shines.", "lamps"), [_witness("2.1.9", None)] * 5)
    assert counts(heard) == (0, 0, 5)
    assert heard.interval is None
    assert heard.support_refs == ()


def test_the_interval_is_of_what_decides() -> None:
    said = [True, False, False, *[None] * 10]
    heard = tally(Hypothesis("X", "It shines.", "lamps"), [_witness("2.1.9", each) for each in said])
    assert heard.interval is not None
    assert (round(heard.interval.low, 3), round(heard.interval.high, 3)) == (0.061, 0.792)


def test_examples_are_few_sorted_and_each_once() -> None:
    refs = ["home/d", "home/b", "home/a", "home/c", "home/a"]
    heard = tally(Hypothesis("X", "It shines.", "lamps"), [_witness("2.1.9", True, ref) for ref in refs])
    assert heard.support_refs == ("home/a", "home/b", "home/c")
    assert len(heard.support_refs) == N_EXAMPLES


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ("", "", ""),
        ("2.1.9", "", "from 2.1.9"),
        ("", "2.1.9", "to 2.1.9"),
        ("1.0.0", "2.0.0", "from 1.0.0 to 2.0.0"),
    ],
)
def test_a_range_is_written_in_words(first: str, last: str, text: str) -> None:
    assert Hypothesis("X", "It shines.", "lamps", first=first, last=last).versions == text


def test_every_claim_is_a_sentence_and_says_who_could_witness_it() -> None:
    assert all(each.claim.endswith(".") and each.told_by for each in HYPOTHESES)
    assert len({each.claim for each in HYPOTHESES}) == len(HYPOTHESES)
