"""What a report says, before any format."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from forensics.case import Case, open_case
from forensics.errors import UsageError
from forensics.report import build_context, write_report
from forensics.report.context import to_value
from forensics.report.text import read_zone
from forensics.results import FindingResult
from forensics.spec import FindingSpec, load_findings
from tests.report.conftest import convert_home
from tests.report.homes import DASH, DOT, SHARED_KEY, line, write_colliding_home, write_transcript

REFS = pa.list_(pa.string())


def _result(spec: FindingSpec, n_rows: int, *, refs: list[str] | None = None) -> FindingResult:
    columns = {name: pa.array([f"{name}{n}" for n in range(n_rows)], pa.string()) for name in spec.columns}
    columns["row_id"] = pa.array([f"{n:064x}" for n in range(n_rows)], pa.string())
    columns["refs"] = pa.array([refs or [] for _ in range(n_rows)], REFS)
    return FindingResult(spec, "assessed", None, pa.table(columns), 1_000, "things")


@pytest.fixture(scope="module")
def spec() -> FindingSpec:
    return load_findings()["encoding_collision"]


TWO = ("encoding_collision", "damaged_line")


def test_what_was_examined_is_counted(colliding_case: Case) -> None:
    looked = build_context(colliding_case, pictures=False).examined
    assert (looked.n_files, looked.n_lines, looked.n_sessions, looked.n_keys) == (2, 3, 2, 1)
    assert [(s.label, s.n_files, s.n_lines, s.n_sessions, s.n_keys) for s in looked.sources] == [
        ("home", 2, 3, 2, 1)
    ]
    assert looked.as_of == datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    assert looked.content_sha256 == colliding_case.manifest["content_sha256"]


def test_sessions_are_counted_by_what_their_files_record_when_the_names_say_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write_transcript(home, "-srv-app", "notes", [line(DOT, "/srv/app", "Count the oars")])
    write_transcript(home, "-srv-app", "notes-copy", [line(DOT, "/srv/app", "Count the oars")])
    both = [line(DOT, "/srv/app", "Count the oars"), line(DASH, "/srv/app", "Draw the oars")]
    write_transcript(home, "-srv-app", "mixed", both)
    with open_case(convert_home(home, tmp_path / "case")) as case:
        looked = build_context(case, findings=[], pictures=False).examined
    assert (looked.n_files, looked.n_sessions) == (3, 2)


def test_times_move_to_the_zone_that_was_asked_for(colliding_case: Case) -> None:
    context = build_context(colliding_case, tz="Asia/Tokyo", pictures=False)
    assert context.examined.as_of is not None
    assert context.examined.as_of.isoformat() == "2026-03-01T18:30:00+09:00"


def test_an_unknown_zone_is_refused(colliding_case: Case) -> None:
    with pytest.raises(UsageError, match="no time zone"):
        build_context(colliding_case, tz="Mars/Olympus", pictures=False)


def test_the_outcome_is_said_in_one_sentence(colliding_case: Case, plain_case: Case) -> None:
    found, nothing = (
        build_context(case, findings=case.findings(TWO), pictures=False).verdict
        for case in (colliding_case, plain_case)
    )
    assert found == "2 questions were asked of 3 lines in 2 files; 2 found something: 2 faults."
    assert nothing == "Nothing was found: 2 questions were asked of 1 line in 1 file, and none found a row."


def test_findings_stand_in_the_order_of_their_kinds(colliding_case: Case) -> None:
    kinds = [finding.kind for finding in build_context(colliding_case, pictures=False).findings]
    assert kinds == sorted(kinds, key=["fault", "risk", "measure"].index)


def test_a_finding_that_was_not_assessed_is_counted_apart(plain_case: Case, spec: FindingSpec) -> None:
    empty = _result(spec, 0).rows
    result = FindingResult(spec, "not_assessed", "this case has no probe", empty, None, "things")
    context = build_context(plain_case, findings=[result], pictures=False)
    head = next(head for head in context.headlines if head.kind == "fault")
    assert (head.n_findings, head.n_with_rows, head.n_not_assessed) == (1, 0, 1)
    assert context.not_assessed[0].reason == "this case has no probe"
    assert context.assessed == ()
    assert context.verdict == (
        "No question could be asked of this evidence. 1 question could not be asked, which is not an answer."
    )


def test_a_page_carries_two_hundred_rows_and_the_context_all(plain_case: Case, spec: FindingSpec) -> None:
    finding = build_context(plain_case, findings=[_result(spec, 500)], pictures=False).findings[0]
    assert (finding.n_rows, len(finding.rows), finding.n_shown, len(finding.shown)) == (500, 500, 200, 200)


def test_full_shows_every_row(plain_case: Case, spec: FindingSpec) -> None:
    context = build_context(plain_case, findings=[_result(spec, 500)], full=True, pictures=False)
    assert context.findings[0].n_shown == 500


def test_rows_that_a_page_does_not_show_are_not_quoted(plain_case: Case, spec: FindingSpec) -> None:
    ref = "home/projects/-srv-app/0a000000-0000-4000-8000-000000000003.jsonl#L1"
    finding = build_context(plain_case, findings=[_result(spec, 201, refs=[ref])], pictures=False).findings[0]
    assert [len(finding.rows[n].quotes) for n in (0, 199, 200)] == [1, 1, 0]
    assert finding.rows[200].refs == (ref,)


def test_the_sessions_that_findings_cite_come_with_their_directories(colliding_case: Case) -> None:
    sessions = build_context(colliding_case, findings=colliding_case.findings(TWO), pictures=False).sessions
    assert sessions.n_sessions == 2
    first = sessions.cited[0]
    assert first.session_id == DASH
    assert first.findings == ("encoding_collision", "damaged_line")
    assert [(run.cwd, run.first_line, run.last_line, run.n_lines) for run in first.runs] == [
        ("/srv/app/a-b", 1, 1, 1)
    ]
    assert first.project_key == SHARED_KEY


def test_gaps_are_told_by_class_and_file(colliding_case: Case) -> None:
    gaps = build_context(colliding_case, pictures=False).gaps
    assert (gaps.n_gaps, gaps.n_files) == (1, 1)
    assert [gap.name for gap in gaps.classes] == ["torn"]
    assert gaps.files[0].ref == f"home/projects/{SHARED_KEY}/{DASH}.jsonl"


def test_what_was_not_looked_at_is_always_named(plain_case: Case) -> None:
    unseen = build_context(plain_case, pictures=False).unseen
    assert any("which directories, repositories and worktrees exist" in item.what for item in unseen)
    assert any("deleted before the evidence was taken" in item.what for item in unseen)


def test_a_link_that_was_not_followed_is_named(tmp_path: Path) -> None:
    home = write_colliding_home(tmp_path / "home")
    (home / "projects" / "elsewhere").symlink_to(tmp_path)
    with open_case(convert_home(home, tmp_path / "case")) as case:
        unseen = build_context(case, pictures=False).unseen
    assert any(item.what == "1 symbolic link" for item in unseen)


def test_a_case_without_raw_bytes_names_places_and_quotes_nothing(tmp_path: Path) -> None:
    home = write_colliding_home(tmp_path / "home")
    with open_case(convert_home(home, tmp_path / "case", raw=False)) as case:
        results = case.findings(TWO)
        silent = build_context(case, findings=results, pictures=False)
        told = build_context(case, findings=results, pictures=False, roots={"home": home})
    quote = silent.findings[0].rows[0].quotes[0]
    assert (quote.text, quote.sha256, quote.is_verified) == ("", None, False)
    assert quote.byte_start == 0
    assert any(item.what == "The bytes of the evidence" for item in silent.unseen)
    assert told.findings[0].rows[0].quotes[0].is_verified


def test_a_report_is_the_same_wherever_the_case_lies(colliding_case: Case, tmp_path: Path) -> None:
    copied = tmp_path / "another place" / "case"
    shutil.copytree(colliding_case.path, copied)
    write_report(colliding_case, tmp_path / "one")
    with open_case(copied, threads=1) as case:
        write_report(case, tmp_path / "two")
    for name in ("index.html", "report.md", "report.json"):
        one, two = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two
        assert b"another place" not in two
        assert str(tmp_path).encode() not in two


def test_formats_are_written_as_asked_and_nothing_else_is_left(colliding_case: Case, tmp_path: Path) -> None:
    written = write_report(colliding_case, tmp_path / "out", formats=("json", "md"))
    assert [path.name for path in written] == ["report.json", "report.md"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["report.json", "report.md"]


def test_an_unknown_format_is_refused_before_any_is_written(colliding_case: Case, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no format 'pdf'"):
        write_report(colliding_case, tmp_path / "out", formats=("pdf",))
    assert not (tmp_path / "out").exists()


def test_a_file_where_the_folder_should_be_is_refused(colliding_case: Case, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(UsageError):
        write_report(colliding_case, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_values_become_values_of_a_report() -> None:
    zone = read_zone("UTC")
    assert to_value([1, None, [b"\xff"]], zone) == (1, None, ("ff",))
    assert to_value({"a": datetime(2026, 1, 1, tzinfo=UTC)}, zone) == {"a": datetime(2026, 1, 1, tzinfo=UTC)}
    assert to_value(True, zone) is True
