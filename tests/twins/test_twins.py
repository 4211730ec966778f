"""What SQL decides, decided once more by a naive reading of the files, on worlds and on real transcripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forensics.case import Case, open_case
from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.world import PLANTS, WorldSpec, build_world
from tests.twins import naive
from tests.twins.naive import Transcript

# What strict JSON cannot read whole, or reads otherwise than the agent, is the business of other tests.
_PLANTS = {name: 2 for name in PLANTS if not name.startswith("damage_")}
Twin = tuple[Case, list[Transcript]]


@pytest.fixture(scope="module", params=range(3))
def twin(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    folder = tmp_path_factory.mktemp("twin")
    homes = ("laptop/.claude", "desk/.claude")
    spec = WorldSpec(seed=100 + request.param, homes=homes, turns=(1, 3), output_lines=3, plants=_PLANTS)
    build_world(spec).lay_out(folder / "root")
    yield from read_both(folder / "root", folder / "case")


def read_both(root: Path, case: Path) -> Iterator[Twin]:
    convert([f"home={root}"], case, options=ConvertOptions(workers=1))
    with open_case(case) as opened:
        yield opened, naive.read(root)


def rows(case: Case, finding: str) -> list[dict[str, Any]]:
    return list(case.findings([finding])[0].rows.to_pylist())


def table(case: Case, query: str) -> set[tuple[Any, ...]]:
    return {tuple(row.values()) for row in case.sql(query).to_pylist()}


def same_runs(case: Case, transcripts: list[Transcript]) -> None:
    found = table(
        case,
        "select s.path, r.run_no, r.cwd, r.n_lines, r.first_line_no from cwd_runs as r"
        " inner join sessions as s using (file_id, generation)"
        " where r.chain = 'main' and s.project_key is not null",
    )
    expected = {
        (one.path, number, *run) for one in transcripts for number, run in enumerate(naive.runs(one), 1)
    }
    assert found == expected


def same_collisions(case: Case, transcripts: list[Transcript]) -> None:
    found = {
        (r["home"], r["project_key"], tuple(sorted(r["directories"])))
        for r in rows(case, "encoding_collision")
        if all(map(naive.is_plain, r["directories"]))
    }
    assert found == naive.collisions(transcripts)


def same_worktree_keys(case: Case, transcripts: list[Transcript]) -> None:
    found = table(
        case,
        "select k.home, k.project_key, k.worktree, k.n_sessions from worktree_keys as k"
        " inner join worktree_witnesses as w using (label, worktree)"
        " where w.witness = 'pattern' and k.n_sessions > 0",
    )
    plain = {row for row in found if naive.is_plain(row[2])}
    assert plain == naive.worktree_keys(transcripts)


def same_copies(case: Case, transcripts: list[Transcript]) -> None:
    found = table(
        case,
        "select c.relation, a.path, b.path as other from session_copies as c"
        " inner join transcripts as a on c.file_id = a.file_id"
        " inner join transcripts as b on c.other_file_id = b.file_id"
        " where a.home = b.home and c.relation <> 'unrelated'"
        " and a.project_key is not null and b.project_key is not null",
    )
    assert found == naive.copies(transcripts)


def same_forks(case: Case, transcripts: list[Transcript]) -> None:
    found = {
        (r["path"], r["other_path"], r["n_common"])
        for r in rows(case, "duplicate_session")
        if r["relation"] == "fork"
    }
    assert found == naive.forks(transcripts)


def same_tails(case: Case, transcripts: list[Transcript]) -> None:
    known = {one.path for one in transcripts}
    found = {
        (r["path"], r["n_compactions"], r["n_lines_after"])
        for r in rows(case, "uncovered_tail")
        if r["path"] in known
    }
    assert found == naive.tails(transcripts)


SAME = [same_runs, same_collisions, same_worktree_keys, same_copies, same_forks, same_tails]


@pytest.mark.parametrize("same", SAME, ids=lambda same: same.__name__)
def test_a_naive_reading_of_a_world_gives_the_same(
    twin: Twin, same: Callable[[Case, list[Transcript]], None]
) -> None:
    same(*twin)


def test_the_naive_reading_has_something_to_say(twin: Twin) -> None:
    _, transcripts = twin
    assert len(transcripts) > 50
    assert naive.collisions(transcripts)
    assert naive.worktree_keys(transcripts)
    assert {relation for relation, *_ in naive.copies(transcripts)} == {"equal", "stub", "prefix", "diverged"}
    assert naive.forks(transcripts)
    assert naive.tails(transcripts)


@pytest.mark.corpus
@pytest.mark.parametrize("place", ["public/lushanoperera__claude-code", "cli/2.1.332", "cli/2.0.77"])
def test_a_naive_reading_of_real_transcripts_gives_the_same(
    shared_corpora: Path, tmp_path: Path, place: str
) -> None:
    for case, transcripts in read_both(shared_corpora / place, tmp_path / "case"):
        assert transcripts
        for same in SAME:
            same(case, transcripts)
