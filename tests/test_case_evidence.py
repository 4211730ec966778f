"""Evidence read back from a case that was written by hand: the very bytes, or an error."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensics.case import Case, open_case
from forensics.errors import CaseError, NothingThereError
from forensics.ingest.convert import ConvertOptions, convert
from tests.case_builder import LINES, PATH, rows_of_one_file, write_case

SESSION = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(write_case(tmp_path / "case", rows_of_one_file())) as opened:
        yield opened


def test_a_line_reads_back_to_its_bytes_and_is_checked(case: Case) -> None:
    for number, data in enumerate(LINES, 1):
        evidence = case.show(f"home/{PATH}#L{number}")
        assert evidence.data == data
        assert evidence.verified
        assert evidence.sha256 == hashlib.sha256(data).hexdigest()
    assert case.show(f"home/{PATH}").data == b"\n".join(LINES) + b"\n"


def test_a_folder_reads_back_as_the_paths_below_it(case: Case) -> None:
    assert case.show("home/projects/-srv-shop/").data == f"{PATH}\n".encode()
    assert case.show("home/projects/-srv-empty/").data == b""


@pytest.mark.parametrize(
    "ref", [f"home/{PATH}#L4", f"home/{PATH}#L1.1", "home/nowhere#L1", "away/x", "home/projects/-srv-x/"]
)
def test_a_reference_to_nothing_is_told(case: Case, ref: str) -> None:
    with pytest.raises(NothingThereError):
        case.show(ref)


def test_a_reference_that_pins_other_bytes_is_refused(case: Case) -> None:
    right = hashlib.sha256(LINES[0]).hexdigest()[:12]
    assert case.show(f"home/{PATH}#L1@{right}").verified
    with pytest.raises(CaseError):
        case.show(f"home/{PATH}#L1@{'0' * 12}")


def test_altered_bytes_are_never_shown_as_evidence(tmp_path: Path) -> None:
    rows = rows_of_one_file()
    rows["raw"][0]["bytes"] = rows["raw"][0]["bytes"].replace(b"shop", b"shed")
    with open_case(write_case(tmp_path / "case", rows)) as case:
        with pytest.raises(CaseError, match="not those that were taken in"):
            case.show(f"home/{PATH}#L1")
        other = case.show(f"home/{PATH}#L3")
        assert other.data == LINES[2]
        assert not other.verified


def test_missing_bytes_are_told(tmp_path: Path) -> None:
    rows = rows_of_one_file()
    del rows["raw"][1]
    with open_case(write_case(tmp_path / "case", rows)) as case, pytest.raises(CaseError, match="not hold"):
        case.show(f"home/{PATH}#L3")


def test_without_raw_the_root_is_read_and_checked(tmp_path: Path) -> None:
    root = tmp_path / "root"
    target = root / PATH
    target.parent.mkdir(parents=True)
    target.write_bytes(b"\n".join(LINES) + b"\n")
    with open_case(write_case(tmp_path / "case", rows_of_one_file(), absent=["raw"])) as case:
        with pytest.raises(CaseError, match="without the raw bytes") as caught:
            case.show(f"home/{PATH}#L1")
        assert "--root home=" in str(caught.value.hint)
        roots = {"home": root}
        assert case.show(f"home/{PATH}#L2", roots=roots).data == LINES[1]
        target.write_bytes(b"\n".join(LINES) + b"\n" + b"{}\n")
        assert case.show(f"home/{PATH}#L2", roots=roots).verified, "an appended file still begins with it"
        target.write_bytes(b"short")
        with pytest.raises(CaseError):
            case.show(f"home/{PATH}#L2", roots=roots)


def test_a_quote_is_one_readable_row(case: Case) -> None:
    assert case.quote(f"home/{PATH}#L1") == "user · /srv/shop"
    assert case.quote(f"home/{PATH}#L3") == "torn"
    assert case.quote(f"home/{PATH}") == ""


def write_transcript(root: Path) -> Path:
    """A home with one transcript of one line."""
    path = root / "projects" / "-srv-shop" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(f'{{"type":"user","uuid":"u1","sessionId":"{SESSION}","cwd":"/srv/shop"}}\n')
    return path


def test_a_root_may_be_named_by_its_projects_folder(tmp_path: Path) -> None:
    path = write_transcript(tmp_path / "home")
    options = ConvertOptions(workers=1, raw=False)
    made = convert([f"home={tmp_path / 'home' / 'projects'}"], tmp_path / "case", options=options).case
    with open_case(made) as case:
        for root in (tmp_path / "home", tmp_path / "home" / "projects"):
            shown = case.show(f"home/projects/-srv-shop/{SESSION}.jsonl#L1", roots={"home": root})
            assert shown.data + b"\n" == path.read_bytes()


def test_a_pipe_where_evidence_was_is_told_and_waited_for_by_nobody(tmp_path: Path) -> None:
    path = write_transcript(tmp_path / "home")
    options = ConvertOptions(workers=1, raw=False)
    made = convert([f"home={tmp_path / 'home'}"], tmp_path / "case", options=options).case
    path.unlink()
    os.mkfifo(path)
    with open_case(made) as case, pytest.raises(CaseError):
        case.show(f"home/projects/-srv-shop/{SESSION}.jsonl#L1", roots={"home": tmp_path / "home"})
