"""What an opened case promises, shown on cases that were written by hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensics.case import Case, open_case
from forensics.errors import CaseError, ContractError, UsageError
from forensics.spec import ModelSpec
from tests.case_builder import PATH, rows_of_one_file, write_case


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(write_case(tmp_path / "case", rows_of_one_file())) as opened:
        yield opened


@pytest.mark.parametrize("name", ["a=b", "x[1]", "it's", "q?", "s*r", "sp ace", "{a,b}"])
def test_a_case_opens_under_any_name_and_never_reads_its_neighbour(tmp_path: Path, name: str) -> None:
    rows = rows_of_one_file()
    write_case(tmp_path / name, {"keys": rows["keys"][:1]})
    for neighbour in ("x1", "qq", "sr", "a", "b"):
        write_case(tmp_path / neighbour, {"keys": rows["keys"]})
    with open_case(tmp_path / name) as case:
        assert case.arrow("keys").num_rows == 1


def test_a_case_answers_from_any_folder(tmp_path: Path, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    away = tmp_path / "away"
    away.mkdir()
    monkeypatch.chdir(away)
    assert case.arrow("lines").num_rows == 3
    assert case.sql("select count(*) as n from sessions").to_pylist() == [{"n": 1}]
    assert list(away.iterdir()) == []


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CaseError, match="no manifest") as caught:
        open_case(tmp_path / "empty")
    assert caught.value.hint is not None


def test_a_place_where_nothing_is_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="no case here"):
        open_case(tmp_path / "nowhere")


def test_a_half_made_case_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="half made"):
        open_case(write_case(tmp_path / ".case.next", {}))


def test_a_case_of_a_newer_major_schema_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"schema 99\.0\.0"):
        open_case(write_case(tmp_path / "case", {}, schema="99.0.0"))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "1.0.0"}', '{"schema": "1.0.0", "tables": []}'])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = write_case(tmp_path / "case", {})
    (path / "manifest.json").write_text(text)
    with pytest.raises(CaseError):
        open_case(path)


def test_a_missing_table_file_is_told_by_name(tmp_path: Path) -> None:
    path = write_case(tmp_path / "case", {})
    (path / "keys.parquet").unlink()
    with pytest.raises(CaseError, match="table keys is missing"):
        open_case(path)


def test_a_column_unknown_to_an_older_writer_is_null(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = write_case(tmp_path / "case", rows_of_one_file())
    table = pq.read_table(path / "keys.parquet")
    pq.write_table(table.drop_columns(["prefix_200"]), path / "keys.parquet")
    with open_case(path) as case:
        assert case.arrow("keys").column("prefix_200").to_pylist() == [None, None]


def test_tables_that_are_left_out_are_empty_and_named(tmp_path: Path) -> None:
    with open_case(write_case(tmp_path / "case", rows_of_one_file(), absent=["text"])) as case:
        assert "text" in case.absent
        assert case.arrow("text").num_rows == 0


def test_an_unknown_table_is_a_usage_error_that_lists_the_known(case: Case) -> None:
    with pytest.raises(UsageError, match="no table or model 'linez'") as caught:
        case.arrow("linez")
    assert "lines" in str(caught.value.hint)


def test_a_polars_frame_equals_the_arrow_table(case: Case) -> None:
    assert case.table("lines").collect().to_arrow().num_rows == 3
    assert case.table("sessions").collect()["session_id"].to_list() == ["0000"]


REFUSED = [
    "drop view lines",
    "create table x as select 1",
    "copy (select 1) to '/tmp/x.csv'",
    "attach '/tmp/x.db'",
    "set threads = 1",
    "pragma database_list",
    "install httpfs",
    "select 1; select 2",
    "select 1; drop view lines",
    "insert into sessions select * from sessions",
    "call pragma_version()",
    "export database '/tmp/x'",
    "",
    "-- nothing",
    "selec 1",
    "select nothing from lines",
]


@pytest.mark.parametrize("query", REFUSED)
def test_a_person_may_ask_one_select_and_nothing_else(case: Case, query: str) -> None:
    with pytest.raises(UsageError):
        case.user_sql(query)
    assert case.arrow("lines").num_rows == 3


def test_no_other_file_can_be_read(case: Case, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    outside = write_case(tmp_path / "other", {}) / "keys.parquet"
    for query in (
        f"select * from read_csv('{secret}')",
        f"select * from '{secret}'",
        f"select * from read_text('{secret}')",
        f"select * from read_parquet('{outside}')",
        f"select * from read_text('{case.path}/manifest.json')",
        f"select * from glob('{tmp_path}/*')",
        "select * from read_text('/etc/hostname')",
        "select getenv('HOME')",
        "select * from enable_logging(storage = 'file', storage_path = '/tmp/x')",
    ):
        with pytest.raises(UsageError):
            case.user_sql(query)


def test_variables_of_the_program_are_no_tables(case: Case) -> None:
    import polars as pl

    frame = pl.DataFrame({"a": [1]})
    assert frame.height == 1
    with pytest.raises(UsageError):
        case.user_sql("select * from frame")


def test_a_delete_hidden_in_a_select_changes_nothing(case: Case) -> None:
    before = case.sql("select count(*) from session_facts").to_pylist()
    hidden = "with gone as (delete from session_facts returning file_id) select count(*) from gone"
    with pytest.raises(UsageError):
        case.user_sql(hidden)
    assert case.sql("select count(*) from session_facts").to_pylist() == before


@pytest.mark.parametrize(
    ("query", "n_rows"),
    [
        ("select line_no from lines where status = 'lost'", 1),
        ("with a as (select 1) select * from a", 1),
        ("from sessions", 1),
        ("select * from query_table('sessions')", 1),
        ("describe keys", 9),
        ("select * from lines where starts_with(type, '$user')", 0),
    ],
)
def test_every_way_to_write_a_select_is_answered(case: Case, query: str, n_rows: int) -> None:
    assert case.user_sql(query).num_rows == n_rows


def test_an_unknown_finding_or_parameter_is_a_usage_error(case: Case) -> None:
    with pytest.raises(UsageError, match="no finding 'nonsense'"):
        case.findings(["nonsense"])
    with pytest.raises(UsageError, match="no parameter"):
        case.findings(["damaged_line"], params={"damaged_line": {"x": 1}})


def test_a_finding_can_be_asked_by_name_or_id(case: Case) -> None:
    by_name = case.findings(["damaged_line"])[0]
    by_id = case.findings([by_name.spec.id])[0]
    assert by_name.rows.equals(by_id.rows)
    assert by_name.rows.to_pylist()[0]["refs"] == [f"home/{PATH}#L3"]
    assert by_name.denominator == 3


def test_a_row_keeps_its_name_whatever_else_it_says(case: Case) -> None:
    row = case.findings(["damaged_line"])[0].rows.to_pylist()[0]
    text = json.dumps(["F003", "home", PATH, 3], separators=(",", ":"))
    assert row["row_id"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_finding_is_shown_in_a_notebook_with_all_text_escaped(tmp_path: Path) -> None:
    rows = rows_of_one_file()
    rows["files"][0]["label"] = "<b>"
    with open_case(write_case(tmp_path / "case", rows)) as case:
        html = case.findings(["damaged_line"])[0]._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_nothing_looked_at_is_not_assessed(tmp_path: Path) -> None:
    with open_case(write_case(tmp_path / "case", {})) as case:
        result = case.findings(["damaged_line"])[0]
    assert result.status == "not_assessed"
    assert result.reason == "there are no lines that are not blank in this evidence"
    assert result.n_rows == 0


def test_the_scratch_folder_goes_with_the_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    with open_case(write_case(tmp_path / "case", rows_of_one_file())) as case:
        case.arrow("lines")
        assert len(list(scratch.iterdir())) == 1
    assert list(scratch.iterdir()) == []


OWN = """-- /// finding
-- id = "X001"
-- kind = "measure"
-- confidence = "observed"
-- title = "Files by role"
-- claim = "So many files have this role."
-- does_not_show = "What they hold."
-- next = "Look at them."
-- grain = ["role"]
-- denominator = "select count(*) from files"
-- denominator_of = "files"
-- params = { least = { default = 1, doc = "At least so many." } }
-- [columns]
-- role = "The role."
-- n_files = "How many."
-- ///
select f.role, count(*) as n_files, [folder_ref('home', 'projects/')] as refs
from files as f
group by f.role
having count(*) >= $least
order by f.role
"""


def test_findings_of_ones_own_stand_beside_the_others(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "files_by_role.sql").write_text(OWN)
    with open_case(write_case(tmp_path / "case", rows_of_one_file()), findings=[own]) as case:
        (result,) = case.findings(["files_by_role"])
        assert result.rows.to_pylist()[0]["n_files"] == 1
        assert result.rows.to_pylist()[0]["refs"] == ["home/projects/"]
        (result,) = case.findings(["X001"], params={"files_by_role": {"least": 2}})
        assert result.status == "assessed"
        assert result.n_rows == 0


def test_columns_that_are_not_documented_break_the_contract(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "files_by_role.sql").write_text(OWN.replace("as n_files", "as n_other"))
    with open_case(write_case(tmp_path / "case", rows_of_one_file()), findings=[own]) as case:
        with pytest.raises(ContractError, match="n_files, refs are documented") as caught:
            case.findings(["files_by_role"])
        assert str(caught.value.where).endswith("files_by_role.sql")


def test_a_model_that_does_not_run_is_told_by_its_file(tmp_path: Path) -> None:
    broken = ModelSpec(
        "broken", "A model.", ("a",), True, {"a": "A."}, "select b from files", tmp_path / "broken.sql"
    )
    with open_case(write_case(tmp_path / "case", {})) as case:
        case.models = {**case.models, "broken": broken}
        with pytest.raises(ContractError) as caught:
            case.sql("select a from broken")
        assert caught.value.where == str(broken.path)


def test_a_finding_without_a_table_it_needs_is_not_assessed_and_says_why(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "files_by_role.sql").write_text(OWN.replace("-- grain", '-- needs = ["text"]\n-- grain'))
    path = write_case(tmp_path / "case", rows_of_one_file(), absent=["text"])
    with open_case(path, findings=[own]) as case:
        results = case.findings(["files_by_role", "dangling_worktree"])
        assert [result.status for result in results] == ["not_assessed"] * 2
        reasons = {result.spec.name: result.reason for result in results}
    assert reasons["files_by_role"] == "this case has no text: it was made without"
    assert "no probe of the machine was taken in" in str(reasons["dangling_worktree"])
