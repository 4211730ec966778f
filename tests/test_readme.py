"""The README is true: its commands run and print what it says, its tables name what there is."""

from __future__ import annotations

import contextlib
import re
import subprocess
from pathlib import Path

import pytest
import typer

from forensics import errors
from forensics.cli import app
from tests.cli.words import call
from tests.readme import README, lay_out_demo, perform, read_examples, without_timing

pytestmark = pytest.mark.slow

TEXT = README.read_text("utf-8")
VERBS = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo evidence."""
    place = tmp_path_factory.mktemp("readme")
    lay_out_demo(place)
    return place


def test_every_command_runs_and_prints_what_the_readme_says(folder: Path) -> None:
    examples = read_examples(TEXT)
    assert len(examples) >= 6
    for example in examples:
        printed, ended = perform(example, folder=folder)
        assert ended.returncode == 0, (example.command, ended.stderr.decode())
        assert printed == without_timing(example.output), (
            f"{example.command}: renew with python -m tests.readme"
        )


def test_the_python_example_runs_on_the_demo(folder: Path) -> None:
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert code is not None
    ended = call("run", "home=build/demo/evidence", "-o", "build/demo/case", cwd=folder)
    assert ended.returncode == 0
    with contextlib.chdir(folder):
        exec(compile(code[1], str(README), "exec"), {})


def test_the_table_of_verbs_names_each_verb_once() -> None:
    table = TEXT.partition("## Verbs")[2].partition("\n## ")[0]
    named = re.findall(r"`([a-z-]+)(?: [^`]*)?`", "\n".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    assert sorted(named) == sorted(VERBS)


def test_the_table_of_exit_codes_names_each_code_once() -> None:
    table = TEXT.partition("## Exit codes")[2].partition("\n## ")[0]
    named = [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)]
    of_errors = {
        kind.exit_code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.ForensicsError)
    }
    assert named == sorted({0, 10, 130, *of_errors})


def test_the_first_two_commands_are_targets_of_make() -> None:
    first = re.search(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    assert first is not None
    commands = [line.partition("#")[0].split() for line in first[1].strip().split("\n")]
    assert commands == [["make", "report"], ["make", "test"]]
    makefile = (README.parent / "Makefile").read_text("utf-8")
    for _, target in commands:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_line_for_the_shell_puts_the_command_and_the_case_of_the_demo_within_reach() -> None:
    line = re.search(r"^export .*$", TEXT, re.MULTILINE)
    assert line is not None
    assert TEXT.index("make report") < line.start() < TEXT.index("$ forensics ")
    script = f'{line[0]}; echo "${{PATH%%:*}}"; echo "$FORENSICS_CASE"'
    said = subprocess.run(
        ["/bin/sh", "-c", script], cwd=README.parent, capture_output=True, text=True, check=True
    )
    assert said.stdout == f"{README.parent}/.venv/bin\nbuild/demo/case\n"
    makefile = (README.parent / "Makefile").read_text("utf-8")
    assert "DEMO := build/demo\n" in makefile
    assert "-o $(DEMO)/case\n" in makefile


def test_every_file_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", TEXT)
    assert [link for link in links if not (README.parent / link).exists()] == []
