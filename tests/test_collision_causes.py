"""The cause of a collision is read from neighbours, however many directories share a key."""

from __future__ import annotations

from pathlib import Path

from forensics.case import open_case
from tests.report.conftest import convert_home
from tests.report.homes import line, write_transcript

_SIGNS = ".,;=+~^%"


def test_each_directory_is_compared_with_the_next_and_the_first_two_give_the_cause(tmp_path: Path) -> None:
    for at, sign in enumerate(_SIGNS):
        session = f"0e000000-0000-4000-8000-0000000000{at:02d}"
        write_transcript(tmp_path / "home", "-srv-oar-x", session, [line(session, f"/srv/oar{sign}x", "Row")])
    with open_case(convert_home(tmp_path / "home", tmp_path / "case")) as case:
        causes = case.sql("select cwd, other_cwd from collision_causes order by cwd").to_pylist()
        (row,) = case.findings(["encoding_collision"])[0].rows.to_pylist()
    signs = [(each["cwd"][8], each["other_cwd"][8]) for each in causes]
    assert signs == [("%", "+"), ("+", ","), (",", "."), (".", ";"), (";", "="), ("=", "^"), ("^", "~")]
    assert (row["class"], row["differing"], len(row["directories"])) == ("other", "%+", 8)


def test_a_directory_that_was_only_visited_does_not_hide_the_pair_that_began(tmp_path: Path) -> None:
    for at, sign in enumerate("%."):
        session = f"0e000000-0000-4000-8000-0000000000{at:02d}"
        lines = [line(session, f"/srv/oar{sign}x", "Row"), line(session, "/srv/oar+x", "Look", minute=1)]
        write_transcript(tmp_path / "home", "-srv-oar-x", session, lines)
    with open_case(convert_home(tmp_path / "home", tmp_path / "case")) as case:
        causes = case.sql("select cwd, other_cwd from collision_causes").to_pylist()
        (row,) = case.findings(["encoding_collision"])[0].rows.to_pylist()
    pairs = {(each["cwd"][8], each["other_cwd"][8]) for each in causes}
    assert pairs == {("%", "+"), ("+", "."), ("%", ".")}
    assert (row["class"], row["differing"], len(row["directories"])) == ("dot", "%.", 2)
