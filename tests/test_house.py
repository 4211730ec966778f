"""The rules of the house, each a small check over the tree."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from forensics.schema import GAP_CLASSES, TABLES
from tests.conftest import SLOW_MODULES

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "forensics"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A module imports only from its own floor and from those below it.
FLOORS = {
    "cli": 6,
    "report": 5,
    "assumptions": 5,
    "dossier": 4,
    "case": 4,
    "results": 4,
    "manifests": 1,
    "reading": 4,
    "views": 4,
    "spec": 4,
    "redaction": 4,
    "secrets": 4,
    "alive": 4,
    "alive.withs": 2,
    "alive.with_schema": 1,
    "engine": 3,
    "ingest": 3,
    "sources": 2,
    "host": 2,
    "schema": 1,
    "refs": 1,
    "paths": 1,
    "display": 1,
    "keys": 0,
    "errors": 0,
    "version": 0,
}
# Tests and what they stand on may use everything; nothing else may use them.
APART = {"testing", "__init__", "__main__"}

MAX_LINES = 400


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _floor_of(module: str) -> str:
    """The name under which a module (without `forensics.`) has its floor: its own, else its package's."""
    parts = module.split(".")
    own = ".".join(parts[:2])
    return own if own in FLOORS else parts[0]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def _imports(path: Path) -> Iterator[str]:
    """Whole names of all modules that a file imports, lazily or not, for types or not."""
    package = ".".join(path.relative_to(ROOT).parts[:-1])
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False
    ).stdout.decode("utf-8", "surrogateescape")
    if listed:
        return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]
    kept = ("forensics", "tests", "fixtures", "requirements", "notebooks", "reports", ".ci")
    files = [path for top in kept for path in (ROOT / top).rglob("*") if path.is_file()]
    return [*files, *(path for path in ROOT.iterdir() if path.is_file())]


def _ids(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


@pytest.mark.parametrize("path", MODULES, ids=_ids(MODULES))
def test_imports_go_down_the_floors_only(path: Path) -> None:
    own = _floor_of(_name(path))
    if own in APART:
        return
    assert own in FLOORS, f"give {own} a floor"
    for name in _imports(path):
        if not name.startswith("forensics."):
            continue
        other = _floor_of(name.removeprefix("forensics."))
        assert other != "testing", f"{name}: the product does not stand on its tests"
        assert FLOORS.get(other, 0) <= FLOORS[own], name


def test_the_encoding_rules_import_nothing_of_ours() -> None:
    for path in (PACKAGE / "keys").rglob("*.py"):
        ours = [name for name in _imports(path) if name.startswith("forensics.")]
        assert [name for name in ours if not name.startswith("forensics.keys")] == [], path


def test_no_file_has_two_jobs() -> None:
    kinds = {".py", ".sql", ".js", ".css", ".html", ".jinja", ".j2"}
    files = [path for top in (PACKAGE, ROOT / "tests") for path in top.rglob("*") if path.suffix in kinds]
    long = {str(p.relative_to(ROOT)): n for p in files if (n := p.read_text("utf-8").count("\n")) > MAX_LINES}
    assert long == {}


def test_only_the_case_opens_duckdb() -> None:
    users = {path for path in MODULES for name in _imports(path) if name.split(".")[0] == "duckdb"}
    assert {path.relative_to(PACKAGE).as_posix() for path in users} <= {"case.py"}


def test_parquet_is_written_in_one_place() -> None:
    writers = {
        "write_table",
        "ParquetWriter",
        "write_to_dataset",
        "write_dataset",
        "write_parquet",
        "sink_parquet",
    }
    places = {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        for node in ast.walk(_tree(path))
        if (isinstance(node, ast.Attribute) and node.attr in writers)
        or (isinstance(node, ast.Name) and node.id in writers)
    }
    assert places <= {"schema.py", "ingest/parts.py"}


def test_workers_import_nothing_heavy() -> None:
    heavy = ("polars", "duckdb", "typer", "rich", "altair", "jinja2", "numpy", "pandas")
    code = (
        "import sys, forensics.ingest.work\n"
        f"sys.stdout.write(' '.join(name for name in {heavy!r} if name in sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert ended.stdout == b""


def test_no_address_of_a_registry_and_no_path_of_a_machine_is_committed() -> None:
    # Written apart, so that this file does not hold what it forbids.
    names = ["python" + "hosted.org", "py" + "pi.org", "npm" + "js.org", "/opt/" + "pypi", "/work" + "/main"]
    names += ["/work" + "/shared", "/root/" + ".pyenv", "--index" + "-url", "--find" + "-links"]
    pattern = re.compile("|".join(map(re.escape, names)).encode())
    found = {}
    for path in _tracked():
        match = pattern.search(path.read_bytes())
        if match:
            found[str(path.relative_to(ROOT))] = match[0].decode()
    assert found == {}


def test_every_exception_handler_says_what_it_expects_or_passes_it_on() -> None:
    broad = [
        f"{path.relative_to(PACKAGE).as_posix()}"
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ExceptHandler) and _catches_all(node) and not _passes_on(node)
    ]
    assert broad == ["cli/edge.py"]


def _catches_all(node: ast.ExceptHandler) -> bool:
    return node.type is None or (
        isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"}
    )


def _passes_on(node: ast.ExceptHandler) -> bool:
    last = node.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


FORBIDDEN = {
    "splitlines": r"\.splitlines\(",
    "errors ignored": r"errors=[\"']ignore[\"']|, [\"']ignore[\"']\)",
    "unnamed type: ignore": r"# type: ignore(?!\[)",
    "a note for later": r"\b(?:TODO|FIXME|XXX|HACK)\b",
    "a skip without a condition": r"@pytest\.mark\.skip\b(?!if)",
}
SPLITS_ON_PURPOSE = {"tests/cli/test_output.py"}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_nobody_takes_a_forbidden_shortcut(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    files = [*MODULES, *(ROOT / "tests").rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        if path != Path(__file__) and str(path.relative_to(ROOT)) not in SPLITS_ON_PURPOSE
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [str(path.relative_to(ROOT)) for path in MODULES if not ast.get_docstring(_tree(path))]
    assert silent == []


def test_every_table_and_column_is_documented_in_a_sentence() -> None:
    for table in TABLES.values():
        assert table.doc.endswith("."), table.name
        for column in table.columns:
            assert len(column.doc) > 5, (table.name, column.name)
            assert column.doc.endswith("."), (table.name, column.name)


def test_one_column_name_has_one_type_everywhere() -> None:
    types: dict[str, set[str]] = {}
    for table in TABLES.values():
        for column in table.columns:
            types.setdefault(column.name, set()).add(str(column.type))
    assert {name: found for name, found in types.items() if len(found) > 1} == {}


@pytest.mark.parametrize("name", GAP_CLASSES)
def test_every_gap_class_is_documented_and_written_by_someone(name: str) -> None:
    assert GAP_CLASSES[name].endswith(".")
    writers = [*(PACKAGE / "ingest").rglob("*.py"), *(PACKAGE / "sources").rglob("*.py")]
    named = [
        node
        for path in writers
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Constant) and node.value == name
    ]
    assert named


def test_the_modules_left_out_of_the_quick_loop_are_there() -> None:
    assert {name for name in SLOW_MODULES if not (ROOT / f"{name.replace('.', '/')}.py").is_file()} == set()
