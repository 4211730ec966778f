"""The pytest plugin: one test a key, and nothing at all when nobody asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.assumptions.evidence import open_home, put, said
from tests.cli.evidence import tree_state

pytest_plugins = ["pytester"]

NEWEST = "2.1.332"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three keys: one explained, one that a wrong rule wrote, one with nothing recorded."""
    root = tmp_path / "oars"
    put(root, "-srv-oars-a-b", 1, said("/srv/oars/a.b", NEWEST))
    put(root, "-srv-oars-c.d", 2, said("/srv/oars/c.d", NEWEST))
    put(root, "-srv-oars-e", 3, {"type": "custom-title", "customTitle": "Sails"})
    return root


def _run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest", *words)


def _outcomes(pytester: pytest.Pytester, *words: str) -> dict[str, int]:
    return _run(pytester, *words).parseoutcomes()


def test_without_the_option_nothing_heavy_is_imported_and_nothing_is_added(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nfilterwarnings = error\n")
    pytester.makepyfile(
        """
        import sys

        HEAVY = "duckdb polars pyarrow msgspec typer rich numpy altair xxhash forensics.case".split()

        def test_own(pytestconfig):
            assert pytestconfig.pluginmanager.has_plugin("forensics")
            assert "forensics.testing.plugin" in sys.modules
            assert [name for name in HEAVY if name in sys.modules] == []
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    assert result.parseoutcomes() == {"passed": 1}


def test_each_key_is_a_test_beside_those_of_the_team(pytester: pytest.Pytester, home: Path) -> None:
    pytester.makeini("[pytest]\nfilterwarnings = error\nxfail_strict = true\n")
    pytester.makepyfile("def test_own():\n    pass\n")
    before = tree_state(home)
    result = _run(pytester, "-v", "-rs", f"--transcripts={home}")
    assert result.parseoutcomes() == {"passed": 2, "failed": 1, "skipped": 1}
    result.stdout.fnmatch_lines(
        [
            "transcripts::oars/projects/-srv-oars-a-b/ PASSED*",
            "transcripts::oars/projects/-srv-oars-c.d/ FAILED*",
            "transcripts::oars/projects/-srv-oars-e/ SKIPPED*",
            "wrong_rule: version 2.1.332; rule slash_only; cwd /srv/oars/c.d; Only slashes become dashes.",
            "    oars/projects/-srv-oars-c.d/*.jsonl",
            "SKIPPED*undecided: no cwd is recorded",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert tree_state(home) == before


def test_keys_alone_are_a_suite(pytester: pytest.Pytester, home: Path) -> None:
    assert _outcomes(pytester, f"--transcripts={home}") == {"passed": 1, "failed": 1, "skipped": 1}


def test_a_key_is_chosen_by_its_name(pytester: pytest.Pytester, home: Path) -> None:
    assert _outcomes(pytester, f"--transcripts={home}", "-k", "a-b") == {"passed": 1, "deselected": 2}


def test_a_folder_without_sessions_is_a_skipped_test(pytester: pytest.Pytester, home: Path) -> None:
    (home / "projects" / "-srv-oars-empty").mkdir()
    result = _run(pytester, "-rs", f"--transcripts={home}")
    result.stdout.fnmatch_lines(["SKIPPED*undecided: the folder is empty"])


def test_one_explained_session_is_enough_for_a_key_that_another_does_not_contradict(
    pytester: pytest.Pytester, tmp_path: Path
) -> None:
    root = tmp_path / "home"
    put(root, "-srv-x", 1, {"type": "custom-title", "customTitle": "Sails"})
    put(root, "-srv-x", 2, said("/srv/x", NEWEST))
    assert _outcomes(pytester, f"--transcripts={root}") == {"passed": 1}
    put(root, "-srv-x", 3, said("/srv/elsewhere", NEWEST))
    assert _outcomes(pytester, f"--transcripts={root}") == {"failed": 1}


def test_what_the_baseline_knows_does_not_fail_and_what_is_new_does(
    pytester: pytest.Pytester, home: Path
) -> None:
    known = '{"label": "oars", "home": ".", "project_key": "-srv-oars-c.d", "kind": "wrong_rule"}'
    baseline = pytester.path / "known.json"
    baseline.write_text(f'{{"violations": [{known}]}}', "utf-8")
    words = (f"--transcripts={home}", "--transcripts-baseline=known.json")
    assert _outcomes(pytester, *words) == {"passed": 1, "xfailed": 1, "skipped": 1}
    assert _outcomes(pytester, *words, "--runxfail") == {"passed": 1, "failed": 1, "skipped": 1}
    put(home, "-srv-oars-f.g", 4, said("/srv/oars/f.g", NEWEST))
    assert _outcomes(pytester, *words) == {"passed": 1, "xfailed": 1, "failed": 1, "skipped": 1}


def test_rules_of_the_team_explain_what_ours_do_not(pytester: pytest.Pytester, home: Path) -> None:
    (pytester.path / "ours.toml").write_text(
        '[[rule]]\nname = "dots_stay"\nagent = "claude_code"\ntitle = "Dots stay."\nfirst = "2.1.300"\n'
        'last = "2.1.400"\nreplaced = "/"\nsource = "a release of our own"\n',
        "utf-8",
    )
    words = (f"--transcripts={home}", "--transcripts-rules=ours.toml")
    assert _outcomes(pytester, *words) == {"passed": 2, "skipped": 1}


def test_labels_and_cases_are_taken_too(pytester: pytest.Pytester, home: Path, tmp_path: Path) -> None:
    open_home(home, tmp_path / "case").close()
    words = (f"--transcripts={tmp_path / 'case'}", f"--transcripts=again={home}")
    result = _run(pytester, "-v", *words)
    assert result.parseoutcomes() == {"passed": 2, "failed": 2, "skipped": 2}
    result.stdout.fnmatch_lines(["*::home/projects/-srv-oars-a-b/*", "*::again/projects/-srv-oars-a-b/*"])


def test_a_folder_may_have_an_equals_sign_in_its_name(pytester: pytest.Pytester, tmp_path: Path) -> None:
    root = tmp_path / "a=b"
    put(root, "-srv-x", 1, said("/srv/x", NEWEST))
    assert _outcomes(pytester, f"--transcripts={root}") == {"passed": 1}
    put(pytester.path / "c=d", "-srv-x", 1, said("/srv/x", NEWEST))
    assert _outcomes(pytester, "--transcripts=c=d") == {"passed": 1}


@pytest.mark.slow
def test_workers_of_xdist_share_one_reading(pytester: pytest.Pytester, home: Path) -> None:
    pytest.importorskip("xdist")
    pytester.makeini("[pytest]\nfilterwarnings = error\n")
    assert _outcomes(pytester, f"--transcripts={home}", "-n", "2") == {"passed": 1, "failed": 1, "skipped": 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--transcripts=nowhere",), "--transcripts: *nowhere*"),
        (("--transcripts=.",), "--transcripts: *no * transcript there*"),
        (("--transcripts=HOME", "--transcripts-baseline=gone.json"), "*cannot read the baseline*"),
        (("--transcripts=HOME", "--transcripts-baseline=bad.json"), "*this is no baseline*"),
        (("--transcripts=HOME", "--transcripts-rules=gone.toml"), "*gone.toml*cannot be read*"),
    ],
)
def test_what_cannot_be_read_is_an_error_of_usage(
    pytester: pytest.Pytester, home: Path, words: tuple[str, ...], message: str
) -> None:
    (pytester.path / "bad.json").write_text("[]", "utf-8")
    given = [word.replace("HOME", str(home)) for word in words]
    result = _run(pytester, *given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {message}"])


def test_a_place_that_pytest_takes_for_its_own_is_hinted_at(pytester: pytest.Pytester, home: Path) -> None:
    result = _run(pytester, "--transcripts", str(home))
    result.stdout.fnmatch_lines([f"transcripts: {home}", "hint: write --transcripts=DIR*"])
    assert result.parseoutcomes() == {"passed": 1, "failed": 1, "skipped": 1}


def test_nothing_is_left_behind(
    pytester: pytest.Pytester, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    _outcomes(pytester, f"--transcripts={home}")
    assert list(scratch.glob("forensics*")) == []
