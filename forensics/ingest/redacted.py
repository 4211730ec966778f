"""A case to hand on: every table masked, no bytes of the evidence, no hash by which they could be guessed.

What depends on names is made anew from the masked ones: ids of files, keys of directories, what the spelling
of a directory tells. Hashes become numbers: equal ones stay equal, and nothing else is told.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forensics.alive.with_schema import WITH_TABLES
from forensics.errors import CaseError, SourceError, UsageError
from forensics.host.probe_schema import PROBE_TABLES
from forensics.ingest import derive, manifest, publish
from forensics.ingest.masking import KeyMasks, Mask, NameMasks
from forensics.ingest.parts import TableWriter, WrittenFile, write_rows
from forensics.ingest.plan import file_id_of
from forensics.ingest.sources import is_inside, label_of
from forensics.keys import LIMIT, load_rules
from forensics.manifests import MANIFEST, read_manifest
from forensics.schema import TABLES, Table
from forensics.sources.claude_code.marks import hash_text

Row = dict[str, Any]

KIND = "redacted"
_HASHES = "numbered: equal bytes have equal numbers"
_TABLES: Mapping[str, Table] = {**TABLES, **PROBE_TABLES, **WITH_TABLES}
_DROPPED = {"path_bytes", "etag"}
"""The exact path is a name; an object store's tag is a hash of the bytes."""

_WORDS_TEXT = """
kind role state status class kept field type subtype ts_source prompt_class form style rule basis alias agent
agent_version entrypoint stop_reason model tool_name told_by version
"""
_WORDS = frozenset(_WORDS_TEXT.split())
_NAME_IS_WORD = frozenset({"marks", "probe_host"})
_SPELLED = {"cwd_keys": "spelling", "probe_keys": "real_path"}
"""Tables of what a rule gives for a spelling, with its column."""
_HASHED = ("title", "summary", "last_prompt", "notice")
"""Kinds of text that a hash in marks stands for."""
_PROSE = frozenset({"text", "note"})


@dataclass(frozen=True, slots=True)
class Redacted:
    """What was written; `n_masked` are the names and texts that are not as they were."""

    case: Path
    n_rows: int
    n_masked: int


class _Numbers:
    """Numbers for hashes, in the order in which these are met."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}

    def __call__(self, value: Any) -> int:
        return self._known.setdefault(value, len(self._known) + 1)


class _Masker:
    """Masks the columns of one case, all of them the same way."""

    def __init__(self, case: Path, document: Mapping[str, Any], *, mask: Mask, mask_word: Mask) -> None:
        self._case = case
        self._document = document
        self.names = NameMasks(mask, mask_word=mask_word)
        self._labels: dict[str, str] = {}
        self._lines, self._files, self._others = _Numbers(), _Numbers(), _Numbers()
        self._titles: dict[str, str] = {}
        cwd_keys = self.rows("cwd_keys")
        keys = [row["project_key"] for row in self.rows("keys")]
        self.key = KeyMasks(self.names, keys=keys, cwd_keys=cwd_keys, ruleset=load_rules())
        self.files = [self._mask_file(row) for row in self.rows("files")]
        self._ids = {
            old["file_id"]: new["file_id"] for old, new in zip(self.rows("files"), self.files, strict=True)
        }

    def tables(self, table: str) -> Iterator[tuple[str, pa.Table]]:
        """Path and rows of each file of a table, checked against the manifest."""
        for file in self._document["tables"].get(table, {"files": []})["files"]:
            data = (self._case / file["path"]).read_bytes()
            if hashlib.sha256(data).hexdigest() != file["sha256"]:
                where = str(self._case / file["path"])
                raise CaseError(
                    "the case was altered since it was written", where=where, hint="forensics verify"
                )
            yield file["path"], pq.ParquetFile(pa.BufferReader(data)).read()

    def rows(self, table: str) -> list[Row]:
        """The rows of a table that is one file."""
        return [row for _, rows in self.tables(table) for row in rows.to_pylist()]

    def label(self, label: str) -> str:
        """The masked label, which still is one."""
        if label not in self._labels:
            wanted = self.names.prose(label)
            wanted = label if wanted == label else label_of(wanted)
            self._labels[label] = self.names.unique(label, wanted, space=("label",), sign="-")
        return self._labels[label]

    def stem(self, stem: str) -> str:
        """The masked name of a part, which begins with a label."""
        label, dash, number = stem.rpartition("-")
        return f"{self.label(label)}{dash}{number}" if dash else stem

    def _home(self, label: str, home: str) -> str:
        return self.names.path(home, below=label)

    def _mask_file(self, row: Row) -> Row:
        label, path = self.label(row["label"]), row["path"]
        home = None if row["home"] is None else self._home(row["label"], row["home"])
        masked = self.names.path(path, below=row["label"])
        if row["project_key"] is not None:
            folder = _folder(row["home"], row["project_key"])
            if path.startswith(folder):
                rest = self.names.path(path.removeprefix(folder), below=f"{row['label']}/{folder}")
                masked = f"{_folder(home or '.', self.key(row['project_key']))}{rest}"
        return {
            **{name: self._cell("files", name)(value) for name, value in row.items() if value is not None},
            **{name: None for name, value in row.items() if value is None or name in _DROPPED},
            "file_id": file_id_of(label, masked.encode()),
            "label": label,
            "home": home,
            "path": masked,
        }

    def learn_titles(self) -> None:
        """Take note of what the hash of each masked text is: a hash in marks stands for one."""
        for _, rows in self.tables("text"):
            hashed = pc.is_in(rows.column("kind"), pa.array(_HASHED))
            for text in rows.filter(hashed).column("text").to_pylist():
                old, new = hash_text(text), hash_text(self.names.prose(text))
                if old != new:
                    self._titles.setdefault(old, self.names.unique(old, new, space=("title",)))
                else:
                    self._titles.setdefault(old, old)

    def _title(self, value: str) -> str:
        if value not in self._titles:
            self._titles[value] = f"text {self._others(value)}"
        return self._titles[value]

    def _cell(self, table: str, name: str) -> Callable[[Any], Any]:
        """How the values of a column are masked."""
        special: Mapping[str, Callable[[Any], Any]] = {
            "label": self.label,
            "part_stem": self.stem,
            "line_hash": self._lines,
            "file_id": lambda value: self._ids[value],
            "sha256": lambda value: f"bytes {self._files(value)}",
        }
        if name in _DROPPED:
            return lambda value: None
        if table == "files" and name == "file_id":
            return lambda value: value
        if name in special:
            return special[name]
        if name == "project_key":
            return self.key
        if name in _PROSE:
            return self.names.prose
        if name in _WORDS or (name == "name" and table in _NAME_IS_WORD):
            return self.names.word
        return lambda value: self.names.name(value) if isinstance(value, str) else value

    def columns(self, table: str, rows: pa.Table) -> dict[str, pa.Array]:
        """The masked columns of some rows, as a writer takes them."""
        made: dict[str, pa.Array] = {}
        for column in _TABLES[table].columns:
            if column.name not in rows.column_names:
                made[column.name] = pa.nulls(rows.num_rows)
                continue
            values = rows.column(column.name).combine_chunks()
            if pa.types.is_string(values.type) or column.name in {"file_id", "line_hash"}:
                values = _map_distinct(values, self._cell(table, column.name))
            elif column.name in _DROPPED:
                values = pa.nulls(rows.num_rows)
            made[column.name] = values
        if table == "marks":
            self._mask_titles(rows, made)
        return made

    def _mask_titles(self, rows: pa.Table, made: dict[str, Any]) -> None:
        masked = made["value"].to_pylist()
        for at, name in enumerate(rows.column("name").to_pylist()):
            if name.endswith("_hash"):
                masked[at] = self._title(rows.column("value")[at].as_py())
        made["value"] = pa.array(masked, pa.string())

    def whole(self, table: str) -> list[Row]:
        """The masked rows of a table that is one file."""
        rows = self.rows(table)
        if table == "files":
            return self.files
        if table == "keys":
            return [self._mask_key_row(row) for row in rows]
        if table == "cwds":
            return derive.cwd_rows({self.names.name(row["cwd"]): row["n_lines"] for row in rows})
        if spelled := _SPELLED.get(table):
            return [self._mask_given(table, row, row[spelled]) for row in rows]
        return self._mask_rows(table, rows)

    def _mask_rows(self, table: str, rows: list[Row]) -> list[Row]:
        cells = {column.name: self._cell(table, column.name) for column in _TABLES[table].columns}
        return [
            {name: None if row.get(name) is None else cell(row[name]) for name, cell in cells.items()}
            for row in rows
        ]

    def _mask_given(self, table: str, row: Row, spelling: str) -> Row:
        [masked] = self._mask_rows(table, [{**row, "key": None}])
        return {**masked, "key": self.key.given(row["key"], spelling=spelling, rule=row["rule"])}

    def _mask_key_row(self, row: Row) -> Row:
        key = self.key(row["project_key"])
        is_long = len(key) > LIMIT
        return {
            **row,
            "label": self.label(row["label"]),
            "home": self._home(row["label"], row["home"]),
            "project_key": key,
            "prefix_200": key[:LIMIT] if is_long else None,
            "suffix": key[LIMIT:].removeprefix("-") if is_long else None,
        }


def _folder(home: str, key: str) -> str:
    return f"{'' if home == '.' else f'{home}/'}projects/{key}/"


def _map_distinct(values: pa.Array, mask: Callable[[Any], Any]) -> pa.Array:
    """The values masked, each distinct one once."""
    encoded = values.dictionary_encode()
    masked = pa.array([mask(value) for value in encoded.dictionary.to_pylist()], values.type)
    return pa.DictionaryArray.from_arrays(encoded.indices, masked).dictionary_decode()


def _write_tables(masker: _Masker, document: Mapping[str, Any], folder: Path) -> dict[str, list[WrittenFile]]:
    written: dict[str, list[WrittenFile]] = {}
    for name in sorted(set(document["tables"]) & set(_TABLES) - {"raw"}):
        table = _TABLES[name]
        if not table.in_parts:
            written[name] = [write_rows(table, folder, masker.whole(name))]
            continue
        written[name] = []
        for path, rows in masker.tables(name):
            writer = TableWriter(table, folder, f"{name}/{masker.stem(Path(path).stem)}.parquet")
            if rows.num_rows:
                writer.add_arrays(masker.columns(name, rows))
            written[name].append(writer.close())
    return written


def _sources(masker: _Masker, document: Mapping[str, Any]) -> list[Row]:
    same = {row["label"]: row.get("same_as") for row in document["sources"]}
    return [
        {
            **row,
            "label": masker.label(row["label"]),
            "same_as": None if same[row["label"]] is None else masker.label(same[row["label"]]),
            "sha256": None,
        }
        for row in document["sources"]
    ]


def _outside(masker: _Masker, document: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {
            "kind": row["kind"],
            "label": masker.label(row["label"])
            if row["kind"] == "probe"
            else masker.names.name(row["label"]),
        }
        for row in document.get("outside", [])
    ]


def _check_place(case: Path, out: Path) -> None:
    one, other = str(case.resolve()), str(out.resolve())
    if is_inside(one, other) or is_inside(other, one):
        raise UsageError(f"the redacted case may not lie in the one it is made of: {out}")
    publish.check_place(out)
    try:
        there = json.loads((out / MANIFEST).read_bytes())
    except FileNotFoundError:
        return
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{out} cannot be read as a case", hint="name another folder") from error
    if not isinstance(there, dict) or not there.get("derived"):
        raise UsageError(f"{out} is a case of evidence: it stays as it is", hint="name another folder")


def write_redacted(case: Path, out: Path, *, mask: Mask, mask_word: Mask) -> Redacted:
    """Write the case at `out` that can be handed on; `mask_word` masks the words of a format.

    Raises:
        UsageError: `out` holds something else than a redacted case.
        CaseError: the case cannot be read, or was altered.
        SourceError: the disk failed.
        LockedError: another process writes the case at `out`.
    """
    document = read_manifest(case)
    out = out.resolve()
    _check_place(case, out)
    try:
        with publish.locked(out), publish.staging(out) as folder:
            return _write(
                case, out, folder, document, _Masker(case, document, mask=mask, mask_word=mask_word)
            )
    except OSError as error:
        where = str(out)
        raise SourceError(f"the case could not be written: {error.strerror or error}", where=where) from error


def _write(case: Path, out: Path, folder: Path, document: Mapping[str, Any], masker: _Masker) -> Redacted:
    masker.learn_titles()
    tables = _write_tables(masker, document, folder)
    made = manifest.make_manifest(
        tables,
        ruleset=document["ruleset"],
        sources=_sources(masker, document),
        outside=_outside(masker, document),
        options={"raw": False, "text": document["options"]["text"]},
        as_of=document["as_of"],
        as_of_basis=document["as_of_basis"],
        is_trimmed=document["segments_trimmed"],
    )
    derived = {
        "kind": KIND,
        "from_content_sha256": document["content_sha256"],
        "masks": masker.names.n_masked,
        "hashes": _HASHES,
    }
    manifest.write_json(folder / MANIFEST, {**made, "derived": derived})
    manifest.write_sums(folder, [file for files in tables.values() for file in files])
    record = {"started_at": datetime.now(UTC).isoformat(timespec="seconds"), "derived": derived}
    manifest.append_run(folder / manifest.RUNS, folder / manifest.RUNS, record)
    publish.publish(folder, out)
    return Redacted(out, sum(made["counts"].values()), masker.names.n_masked)
