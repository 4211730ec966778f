"""The reference pages hold what the sources hold, and those in the repository are fresh."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from forensics.keys import Ruleset, load_rules
from forensics.report.pages import PAGES, findings_page, rules_page, tables_page
from forensics.report.pages.markdown import code, join, table
from forensics.schema import GAP_CLASSES
from forensics.spec import load_findings, load_models
from forensics.views import CASE_TABLES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_the_repository_is_fresh(name: str) -> None:
    assert (ROOT / "reports" / name).read_text("utf-8") == PAGES[name](), "renew it with: make pages"


def test_the_pages_are_written_by_one_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forensics.report.pages", str(tmp_path / "new")]
    subprocess.run(command, check=True, cwd=ROOT)
    assert {path.name for path in (tmp_path / "new").iterdir()} == set(PAGES)
    ended = subprocess.run(command[:-1], check=False, capture_output=True, cwd=ROOT)
    assert ended.returncode == 1
    assert ended.stderr.startswith(b"usage: ")


def test_every_rule_stands_with_its_versions_and_source() -> None:
    page = rules_page()
    for rule in load_rules().rules:
        assert f"- `{rule.name}`: {rule.title} ({rule.source})" in page
    assert "| `cli_e3_nfc` | 2.1.101 to 2.1.159 | any | NFC | utf16 | 200, int32 | 2.1.101, 2.1.112" in page
    assert "| `cli_e3` | `CLAUDE_CODE_PROJECT_DIR_NAME` | 2.1.234 |" in page
    assert (
        "| `sdk_typescript_macos` | 0.3.160 to 0.3.332 | macos | NFC | utf16 | 200, int32 | read, not run |"
        in page
    )


def test_the_examples_show_where_rules_differ() -> None:
    examples = rules_page().partition("## The same directory")[2]
    assert (
        "`/srv/w/x😀y`: an emoji is two UTF-16 units\n\n| key | rules |\n| --- | --- |\n| `-srv-w-x--y` |"
        in examples
    )
    assert "| `-srv-w-x-y` | `sdk_python` |" in examples
    assert re.search(r"\| `-srv-w-cafe-` \| `cli_e1`, `cli_e3`, `sdk_typescript` \|", examples)


def test_a_ruleset_without_rules_still_makes_a_page() -> None:
    assert rules_page(Ruleset((), "0", "0" * 64)).startswith("# Encoding rules\n")


def test_every_finding_stands_with_its_limits_and_columns() -> None:
    page = findings_page()
    for spec in load_findings().values():
        part = page.partition(f"### {spec.id} {spec.name}\n")[2].partition("\n### ")[0]
        for text in (spec.title, spec.claim, spec.does_not_show, spec.next, spec.denominator_of):
            assert text in part, spec.name
        for name in (*spec.columns, *spec.params):
            assert f"| `{name}` |" in part, spec.name
    assert findings_page({}).startswith("# Findings\n")


def test_every_link_of_an_index_leads_to_a_heading() -> None:
    for page in (findings_page(), tables_page()):
        anchors = {head.lower().replace(" ", "-") for head in re.findall(r"^#+ (.+)$", page, re.MULTILINE)}
        links = re.findall(r"\]\(#([^)]+)\)", page)
        assert len(links) > 10
        assert set(links) <= anchors


def test_every_table_model_and_gap_stands_with_its_columns() -> None:
    page = tables_page()
    for each in CASE_TABLES.values():
        part = page.partition(f"### {each.name}\n")[2].partition("\n### ")[0]
        for column in each.columns:
            assert f"| `{column.name}` | {column.type} |" in part, each.name
    for model in load_models().values():
        assert all(f"| `{name}` |" in page for name in model.columns)
        assert f"### {model.name}\n" in page
    assert all(f"| `{name}` | {doc} |" in page for name, doc in GAP_CLASSES.items())


def test_cells_cannot_break_a_table() -> None:
    text = table(("a", "b"), [("x|y", "two\nlines")])
    assert text == "| a | b |\n| --- | --- |\n| x\\|y | two lines |"


@pytest.mark.parametrize(
    ("text", "written"),
    [("", ""), ("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), (" ", "`   `"), ("``", "``` `` ```")],
)
def test_code_is_fenced_by_more_backticks_than_it_holds(text: str, written: str) -> None:
    assert code(text) == written


def test_blocks_are_joined_by_one_blank_line() -> None:
    assert join(["\na\n", "", "b"]) == "a\n\nb\n"
