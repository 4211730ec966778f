"""Whether a case still is what was taken in, and how its evidence comes back out."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.errors import CaseError, NothingThereError, UsageError
from forensics.ingest import manifest as manifests
from forensics.ingest.faults import Fault
from forensics.ingest.parts import WrittenFile
from forensics.ingest.rebuild import rebuild
from forensics.ingest.verify import verify
from forensics.schema import TABLES
from tests.ingest.cases import manifest_of, take
from tests.ingest.evidence import KEY, PATH, SESSION, answer, say

OTHER = f"{KEY}/11111111-2222-4333-8444-555555555556.jsonl"


def write_root(root: Path) -> Path:
    (root / KEY / SESSION / "subagents").mkdir(parents=True)
    (root / PATH).write_bytes(b"".join(say(f"line {i}", uuid=f"u{i}") + b"\n" for i in range(40)))
    (root / OTHER).write_bytes(answer(uuid="a1") + b"\n" + say()[9:] + b"\n" + answer(uuid="a2"))
    (root / KEY / SESSION / "subagents" / "agent-7.meta.json").write_bytes(b'{"agentType":"plan"}')
    (root / KEY / "notes.txt").write_bytes(b"some notes")
    (root / KEY / "empty.jsonl").write_bytes(b"")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_root(tmp_path / "root")


@pytest.fixture
def case(root: Path, tmp_path: Path) -> Path:
    """A case that took in its evidence twice, with lines added between."""
    case = tmp_path / "case"
    take(root, case)
    with (root / OTHER).open("ab") as file:
        file.write(b"\n" + answer(uuid="a3") + b"\n")
    take(root, case)
    return case


@pytest.fixture(scope="module")
def lasting_case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lasting")
    root = write_root(folder / "root")
    take(root, folder / "case")
    (root / PATH).write_bytes(say() + b"\n")
    take(root, folder / "case")
    return folder / "case"


def problems(case: Path) -> list[Fault]:
    try:
        return verify(case)
    except CaseError as error:
        return [Fault("case", error.message)]


def test_a_whole_case_has_no_fault(case: Path, root: Path) -> None:
    assert verify(case, roots={"x": root}) == []


@given(st.data())
def test_a_flipped_bit_in_any_file_of_a_case_is_found(lasting_case: Path, data: st.DataObject) -> None:
    paths = sorted(path for path in lasting_case.rglob("*") if path.is_file())
    path = data.draw(st.sampled_from(paths))
    before = path.read_bytes()
    at = data.draw(st.integers(0, len(before) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    path.write_bytes(before[:at] + bytes([before[at] ^ bit]) + before[at + 1 :])
    try:
        assert problems(lasting_case), (path.name, at, bit)
    finally:
        path.write_bytes(before)
    assert verify(lasting_case) == []


@given(st.data())
def test_a_file_cut_short_or_grown_is_found(lasting_case: Path, data: st.DataObject) -> None:
    paths = sorted(path for path in lasting_case.rglob("*") if path.is_file())
    path = data.draw(st.sampled_from(paths))
    before = path.read_bytes()
    after = (
        before[: data.draw(st.integers(0, len(before) - 1))] if data.draw(st.booleans()) else before + b"x"
    )
    # Whole lines can be missing at the end of the log: nothing else knows how often a case was added to.
    is_earlier_log = path.name == "runs.jsonl" and after.endswith(b"\n") and after != before
    path.write_bytes(after)
    try:
        assert bool(problems(lasting_case)) is not is_earlier_log, path.name
    finally:
        path.write_bytes(before)


def test_every_missing_file_is_found(case: Path) -> None:
    for path in [path for path in case.rglob("*") if path.is_file()]:
        before = path.read_bytes()
        path.unlink()
        if path.name == "manifest.json":
            with pytest.raises(CaseError, match="not a case"):
                verify(case)
        else:
            assert path.name in {Path(fault.where).name for fault in problems(case)}
        path.write_bytes(before)


@pytest.mark.parametrize("name", ["lines/x-00009.parquet", "extra.txt", "raw/.hidden", "old/files.parquet"])
def test_a_file_that_does_not_belong_is_found(case: Path, name: str) -> None:
    (case / name).parent.mkdir(exist_ok=True)
    (case / name).write_bytes(b"")
    assert verify(case) == [Fault(name, "does not belong to the case")]


def test_a_report_inside_a_case_is_no_fault(case: Path) -> None:
    (case / "report").mkdir()
    (case / "report" / "index.html").write_text("made from it")
    assert verify(case) == []


def test_two_swapped_parts_are_found(case: Path) -> None:
    one, two = sorted((case / "lines").iterdir())[:2]
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)
    assert {fault.where for fault in verify(case)} == {f"lines/{one.name}", f"lines/{two.name}"}


def seal(case: Path) -> None:
    """Make sums and manifest follow what stands in the case, as one who alters it with care would."""
    tables = {}
    for name, entry in manifest_of(case)["tables"].items():
        tables[name] = [
            WrittenFile(
                file["path"],
                pq.read_metadata(case / file["path"]).num_rows,
                (case / file["path"]).stat().st_size,
                hashlib.sha256((case / file["path"]).read_bytes()).hexdigest(),
            )
            for file in entry["files"]
        ]
    document = manifest_of(case)
    entries = {
        name: {
            "digest": hashlib.sha256("".join(f.sha256 for f in files).encode()).hexdigest(),
            "n_rows": sum(file.n_rows for file in files),
            "files": [
                {"path": f.path, "n_rows": f.n_rows, "n_bytes": f.n_bytes, "sha256": f.sha256} for f in files
            ],
        }
        for name, files in tables.items()
    }
    document["tables"] = entries
    document["content_sha256"] = manifests.content_digest(entries)
    manifests.write_json(case / "manifest.json", document)
    manifests.write_sums(case, [file for files in tables.values() for file in files])


def change(case: Path, path: str, edit: Callable[[pa.Table], pa.Table]) -> None:
    """Rewrite one Parquet file."""
    table = pq.ParquetFile(case / path).read()
    pq.write_table(edit(table), case / path)
    seal(case)


def put(table: pa.Table, row: int, name: str, value: object) -> pa.Table:
    values = table.column(name).to_pylist()
    values[row] = value
    at = table.schema.get_field_index(name)
    return table.set_column(at, table.schema.field(name), pa.array(values, table.schema.field(name).type))


def test_sealing_an_unchanged_case_leaves_it_whole(case: Path) -> None:
    seal(case)
    assert verify(case) == []


@pytest.mark.parametrize(
    ("path", "name", "value", "what"),
    [
        ("lines/x-00000.parquet", "line_hash", 1, "the line is not the one that was read"),
        ("lines/x-00000.parquet", "byte_start", 5, "the lines do not follow on each other"),
        ("lines/x-00000.parquet", "n_bytes", 5, "the lines do not follow on each other"),
        ("lines/x-00000.parquet", "line_no", 9, "the lines do not follow on each other"),
        ("raw/x-00000.parquet", "bytes", b"other", "the bytes kept are not those taken in"),
        ("files.parquet", "sha256", "0" * 64, "the bytes kept are not those taken in"),
        ("files.parquet", "n_lines", 7, "the lines do not add up to the file"),
        ("files.parquet", "n_gaps", 7, "its gaps are not as many as it says"),
        ("files.parquet", "generation", 2, "its generations do not follow on each other"),
        ("files.parquet", "size_bytes", 3, "its segments do not add up to its size"),
        ("segments.parquet", "first_byte", 3, "its segments do not follow on each other"),
        ("tool_calls/none.parquet", None, None, "has other columns than its table"),
    ],
)
def test_an_altered_table_is_found_even_under_new_sums(
    case: Path, path: str, name: str | None, value: object, what: str
) -> None:
    if name is None:
        change(case, path, lambda table: table.rename_columns([f"{n}_" for n in table.column_names]))
    else:
        change(case, path, lambda table: put(table, 0, name, value))
    assert what in {fault.what for fault in verify(case)}


def test_a_row_about_a_line_that_is_not_there_is_found(case: Path) -> None:
    change(case, "text/x-00000.parquet", lambda table: put(table, 0, "line_no", 999))
    assert [fault.what for fault in verify(case)] == ["text has a row for it, and it is no line"]


def test_a_row_of_a_file_that_is_not_there_is_found(case: Path) -> None:
    change(case, "gaps.parquet", lambda table: put(table, 0, "file_id", 5))
    assert "is spoken of and is not in files" in {fault.what for fault in verify(case)}


def test_a_chunk_of_bytes_that_is_missing_is_found(case: Path) -> None:
    change(case, "raw/x-00000.parquet", lambda table: table.slice(1))
    assert verify(case)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(("old", "new"), [(b'"n_files": 5', b'"n_files": 6'), (b": ", b":")])
def test_an_edited_line_of_the_log_is_found(case: Path, number: int, old: bytes, new: bytes) -> None:
    lines = (case / "runs.jsonl").read_bytes().split(b"\n")
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    (case / "runs.jsonl").write_bytes(b"\n".join(lines))
    assert Fault(f"runs.jsonl:{number}", "is not as it was written") in verify(case)


def test_a_line_taken_out_of_the_log_is_found(case: Path) -> None:
    lines = (case / "runs.jsonl").read_bytes().split(b"\n")
    (case / "runs.jsonl").write_bytes(b"\n".join(lines[1:]))
    assert verify(case) == [Fault("runs.jsonl:1", "does not follow the line before it")]


def test_an_emptied_log_is_found(case: Path) -> None:
    (case / "runs.jsonl").write_bytes(b"")
    assert [fault.where for fault in verify(case)] == ["runs.jsonl"]


def test_changed_evidence_is_told_when_its_root_is_given(case: Path, root: Path) -> None:
    (root / PATH).write_bytes(say("other") + b"\n")
    (root / OTHER).unlink()
    (root / KEY / "notes.txt").unlink()
    os.mkfifo(root / KEY / "notes.txt")
    assert verify(case) == []
    assert {fault.where: fault.what for fault in verify(case, roots={"x": root})} == {
        f"x/{PATH}": "the evidence has changed since it was taken in",
        f"x/{OTHER}": "cannot be read under its root: No such file or directory",
        f"x/{KEY}/notes.txt": "cannot be read under its root: not a file any more",
    }


def test_evidence_that_only_grew_has_not_changed(case: Path, root: Path) -> None:
    with (root / PATH).open("ab") as file:
        file.write(say() + b"\n")
    assert verify(case, roots={"x": root}) == []


def test_a_root_may_be_named_as_the_source_was(root: Path, tmp_path: Path) -> None:
    take(root / "projects", tmp_path / "case")
    assert verify(tmp_path / "case", roots={"x": root / "projects"}) == []
    assert verify(tmp_path / "case", roots={"x": root}) == []


def test_no_case_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="not a case"):
        verify(tmp_path)


def test_a_case_of_another_major_version_is_an_error(case: Path, root: Path) -> None:
    document = manifest_of(case) | {"schema": "99.0.0"}
    manifests.write_json(case / "manifest.json", document)
    seal(case)
    for call in (lambda: verify(case), lambda: take(root, case), lambda: rebuild(case, case.parent / "to")):
        with pytest.raises(CaseError, match=r"schema 99\.0\.0"):
            call()


def test_everything_comes_back_byte_for_byte_with_its_times(case: Path, root: Path, tmp_path: Path) -> None:
    os.utime(root / PATH, ns=(10**18, 10**18 + 7))
    take(root, case)
    rebuilt = rebuild(case, tmp_path / "to")
    found = {p.relative_to(tmp_path / "to" / "x") for p in (tmp_path / "to").rglob("*") if p.is_file()}
    assert found == {p.relative_to(root) for p in root.rglob("*") if p.is_file()}
    for path in found:
        assert (tmp_path / "to" / "x" / path).read_bytes() == (root / path).read_bytes()
    assert (tmp_path / "to" / "x" / PATH).stat().st_mtime_ns == 10**18 + 7
    assert (rebuilt.n_files, rebuilt.n_noted) == (5, 0)
    assert rebuilt.n_bytes == sum((root / path).stat().st_size for path in found)


@pytest.mark.parametrize("name", [f"x/{PATH}", PATH, f"x/{KEY}/{SESSION}", f"x/{KEY}/{SESSION}/"])
def test_some_of_it_comes_back_by_name(case: Path, tmp_path: Path, name: str) -> None:
    rebuild(case, tmp_path / "to", paths=[name])
    found = [p.name for p in (tmp_path / "to").rglob("*") if p.is_file()]
    assert found == ([f"{SESSION}.jsonl"] if name.endswith(".jsonl") else ["agent-7.meta.json"])


def test_a_name_that_nothing_has_is_told(case: Path, tmp_path: Path) -> None:
    with pytest.raises(NothingThereError):
        rebuild(case, tmp_path / "to", paths=["x/projects/-srv-other"])
    assert not (tmp_path / "to").exists()


def test_a_folder_with_something_in_it_is_refused_and_left_alone(case: Path, tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError):
        rebuild(case, tmp_path / "to")
    assert [p.name for p in (tmp_path / "to").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("kind", ["altered", "missing", "unreadable"])
def test_nothing_is_left_of_a_rebuilding_that_fails(case: Path, tmp_path: Path, kind: str) -> None:
    part = case / "raw" / "x-00000.parquet"
    if kind == "altered":
        change(case, "raw/x-00000.parquet", lambda table: put(table, 0, "bytes", b"other"))
    elif kind == "missing":
        change(case, "raw/x-00000.parquet", lambda table: table.slice(1))
    else:
        part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(CaseError):
        rebuild(case, tmp_path / "to")
    assert list((tmp_path / "to").iterdir()) == []


@pytest.mark.parametrize("path", ["../out.txt", "/tmp/out.txt", "a/../../../out.txt"])
def test_a_case_never_writes_outside_the_folder_it_is_rebuilt_in(
    case: Path, tmp_path: Path, path: str
) -> None:
    change(case, "files.parquet", lambda table: put(table, 0, "path", path))
    (tmp_path / "deep").mkdir()
    with pytest.raises(CaseError, match="leads out"):
        rebuild(case, tmp_path / "deep" / "to")
    assert sorted(p.name for p in (tmp_path / "deep").iterdir()) == ["to"]


def test_a_case_without_bytes_needs_its_roots(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    take(root, case, raw=False)
    assert verify(case, roots={"x": root}) == []
    with pytest.raises(UsageError, match="keeps no bytes"):
        rebuild(case, tmp_path / "to")
    with pytest.raises(UsageError, match="no root for x"):
        rebuild(case, tmp_path / "to", roots={"y": root})
    rebuild(case, tmp_path / "to", roots={"x": root})
    assert (tmp_path / "to" / "x" / PATH).read_bytes() == (root / PATH).read_bytes()
    (root / PATH).write_bytes(say("other") + b"\n")
    shutil.rmtree(tmp_path / "to")
    with pytest.raises(CaseError, match="changed"):
        rebuild(case, tmp_path / "to", roots={"x": root})


def test_the_log_says_what_each_run_took_in(case: Path) -> None:
    first, second = (json.loads(line) for line in (case / "runs.jsonl").read_bytes().split(b"\n")[:-1])
    assert first["previous_sha256"] is None
    assert (first["n_files"], second["n_files"]) == (5, 5)
    assert second["n_read_bytes"] == len(b"\n" + answer(uuid="a3") + b"\n")


def test_the_sums_are_those_that_sha256sum_checks(case: Path) -> None:
    lines = (case / "SHA256SUMS").read_text().split("\n")[:-1]
    listed = {line[66:]: line[:64] for line in lines}
    on_disk = {p.relative_to(case).as_posix() for p in case.rglob("*") if p.is_file()}
    assert set(listed) == on_disk - {"SHA256SUMS", "runs.jsonl"}
    for name, digest in listed.items():
        assert hashlib.sha256((case / name).read_bytes()).hexdigest() == digest
    assert set(manifest_of(case)["tables"]) == set(TABLES)
