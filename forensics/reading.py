"""Reading a case back: the very bytes a reference names, checked by their hashes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import xxhash

from forensics.display import row_text
from forensics.errors import CaseError, NothingThereError
from forensics.ingest.scan import ReadFailedError, open_evidence, read_range
from forensics.ingest.sources import home_of
from forensics.refs import Ref, format_ref

_WINDOW = 32 * 1024 * 1024

Query = Callable[[str, Mapping[str, object]], pa.Table]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The bytes a reference names.

    `verified` is true when they have the hash taken at conversion and the whole file still has its SHA-256.
    For a folder `data` lists the paths below it.
    """

    ref: str
    path: str
    line_no: int | None
    part: int
    byte_start: int | None
    n_bytes: int
    sha256: str
    data: bytes
    verified: bool


@dataclass(frozen=True, slots=True)
class _File:
    file_id: int
    generation: int
    label: str
    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads bytes from a case's `raw` table, or from a root when the case has none.

    What was `derived` from another case has none and matches no root.
    """

    query: Query
    has_raw: bool
    derived: Mapping[str, Any] | None = None
    _whole: dict[tuple[int, int, str], bool] = field(default_factory=dict)

    def show(self, ref: Ref, *, roots: Mapping[str, Path]) -> Evidence:
        """The bytes of a line, a file or a folder.

        Raises:
            NothingThereError: no such place in this case.
            CaseError: the bytes are not those that were taken in.
        """
        if ref.is_folder:
            return self._show_folder(ref)
        file = self._find(ref)
        if ref.line_no is None:
            start, size, want = 0, file.size, None
        else:
            start, size, want = self._span(ref, file)
        data = b"".join(self._bytes(file, start, size, roots))
        digest = hashlib.sha256(data).hexdigest()
        if want is not None and xxhash.xxh3_64_intdigest(data) != want:
            raise CaseError(
                "these bytes are not those that were taken in",
                where=format_ref(ref),
                hint="check the case with `forensics verify`",
            )
        if ref.digest12 is not None and not digest.startswith(ref.digest12):
            raise CaseError("the line is not the one that the reference was made of", where=format_ref(ref))
        return Evidence(
            ref=format_ref(ref),
            path=file.path,
            line_no=ref.line_no,
            part=ref.part,
            byte_start=start,
            n_bytes=len(data),
            sha256=digest,
            data=data,
            verified=self._is_whole(file, roots),
        )

    def line(self, ref: Ref, *, roots: Mapping[str, Path]) -> bytes:
        """The bytes of a line, without a look at the rest of its file."""
        file = self._find(ref)
        start, size, _ = self._span(ref, file)
        return b"".join(self._bytes(file, start, size, roots))

    def _find(self, ref: Ref) -> _File:
        if self.derived is not None:
            raise CaseError(
                "a redacted case holds no bytes of the evidence",
                where=format_ref(ref),
                hint=f"they are in the case with the content digest {self.derived['from_content_sha256']}",
            )
        path = ref.path.encode("utf-8", "surrogateescape")
        digest = hashlib.sha256(ref.label.encode() + b"\0" + path).digest()
        file_id = int.from_bytes(digest[:8], "big") >> 1
        rows = self.query(
            "select generation, label, path, size_bytes, sha256 from files_all"
            " where file_id = $file_id and ($generation is null or generation = $generation)"
            " order by generation desc limit 1",
            {"file_id": file_id, "generation": ref.generation},
        ).to_pylist()
        if not rows:
            raise NothingThereError("no such file in this case", where=format_ref(ref))
        row = rows[0]
        if row["sha256"] is None:
            raise NothingThereError(
                "this file was not read; the table gaps says why",
                where=format_ref(ref),
                hint="see `forensics sql 'select class, field from gaps'`",
            )
        return _File(
            file_id, row["generation"], row["label"], ref.path, row["size_bytes"], str(row["sha256"])
        )

    def _span(self, ref: Ref, file: _File) -> tuple[int, int, int]:
        rows = self.query(
            "select byte_start, n_bytes, line_hash from lines_all where file_id = $file_id"
            " and generation = $generation and line_no = $line_no and part = $part"
            " order by byte_start, n_bytes desc",
            {
                "file_id": file.file_id,
                "generation": file.generation,
                "line_no": ref.line_no,
                "part": ref.part,
            },
        ).to_pylist()
        if not rows:
            raise NothingThereError(
                "the file has no such line", where=format_ref(ref), hint="lines begin at 1, parts at 0"
            )
        return rows[0]["byte_start"], rows[0]["n_bytes"], rows[0]["line_hash"]

    def _bytes(self, file: _File, start: int, size: int, roots: Mapping[str, Path]) -> Iterator[bytes]:
        for begin in range(start, start + size, _WINDOW):
            end = min(begin + _WINDOW, start + size)
            if self.has_raw:
                yield self._from_raw(file, begin, end)
            else:
                yield _from_root(file, begin, end, roots)

    def _from_raw(self, file: _File, begin: int, end: int) -> bytes:
        rows = self.query(
            "select byte_start, bytes from raw_all where file_id = $file_id and generation = $generation"
            " and byte_start < $end_ and byte_start + octet_length(bytes) > $begin_"
            " order by byte_start, octet_length(bytes)",
            {"file_id": file.file_id, "generation": file.generation, "begin_": begin, "end_": end},
        )
        out = bytearray()
        for chunk, data in zip(
            rows.column("byte_start").to_pylist(), rows.column("bytes").to_pylist(), strict=True
        ):
            at = begin + len(out)
            if chunk <= at < chunk + len(data):
                out += data[at - chunk : end - chunk]
        if len(out) != end - begin:
            raise CaseError("the case does not hold these bytes", where=f"{file.label}/{file.path}")
        return bytes(out)

    def _is_whole(self, file: _File, roots: Mapping[str, Path]) -> bool:
        key = (file.file_id, file.generation, str(roots.get(file.label, "")))
        if key not in self._whole:
            digest = hashlib.sha256()
            for data in self._bytes(file, 0, file.size, roots):
                digest.update(data)
            self._whole[key] = digest.hexdigest() == file.sha256
        return self._whole[key]

    def _show_folder(self, ref: Ref) -> Evidence:
        rows = self.query(
            "select path, sha256 from files where label = $label and starts_with(path, $path) order by path",
            {"label": ref.label, "path": ref.path},
        )
        known = (
            rows.num_rows
            or self.query(
                "select 1 from keys where label = $label"
                " and starts_with(key_folder(home, project_key), $path)",
                {"label": ref.label, "path": ref.path},
            ).num_rows
        )
        if not known:
            raise NothingThereError("no such folder in this case", where=format_ref(ref))
        text = "".join(f"{path}\n" for path in rows.column("path").to_pylist())
        data = text.encode("utf-8")
        return Evidence(
            ref=format_ref(ref),
            path=ref.path,
            line_no=None,
            part=0,
            byte_start=None,
            n_bytes=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            data=data,
            verified=True,
        )


def _from_root(file: _File, begin: int, end: int, roots: Mapping[str, Path]) -> bytes:
    root = roots.get(file.label)
    where = f"{file.label}/{file.path}"
    if root is None:
        raise CaseError(
            "this case was made without the raw bytes",
            where=where,
            hint=f"say where the evidence is: --root {file.label}=PATH",
        )
    path = root.resolve() if root.is_file() else home_of(root) / file.path
    try:
        fd = open_evidence(path)
        try:
            data = b"".join(read_range(fd, begin, end))
        finally:
            os.close(fd)
    except ReadFailedError as error:
        raise CaseError(f"cannot read the root: {error}", where=where) from error
    except OSError as error:
        raise CaseError(f"cannot read the root: {error.strerror}", where=where) from error
    if len(data) != end - begin:
        raise CaseError("the file is shorter than it was when it was taken in", where=where)
    return data


def _prose(record: Mapping[str, Any]) -> str:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else record.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [block.get("text") for block in content if isinstance(block, dict)]
        return " ".join(text for text in texts if isinstance(text, str))
    return ""


def quote_line(data: bytes, width: int, *, prose: bool = True) -> str:
    """A line of evidence as one readable row: what identifies it first, then its text.

    A line that is no JSON object is quoted as it stands.
    """
    text = data[: 1024 * 1024].decode("utf-8", "replace")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return row_text(text, width)
    if not isinstance(record, dict):
        return row_text(text, width)
    kind = "/".join(str(record[name]) for name in ("type", "subtype") if isinstance(record.get(name), str))
    facts = [str(record[name]) for name in ("timestamp", "cwd") if isinstance(record.get(name), str)]
    said = _prose(record) if prose else ""
    if not facts and not said:
        return row_text(text, width)
    return row_text(" · ".join([kind, *facts, *([said] if said else [])]), width)
