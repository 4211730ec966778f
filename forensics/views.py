"""The SQL by which a case's Parquet files become views; text only, nothing is opened here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from forensics.alive.with_schema import WITH_TABLES
from forensics.errors import CaseError, ContractError, ForensicsError, UsageError
from forensics.host.probe_schema import PROBE_TABLES
from forensics.schema import TABLES, Table
from forensics.spec import ModelSpec

# What a case may hold; what comes from outside the transcripts is there only when it was given.
CASE_TABLES: Mapping[str, Table] = {**TABLES, **PROBE_TABLES, **WITH_TABLES}

# A file of the evidence is named by its id; a folder by its label and path, because it has no id.
REF_TYPE = (
    "struct(file_id bigint, generation integer, line_no bigint, part integer, label varchar, folder varchar)"
)

MACROS = (
    f"create macro line_ref(f, g, l, p) as row(f, g, l, p, null, null)::{REF_TYPE}",
    f"create macro file_ref(f, g) as row(f, g, null, null, null, null)::{REF_TYPE}",
    f"create macro folder_ref(l, d) as row(null, null, null, null, l, d)::{REF_TYPE}",
    "create macro projects_folder(h) as case when h = '.' then '' else h || '/' end || 'projects/'",
    "create macro key_folder(h, k) as projects_folder(h) || k || '/'",
    f"create macro key_ref(l, h, k) as row(null, null, null, null, l, key_folder(h, k))::{REF_TYPE}",
    r"create macro lies_in(p, d) as p = d or starts_with(p, d || '/') or starts_with(p, d || '\')",
    f"create macro sort_refs(r) as list_sort(list_distinct(coalesce(r, []::{REF_TYPE}[])))",
)

# Tables that are filtered by file alone, whether or not lines were trimmed.
_SMALL = frozenset({"acquisition", "gaps", "segments"})

_DUCK_TYPES: Mapping[pa.DataType, str] = {
    pa.string(): "varchar",
    pa.int64(): "bigint",
    pa.int32(): "integer",
    pa.uint64(): "ubigint",
    pa.bool_(): "boolean",
    pa.binary(): "blob",
    pa.float64(): "double",
    pa.timestamp("us", tz="UTC"): "timestamp with time zone",
}


def quote_text(text: str) -> str:
    """The text as a SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def quote_name(name: str) -> str:
    """The name as a SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def escape_glob(path: Path) -> str:
    """The path with each sign of a pattern made literal: `[x]` in a folder's name is no pattern."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def read_parquet(paths: Sequence[Path], *, with_file: bool = False) -> str:
    """A table expression over exactly these files, in this order."""
    files = ", ".join(quote_text(escape_glob(path)) for path in paths)
    extra = ", filename = true" if with_file else ""
    return f"read_parquet([{files}], hive_partitioning = false{extra})"


def select_columns(table: str, present: frozenset[str]) -> str:
    """The select list of a table; a column that the writer did not know is a typed null."""
    return ", ".join(
        quote_name(column.name)
        if column.name in present
        else f"null::{_DUCK_TYPES[column.type]} as {quote_name(column.name)}"
        for column in CASE_TABLES[table].columns
    )


def values_of(tree: object, key: str) -> Iterator[str]:
    """Yield the texts that stand under a key anywhere in a query's syntax tree."""
    if isinstance(tree, dict):
        if isinstance(value := tree.get(key), str):
            yield value
        for child in tree.values():
            yield from values_of(child, key)
    elif isinstance(tree, list):
        for child in tree:
            yield from values_of(child, key)


@dataclass(frozen=True, slots=True)
class Named:
    """What a query names; `is_refused` when it could not be parsed as a SELECT."""

    is_refused: bool
    tables: frozenset[str]
    functions: frozenset[str]
    node_types: frozenset[str]


def names_in(tree: Mapping[str, object]) -> Named:
    """What stands in a query's syntax tree."""
    return Named(
        is_refused=bool(tree["error"]),
        tables=frozenset(values_of(tree, "table_name")),
        functions=frozenset(values_of(tree, "function_name")),
        node_types=frozenset(values_of(tree, "type")),
    )


def order_models(uses: Callable[[str], frozenset[str]], wanted: frozenset[str]) -> tuple[str, ...]:
    """The wanted models with all they use, each after what it uses.

    Raises:
        ValueError: a model uses itself, directly or through others.
    """
    done: list[str] = []
    open_: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in open_:
            raise ValueError(" -> ".join([*open_, name]))
        open_.append(name)
        for used in sorted(uses(name)):
            visit(used)
        open_.pop()
        done.append(name)

    for name in sorted(wanted):
        visit(name)
    return tuple(done)


def table_views(table: str, paths: Sequence[Path], present: frozenset[str], *, trimmed: bool) -> list[str]:
    """The statements that make the views `<table>_all` and `<table>` over Parquet files.

    The one shows every row ever taken in, the other those of the evidence as it was seen last. A part file
    may hold rows that no longer count; `trimmed` says that some do. Without paths both views are empty.
    """
    columns = CASE_TABLES[table].names
    listed = select_columns(table, present)
    whole = f"select {listed} where false" if not paths else f"select {listed} from {read_parquet(paths)}"
    own = ", ".join(f"t.{quote_name(name)}" for name in columns)
    if table == "files":
        current = f"select {own} from files_all as t where t.is_current"
    elif not paths or "generation" not in columns or not (trimmed or table in _SMALL):
        current = f"select {own} from {table}_all as t"
    elif "part" in columns and table not in _SMALL:
        stem = "regexp_extract(filename, '([^/]+)[.]parquet$', 1)"
        current = (
            f"select {own} from (select {listed}, {stem} as part_stem from"
            f" {read_parquet(paths, with_file=True)}) as t semi join segments as s on t.file_id = s.file_id"
            " and t.generation = s.generation and t.part_stem = s.part_stem"
            " and t.line_no between s.first_line and s.last_line"
        )
    else:
        current = (
            f"select {own} from {table}_all as t semi join files as f"
            " on t.file_id = f.file_id and t.generation = f.generation"
        )
    return [f"create view {table}_all as {whole}", f"create view {table} as {current}"]


def partial_of(path: Path) -> Path:
    """Where a file is written before it gets its name.

    Raises:
        UsageError: something stands at the path already.
    """
    if path.exists():
        raise UsageError(f"{path} is there already", hint="name a new file: nothing is overwritten")
    return path.with_name(f".{path.name}.partial")


def export_tables(view_statements: Sequence[str], present: Iterable[str]) -> Iterator[str]:
    """Statements that copy the tables of a case into a database, each with the meaning of its columns."""
    yield "create schema source"
    yield "use source"
    yield from view_statements
    yield "use main"
    for name in sorted({*present} & {*CASE_TABLES}):
        yield f"create table main.{quote_name(name)} as from source.{quote_name(name)}"
        yield f"create table main.{quote_name(name + '_all')} as from source.{quote_name(name + '_all')}"
    yield "create table main.case_info as from source.case_info"
    yield "drop schema source cascade"
    for name in sorted({*present} & {*CASE_TABLES}):
        yield f"comment on table {quote_name(name)} is {quote_text(CASE_TABLES[name].doc)}"
        for column in CASE_TABLES[name].columns:
            where = f"{quote_name(name)}.{quote_name(column.name)}"
            yield f"comment on column {where} is {quote_text(column.doc)}"


def comments(models: Mapping[str, ModelSpec]) -> Iterator[str]:
    """Statements that say what each model and its columns mean."""
    for name, model in models.items():
        yield f"comment on table {quote_name(name)} is {quote_text(model.doc)}"
        for column, doc in model.columns.items():
            yield f"comment on column {quote_name(name)}.{quote_name(column)} is {quote_text(doc)}"


_OF_THE_QUERY = ("Permission", "Binder", "Catalog", "Parser", "Syntax", "Conversion")


def altered_file(case: Path, manifest: Mapping[str, Any]) -> str | None:
    """The first file of a case that is not the one its manifest names, if any."""
    for table in manifest["tables"].values():
        for file in table["files"]:
            try:
                with (case / file["path"]).open("rb") as opened:
                    digest = hashlib.file_digest(opened, "sha256").hexdigest()
            except OSError:
                return str(file["path"])
            if digest != file.get("sha256", digest):
                return str(file["path"])
    return None


def error_of(
    text: str, case: Path, manifest: Mapping[str, Any], *, model: Path | None = None
) -> ForensicsError:
    """What a failed query means: the question is wrong, a file of the case is altered, or a model is."""
    if not text.startswith(_OF_THE_QUERY) and (altered := altered_file(case, manifest)) is not None:
        return CaseError(
            f"a file of the case was altered: {altered}",
            where=str(case),
            hint="forensics verify tells of all of them",
        )
    if model is not None:
        return ContractError(f"the model does not run: {text}", where=str(model))
    return UsageError(text)
