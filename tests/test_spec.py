"""The header of a finding or a model: what is read, and how a mistake in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.errors import UsageError
from forensics.spec import (
    FindingSpec,
    ModelSpec,
    Param,
    load_findings,
    load_models,
    parameters_of,
    parse_spec,
    without_parameters,
)

FINDING = """-- /// finding
-- id = "F900"
-- kind = "risk"
-- confidence = "rule"
-- title = "A title"
-- claim = "A claim."
-- does_not_show = "A limit."
-- next = "A step."
-- grain = ["label"]
-- needs = ["text"]
-- denominator = "select count(*) from files"
-- denominator_of = "files"
-- params = { days = { default = 7, doc = "How long." } }
-- [columns]
-- label = "The source."
-- n = "How many."
-- ///
select label, 1 as n, refs from x where y > $days order by label;
"""

MODEL = """-- /// model
-- doc = "Things."
-- grain = ["label"]
-- [columns]
-- label = "The source."
-- ///
select label from files
"""


def parse(text: str, name: str = "some_name.sql") -> FindingSpec | ModelSpec:
    return parse_spec(Path(name), text)


def test_a_finding_is_read_whole() -> None:
    spec = parse(FINDING)
    assert isinstance(spec, FindingSpec)
    assert (spec.name, spec.id, spec.kind, spec.confidence) == ("some_name", "F900", "risk", "rule")
    assert (spec.title, spec.claim, spec.does_not_show, spec.next) == (
        "A title",
        "A claim.",
        "A limit.",
        "A step.",
    )
    assert spec.grain == ("label",)
    assert spec.needs == ("text",)
    assert spec.params == {"days": Param(7, "How long.")}
    assert spec.columns == {"label": "The source.", "n": "How many."}
    assert (spec.denominator, spec.denominator_of) == ("select count(*) from files", "files")
    assert spec.sql == "select label, 1 as n, refs from x where y > $days order by label"


def test_a_model_is_stored_unless_it_says_otherwise() -> None:
    spec = parse(MODEL)
    assert isinstance(spec, ModelSpec)
    assert spec.stored
    assert spec.sql == "select label from files"
    other = parse(MODEL.replace("-- [columns]", "-- stored = false\n-- [columns]"))
    assert isinstance(other, ModelSpec)
    assert not other.stored


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('id = "F900"', 'id = "900"', 2, "id must be"),
        ('id = "F900"', "id = 900", 2, "id must be"),
        ('kind = "risk"', 'kind = "danger"', 3, "kind must be one of fault, risk, measure"),
        ('confidence = "rule"', 'confidence = "sure"', 4, "confidence must be one of"),
        ('title = "A title"', 'title = " "', 5, "title must be a text that is not empty"),
        ('-- claim = "A claim."\n', "", 1, "claim must be a text"),
        ('grain = ["label"]', 'grain = ["nothing"]', 9, "grain names nothing, which is not a column"),
        ('grain = ["label"]', "grain = []", 9, "grain must name at least one column"),
        ('grain = ["label"]', 'grain = ["label", "label"]', 9, "names something twice"),
        ('needs = ["text"]', 'needs = "text"', 10, "needs must be a list of names"),
        ('next = "A step."', 'nexd = "A step."', 8, "unknown field nexd"),
        ("default = 7", "dfault = 7", 13, "param days must be"),
        ("days = {", "hours = {", 13, "param days is used but not declared"),
        ('n = "How many."', 'n = ""', 16, "column n has no description"),
        ('n = "How many."', 'N = "How many."', 16, "is not a column name"),
        ('n = "How many."', 'refs = "Places."', 16, "refs is there by itself"),
        ('title = "A title"', "title = A title", 5, "not TOML"),
        ("-- grain", "grain", 9, "must begin with '-- '"),
        ("-- ///\nselect", "select", 17, "must begin with '-- '"),
    ],
)
def test_a_mistake_in_a_header_is_told_with_its_line(old: str, new: str, line: int, message: str) -> None:
    assert old in FINDING
    with pytest.raises(UsageError, match=message.replace("(", r"\(")) as caught:
        parse(FINDING.replace(old, new, 1))
    assert caught.value.where == f"some_name.sql:{line}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select 1", "first line must be"),
        ("", "first line must be"),
        ("-- /// report\n-- ///\n", "first line must be"),
        ('-- /// model\n-- doc = "x"\n', "must begin with|not closed"),
        (MODEL.replace("select label from files\n", ""), "no query below"),
        (MODEL.replace("-- doc", "-- stored = 1\n-- doc"), "stored must be"),
    ],
)
def test_a_file_that_is_no_spec_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(text)


@pytest.mark.parametrize("name", ["Upper.sql", "with-dash.sql", "1st.sql"])
def test_a_file_is_named_like_a_column(name: str) -> None:
    with pytest.raises(UsageError, match="file's name"):
        parse(MODEL, name)


def test_two_findings_never_share_an_id(tmp_path: Path) -> None:
    (tmp_path / "one.sql").write_text(FINDING)
    (tmp_path / "two.sql").write_text(FINDING)
    with pytest.raises(UsageError, match="shares id or name"):
        load_findings(tmp_path)


def test_a_finding_among_models_is_refused_and_the_reverse(tmp_path: Path) -> None:
    (tmp_path / "one.sql").write_text(FINDING)
    with pytest.raises(UsageError, match="finding stands among the models"):
        load_models(tmp_path)
    (tmp_path / "one.sql").write_text(MODEL)
    with pytest.raises(UsageError, match="model stands among the findings"):
        load_findings(tmp_path)


def test_faults_come_first_then_risks_then_measures(tmp_path: Path) -> None:
    for name, number, kind in (("a", 1, "measure"), ("b", 2, "risk"), ("c", 4, "fault"), ("d", 3, "fault")):
        text = FINDING.replace("F900", f"F00{number}").replace('"risk"', f'"{kind}"')
        (tmp_path / f"{name}.sql").write_text(text)
    assert list(load_findings(tmp_path)) == ["d", "c", "b", "a"]


def test_parameters_are_found_and_can_be_taken_out() -> None:
    sql = "select $days, $label from x where a = $days"
    assert parameters_of(sql) == {"days", "label"}
    assert without_parameters(sql) == "select null, null from x where a = null"
