"""Many files of one history: each is held against one other, not against all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forensics.case import Case, open_case
from forensics.ingest.convert import ConvertOptions, convert

CROWD = 31
"""The first number of files that is a crowd."""


def session_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def write(root: Path, key: str, session: str, uuids: list[str]) -> None:
    file = root / "projects" / key / f"{session}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    record = {"type": "user", "sessionId": session, "cwd": "/srv/shop", "message": {"content": "hello"}}
    file.write_text("".join(json.dumps(record | {"uuid": uuid}) + "\n" for uuid in uuids))


def take(root: Path, case: Path) -> Case:
    convert([f"x={root}"], case, options=ConvertOptions(workers=1))
    return open_case(case)


def rows(case: Case) -> list[tuple[str, str, str]]:
    """Relation and keys of each pair that is told."""
    found = case.findings(["duplicate_session"])[0].rows.to_pylist()
    return [(row["relation"], row["path"].split("/")[1], row["other_path"].split("/")[1]) for row in found]


@pytest.mark.parametrize(("n", "n_pairs"), [(CROWD - 1, (CROWD - 1) * (CROWD - 2) // 2), (CROWD, CROWD - 1)])
def test_of_a_crowd_of_copies_each_is_held_against_the_longest(tmp_path: Path, n: int, n_pairs: int) -> None:
    for number in range(n):
        longer = ["u3", "u4"] if number == 7 else [f"own{number}"] if number % 2 else []
        write(tmp_path / "root", f"-srv-k{number:02d}", session_id(1), ["u1", "u2", *longer])
    with take(tmp_path / "root", tmp_path / "case") as case:
        found = rows(case)
    assert len(found) == n_pairs
    of_longest = [pair for pair in found if "-srv-k07" in pair]
    assert len(of_longest) == n - 1
    expected = {
        ("diverged" if number % 2 else "prefix", f"-srv-k{number:02d}") for number in range(n) if number != 7
    }
    assert {
        (relation, next(key for key in keys if key != "-srv-k07")) for relation, *keys in of_longest
    } == expected


@pytest.mark.parametrize(("n", "n_pairs"), [(CROWD - 1, (CROWD - 1) * (CROWD - 2) // 2), (CROWD, CROWD - 1)])
def test_of_a_crowd_of_forks_the_first_is_held_against_the_others(
    tmp_path: Path, n: int, n_pairs: int
) -> None:
    for number in range(n):
        write(tmp_path / "root", f"-srv-k{number:02d}", session_id(number), ["u1", "u2", f"own{number}"])
    with take(tmp_path / "root", tmp_path / "case") as case:
        found = rows(case)
    assert len(found) == n_pairs
    assert {relation for relation, *_ in found} == {"fork"}
    assert {other for _, one, other in found if one == "-srv-k00"} == {
        f"-srv-k{number:02d}" for number in range(1, n)
    }


def test_each_source_has_its_own_longest_and_each_home_its_own_first(tmp_path: Path) -> None:
    for place, n_more in (("a/root", 1), ("b/root", 5)):
        for number in range(CROWD):
            more = [f"more{i}" for i in range(n_more)] if number == 4 else []
            write(tmp_path / place, f"-srv-k{number:02d}", session_id(1), ["u1", *more])
    for home in ("c/root/one", "c/root/two"):
        for number in range(CROWD):
            write(tmp_path / home, f"-srv-k{number:02d}", session_id(100 + number), ["v1", f"own{number}"])
    roots = [f"{name}={tmp_path / name / 'root'}" for name in "abc"]
    convert(roots, tmp_path / "case", options=ConvertOptions(workers=1))
    with open_case(tmp_path / "case") as case:
        pairs = (
            "select label, count(*) as n from same_session_pairs where label <> 'c' group by all order by all"
        )
        assert case.sql(pairs).to_pylist() == [{"label": name, "n": CROWD - 1} for name in "ab"]
        forks = (
            "select f.home, count(*) as n from session_forks as s"
            " inner join files as f using (file_id, generation) group by all order by all"
        )
        assert case.sql(forks).to_pylist() == [{"home": home, "n": CROWD - 1} for home in ("one", "two")]


def test_copies_of_one_session_are_no_forks_of_it(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / "root", f"-srv-k{number:02d}", session_id(1), ["u1", "u2"])
    with take(tmp_path / "root", tmp_path / "case") as case:
        assert case.sql("select count(*) as n from shared_records").to_pylist() == [{"n": 0}]
        assert case.sql("select count(*) as n from session_forks").to_pylist() == [{"n": 0}]
