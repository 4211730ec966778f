"""The rules against what the tools themselves did."""

from __future__ import annotations

import unicodedata

import pytest

from forensics.keys import encode, nfc_is_certain, resolve_lexical, rules_for
from tests.keys.golden import CliRun, SdkRow, cli_runs, sdk_rows

CLI = cli_runs()
SDK = sdk_rows()
WITH_FOLDER = [run for run in CLI if run.key is not None]
REFUSED_BY_PYTHON = {"lone_high", "lone_low", "long_lone_sur"}


def test_the_golden_pairs_are_all_there() -> None:
    assert (len(CLI), len(WITH_FOLDER)) == (280, 257)
    assert len(SDK) == 89
    assert len({run.version for run in CLI}) == 9
    assert sum(run.runtime == "bun" and len(run.key or "") > 201 for run in CLI) == 24


@pytest.mark.parametrize("run", WITH_FOLDER, ids=lambda run: f"{run.version}-{run.runtime}-{run.case}")
def test_the_cli_made_the_folder_that_its_version_and_runtime_predict(run: CliRun) -> None:
    candidates = rules_for("claude_code", run.version)
    fitting = [item.rule for item in candidates if item.rule.where in ("", run.runtime)]
    assert len(fitting) == 1
    assert encode(run.recorded, fitting[0]) == run.key


@pytest.mark.parametrize("run", WITH_FOLDER, ids=lambda run: f"{run.version}-{run.runtime}-{run.case}")
def test_every_run_is_at_an_observed_version(run: CliRun) -> None:
    bases = {item.basis for item in rules_for("claude_code", run.version)}
    assert bases == {"observed"}


def test_a_folder_is_missing_only_where_a_reason_is_known() -> None:
    """Names over 255 bytes before names were cut, bytes that are not UTF-8, and three silent runs."""
    unknown = []
    for run in CLI:
        if run.key is not None:
            continue
        is_too_long = run.case in ("len260", "len300", "len700") and run.version in (
            "1.0.0",
            "1.0.128",
            "2.0.77",
            "2.1.45",
        )
        if not is_too_long and run.case != "badutf8":
            unknown.append((run.version, run.case))
    assert sorted(unknown) == [("2.1.112", "nbsp"), ("2.1.112", "nfd240"), ("2.1.223", "punct2")]


@pytest.mark.parametrize("row", SDK, ids=lambda row: row.case)
def test_the_python_sdk_key_is_reproduced_and_its_refusals_are_refusals(row: SdkRow) -> None:
    assert (row.python is None) == (row.case in REFUSED_BY_PYTHON)
    assert encode(resolve_lexical(row.path), "sdk_python") == row.python


@pytest.mark.parametrize("row", SDK, ids=lambda row: row.case)
def test_the_typescript_sdk_key_is_reproduced(row: SdkRow) -> None:
    assert encode(resolve_lexical(row.path), "sdk_typescript") == row.typescript


@pytest.mark.parametrize("row", SDK, ids=lambda row: row.case)
def test_the_older_typescript_sdk_key_is_reproduced_or_depends_on_a_newer_unicode(row: SdkRow) -> None:
    path = resolve_lexical(row.path)
    if nfc_is_certain(path):
        assert encode(path, "sdk_typescript_nfc") == row.typescript_0_3_143
    else:
        assert row.case == "unicode16_todhri"
        assert int(unicodedata.unidata_version.split(".")[0]) < 16


def test_the_two_sdks_disagree_on_exactly_the_paths_where_the_rules_do() -> None:
    seen = {row.case for row in SDK if row.python != row.typescript}
    said = {
        row.case
        for row in SDK
        if encode(resolve_lexical(row.path), "sdk_python")
        != encode(resolve_lexical(row.path), "sdk_typescript")
    }
    assert len(seen) == 25
    assert said == seen


@pytest.mark.parametrize(
    ("cwd", "key"),
    [
        ("/tmp/x/a.b", "--tmp-x-a.b--"),
        ("/tmp/x/a-b", "--tmp-x-a-b--"),
        ("/tmp/x/a/b", "--tmp-x-a-b--"),
        ("/", "----"),
        ("/srv/한글 😀_x", "--srv-한글 😀_x--"),
        ("C:\\Users\\kit", "--C--Users-kit--"),
    ],
)
def test_pi_keeps_dots_underscores_spaces_and_other_scripts(cwd: str, key: str) -> None:
    assert encode(cwd, "pi_0_73") == key
    assert encode(cwd, "pi_1_6") == key


def test_pi_resolves_doubled_slashes_only_in_the_later_version() -> None:
    assert encode("//srv/x", "pi_0_73") == "---srv-x--"
    assert encode("//srv/x", "pi_1_6") == "--srv-x--"


def test_pilee_replaces_slashes_alone_and_drops_the_first_unit() -> None:
    assert encode("/r/.wt/a:b\\c", "pilee") == "--r-.wt-a:b\\c--"
    assert encode("C:\\r", "pilee") == "--:\\r--"
    assert encode("😀/r", "pilee") == "--\ufffd-r--"
