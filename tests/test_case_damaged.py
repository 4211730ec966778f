"""A case whose files were cut or altered is told as such; it is never a fault of ours or of the question."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from forensics.case import open_case
from forensics.errors import CaseError, UsageError
from forensics.ingest.convert import ConvertOptions, convert

SID = "11111111-2222-4333-8444-555555555555"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damaged")
    key = folder / "home" / "projects" / "-srv-kiln"
    key.mkdir(parents=True)
    lines = [
        {
            "type": "user",
            "uuid": f"u{n}",
            "sessionId": SID,
            "cwd": "/srv/kiln",
            "message": {"content": "fire"},
        }
        for n in range(200)
    ]
    (key / f"{SID}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return convert([folder / "home"], folder / "case", options=ConvertOptions(workers=1)).case


def copy_of(case: Path, to: Path) -> Path:
    for path in case.rglob("*"):
        if path.is_file():
            (to / path.relative_to(case)).parent.mkdir(parents=True, exist_ok=True)
            (to / path.relative_to(case)).write_bytes(path.read_bytes())
    return to


def ask_everything(case: Path) -> None:
    with open_case(case) as opened:
        opened.findings()
        for table in opened.manifest["tables"]:
            opened.arrow(table)


TABLES = [
    "files",
    "acquisition",
    "gaps",
    "keys",
    "cwds",
    "cwd_keys",
    "version_rules",
    "segments",
    "lines",
    "text",
    "raw",
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("keep", [0, 10, 0.5])
def test_a_cut_table_is_a_case_that_cannot_be_read(
    whole: Path, tmp_path: Path, table: str, keep: float
) -> None:
    case = copy_of(whole, tmp_path / "case")
    (part,) = [
        case / f["path"] for f in json.loads((case / "manifest.json").read_text())["tables"][table]["files"]
    ]
    data = part.read_bytes()
    part.write_bytes(data[: int(keep * len(data)) if keep < 1 else int(keep)])
    with pytest.raises(CaseError, match="altered"):
        ask_everything(case)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("at", [0.1, 0.4, 0.7, 0.95])
def test_altered_bytes_end_in_an_answer_or_a_case_error(
    whole: Path, tmp_path: Path, table: str, at: float
) -> None:
    case = copy_of(whole, tmp_path / "case")
    (part,) = [
        case / f["path"] for f in json.loads((case / "manifest.json").read_text())["tables"][table]["files"]
    ]
    data = bytearray(part.read_bytes())
    start = int(at * len(data))
    data[start : start + 8] = bytes(byte ^ 0xFF for byte in data[start : start + 8])
    part.write_bytes(data)
    with contextlib.suppress(CaseError):
        ask_everything(case)


def test_a_query_for_another_file_is_the_askers_mistake(whole: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other.parquet"
    copy.write_bytes((whole / "files.parquet").read_bytes())
    with open_case(whole) as opened, pytest.raises(UsageError):
        opened.user_sql(f"select path from '{copy}'")
