"""A converted case, opened for questions; the only module that opens DuckDB."""

from __future__ import annotations

import html
import json
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from forensics import views
from forensics.errors import ContractError, ForensicsError, UsageError
from forensics.manifests import parse_as_of, read_manifest
from forensics.reading import Evidence, Reader, quote_line
from forensics.refs import Ref, format_ref, parse_ref
from forensics.results import FindingResult, build_rows, result_schema
from forensics.spec import (
    FINDINGS_DIR,
    REFS,
    FindingSpec,
    ModelSpec,
    Scalar,
    load_findings,
    load_models,
    parameters_of,
    without_parameters,
)

_ROOTS: Mapping[str, Path] = MappingProxyType({})

# A SELECT of DuckDB may carry these in a common table expression.
_WRITES = frozenset({"DELETE_QUERY_NODE", "INSERT_QUERY_NODE", "UPDATE_QUERY_NODE"})
_PARSED: dict[str, views.Named] = {}
_PARSED_MOST = 4096

# These take the name of a table as a string.
_BY_STRING = frozenset({"query", "query_table"})


class Case:
    """A case: its tables and models as SQL, its findings, and the evidence itself.

    Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        path: Path,
        manifest: Mapping[str, Any],
        *,
        specs: Mapping[str, FindingSpec],
        models: Mapping[str, ModelSpec],
        threads: int | None = None,
        memory_limit: str = "2GB",
    ) -> None:
        self.path = path
        self.manifest = manifest
        self.specs = specs
        self.models = models
        self._scratch = tempfile.mkdtemp(prefix="forensics-")
        self._clean = weakref.finalize(self, shutil.rmtree, self._scratch, ignore_errors=True)
        self._con = self._connect(threads, memory_limit)
        self._made: set[str] = set()
        self._reader = Reader(self.sql, "raw" not in self.absent, manifest.get("derived"))
        self._files: dict[int, tuple[str, str, int]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database and its scratch folder."""
        self._con.close()
        self._clean()

    def _repr_html_(self) -> str:
        counts = self.manifest.get("counts", {})
        rows = [(html.escape(str(name)), html.escape(str(counts[name]))) for name in sorted(counts)]
        cells = "".join(f"<tr><td>{name}</td><td>{count}</td></tr>" for name, count in rows)
        return f"<table><thead><tr><th>table</th><th>rows</th></tr></thead><tbody>{cells}</tbody></table>"

    @property
    def absent(self) -> frozenset[str]:
        """The tables this case leaves out."""
        return frozenset(views.CASE_TABLES) - frozenset(self.manifest["tables"])

    def _connect(self, threads: int | None, memory_limit: str) -> duckdb.DuckDBPyConnection:
        config: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "python_enable_replacements": "false",
            "temp_directory": self._scratch,
            "memory_limit": memory_limit,
        }
        if threads is not None:
            config["threads"] = str(threads)
        con = duckdb.connect(":memory:", config=config)
        con.execute("set TimeZone = 'UTC'")
        # The files may be read by their names and by the patterns that stand for just them; nothing else may.
        files = [self.path / f["path"] for t in self.manifest["tables"].values() for f in t["files"]]
        allowed = sorted({text for path in files for text in (str(path), views.escape_glob(path))})
        con.execute(f"set allowed_paths = [{', '.join(map(views.quote_text, allowed))}]")
        con.execute("set enable_external_access = false")
        for macro in views.MACROS:
            con.execute(macro)
        for statement in self._table_views():
            con.execute(statement)
        con.execute("set lock_configuration = true")
        return con

    def _told(self, error: Exception, *, model: Path | None = None) -> ForensicsError:
        return views.error_of(str(error), self.path, self.manifest, model=model)

    def _table_views(self) -> list[str]:
        as_of = self.manifest["as_of"]
        value = "null" if as_of is None else views.quote_text(parse_as_of(as_of).isoformat())
        statements = [f"create view case_info as select {value}::timestamp with time zone as as_of"]
        trimmed = bool(self.manifest.get("segments_trimmed"))
        for table in views.CASE_TABLES:
            files = self.manifest["tables"].get(table, {"files": []})["files"]
            paths = [self.path / file["path"] for file in files]
            try:
                present = frozenset(pq.read_schema(paths[0]).names) if paths else frozenset()
            except (OSError, pa.ArrowException) as error:
                raise self._told(error) from error
            statements += views.table_views(table, paths, present, trimmed=trimmed)
        return statements

    def _parse(self, query: str) -> views.Named:
        """What a query names; parsed once a process, as models are the same in every case."""
        text = without_parameters(query)
        if text not in _PARSED:
            row = self._con.execute("select json_serialize_sql($query)", {"query": text}).fetchall()[0]
            if len(_PARSED) >= _PARSED_MOST:
                _PARSED.clear()
            _PARSED[text] = views.names_in(json.loads(row[0]))
        return _PARSED[text]

    def _models_in(self, query: str) -> frozenset[str]:
        """The models a query names; all of them when it cannot be told."""
        named = self._parse(query)
        if named.is_refused or _BY_STRING & named.functions:
            return frozenset(self.models)
        return named.tables & frozenset(self.models)

    def _make_models(self, query: str) -> None:
        wanted = self._models_in(query) - self._made
        if not wanted:
            return
        try:
            order = views.order_models(lambda name: self._models_in(self.models[name].sql), wanted)
        except ValueError as error:
            raise ContractError(f"models use each other in a circle: {error}") from error
        for name in order:
            if name not in self._made:
                model = self.models[name]
                thing = "table" if model.stored else "view"
                try:
                    self._con.execute(f"create temp {thing} {views.quote_name(name)} as {model.sql}")
                except duckdb.Error as error:
                    raise self._told(error, model=model.path) from error
                self._made.add(name)

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> pa.Table:
        """The rows of a query over tables and models; `$name` stands for a parameter.

        Raises:
            UsageError: the query is wrong.
        """
        used = parameters_of(query)
        given = {name: value for name, value in (parameters or {}).items() if name in used}
        try:
            self._make_models(query)
            relation = self._con.sql(query, params=given or None)
            if relation is None:
                raise UsageError("this statement gives no rows", hint="write one SELECT")
            return relation.to_arrow_table()
        except duckdb.Error as error:
            raise self._told(error) from error

    def user_sql(self, query: str) -> pa.Table:
        """The rows of one SELECT that someone typed; nothing is written, no other file is read.

        Raises:
            UsageError: the query is wrong, or is more than one SELECT.
        """
        try:
            kinds = [statement.type for statement in self._con.extract_statements(query)]
        except duckdb.Error as error:
            raise self._told(error) from error
        if kinds != [duckdb.StatementType.SELECT]:
            raise UsageError("only one SELECT can be asked", hint="a case is never changed by a query")
        if _WRITES & self._parse(query).node_types:
            raise UsageError("only one SELECT can be asked", hint="a case is never changed by a query")
        try:
            self._make_models(query)
        except duckdb.Error as error:
            raise self._told(error) from error
        # Nothing that is not read-only gets this far; should it, it is rolled back.
        self._con.execute("begin transaction read only")
        try:
            return self.sql(query)
        finally:
            self._con.execute("rollback")

    def arrow(self, name: str) -> pa.Table:
        """A table or model, in the order of its grain.

        Raises:
            UsageError: there is no such table or model.
        """
        base = name.removesuffix("_all")
        spec = views.CASE_TABLES.get(base) or self.models.get(name)
        if spec is None:
            raise UsageError(
                f"no table or model {name!r}",
                hint=f"there are {', '.join(sorted({*views.CASE_TABLES, *self.models}))}",
            )
        order = ", ".join(views.quote_name(column) for column in spec.grain)
        return self.sql(f"select * from {views.quote_name(name)} order by {order}")

    def table(self, name: str) -> pl.LazyFrame:
        """A table or model as a Polars frame, in the order of its grain.

        Raises:
            UsageError: there is no such table or model.
        """
        frame = pl.from_arrow(self.arrow(name))
        assert isinstance(frame, pl.DataFrame)
        return frame.lazy()

    def findings(
        self, names: Sequence[str] = (), *, params: Mapping[str, Mapping[str, Scalar]] | None = None
    ) -> list[FindingResult]:
        """The answers to some findings, or to all: faults, then risks, then measures, each by id.

        `names` are names or ids; `params` gives values by finding and parameter.

        Raises:
            UsageError: there is no such finding or parameter.
        """
        by_id = {spec.id: name for name, spec in self.specs.items()}
        wanted = {by_id.get(name, name) for name in names}
        for name in sorted(wanted | set(params or {})):
            if name not in self.specs:
                raise UsageError(f"no finding {name!r}", hint="`forensics explain` lists them")
        return [
            self._ask(spec, (params or {}).get(name, {}))
            for name, spec in self.specs.items()
            if name in wanted or not wanted
        ]

    def _ask(self, spec: FindingSpec, given: Mapping[str, Scalar]) -> FindingResult:
        for name in sorted(set(given) - set(spec.params)):
            raise UsageError(f"finding {spec.name} has no parameter {name!r}")
        values = {name: given.get(name, param.default) for name, param in spec.params.items()}
        missing = [table for table in spec.needs if table in self.absent]
        if missing:
            return self._not_assessed(spec, _why_missing(missing), None)
        count = self.sql(spec.denominator, values).column(0).to_pylist()[0]
        if not count:
            return self._not_assessed(spec, f"there are no {spec.denominator_of} in this evidence", 0)
        table = self.sql(spec.sql, values)
        if table.column_names != [*spec.columns, REFS]:
            raise ContractError(
                f"the query gives {', '.join(table.column_names)}, but {', '.join(spec.columns)}, refs"
                " are documented",
                where=str(spec.path),
            )
        refs = [[self._text_ref(ref) for ref in row] for row in table.column(REFS).to_pylist()]
        rows = build_rows(spec, table, refs)
        return FindingResult(spec, "assessed", None, rows, int(count), spec.denominator_of)

    def _not_assessed(self, spec: FindingSpec, reason: str, count: int | None) -> FindingResult:
        rows = result_schema(spec, None).empty_table()
        return FindingResult(spec, "not_assessed", reason, rows, count, spec.denominator_of)

    def _text_ref(self, ref: Mapping[str, Any]) -> str:
        if ref["file_id"] is None:
            return format_ref(Ref(ref["label"], ref["folder"]))
        if self._files is None:
            rows = self.sql(
                "select file_id, label, path, path_bytes, generation from files_all order by generation"
            )
            self._files = {
                row["file_id"]: (row["label"], _exact_path(row), row["generation"])
                for row in rows.to_pylist()
            }
        label, path, newest = self._files[ref["file_id"]]
        generation = None if ref["generation"] == newest else ref["generation"]
        return format_ref(Ref(label, path, ref["line_no"], ref["part"] or 0, None, generation))

    def export(self, path: Path) -> None:
        """Nothing; one DuckDB file then holds tables and models as tables, with what their columns mean.

        Raises:
            UsageError: something stands there already.
        """
        partial = views.partial_of(path)
        try:
            with duckdb.connect(str(partial)) as con:
                con.execute("set TimeZone = 'UTC'")
                for statement in views.export_tables(self._table_views(), self.manifest["tables"]):
                    con.execute(statement)
                for name in self.models:
                    con.register("model_rows", self.arrow(name))
                    con.execute(f"create table {views.quote_name(name)} as from model_rows")
                    con.unregister("model_rows")
                for statement in views.comments(self.models):
                    con.execute(statement)
            partial.rename(path)
        finally:
            partial.unlink(missing_ok=True)

    def show(self, ref: str, *, roots: Mapping[str, Path] = _ROOTS) -> Evidence:
        """The bytes of the evidence that a reference names, checked; `roots` serve a case without `raw`.

        Raises:
            UsageError: the text is not a reference.
            NothingThereError: there is no such place in this case.
            CaseError: the bytes are not those that were taken in, or the case is a redacted one.
        """
        return self._reader.show(parse_ref(ref), roots=roots)

    def quote(
        self, ref: str, width: int = 120, *, prose: bool = True, roots: Mapping[str, Path] = _ROOTS
    ) -> str:
        """The line that a reference names as one readable row; empty for a file or a folder.

        Units: `width` in terminal columns.
        """
        place = parse_ref(ref)
        if place.line_no is None:
            return ""
        return quote_line(self._reader.line(place, roots=roots), width, prose=prose)


def _why_missing(tables: Sequence[str]) -> str:
    names = f"this case has no {' and no '.join(tables)}"
    if all(table.startswith("probe_") for table in tables):
        return f"{names}: no probe of the machine was taken in"
    return f"{names}: it was made without"


def _exact_path(row: Mapping[str, Any]) -> str:
    if row["path_bytes"] is None:
        return str(row["path"])
    return bytes(row["path_bytes"]).decode("utf-8", "surrogateescape")


def open_case(
    path: str | Path | None = None,
    *,
    findings: Sequence[str | Path] = (),
    threads: int | None = None,
    memory_limit: str = "2GB",
) -> Case:
    """The case at a path, or in `./forensics-case`; `findings` are folders with findings of your own.

    Raises:
        CaseError: there is no whole case, or it was made by another major version.
    """
    place = Path("forensics-case" if path is None else path).resolve()
    manifest = read_manifest(place)
    specs = load_findings(FINDINGS_DIR, *map(Path, findings))
    return Case(
        place, manifest, specs=specs, models=load_models(), threads=threads, memory_limit=memory_limit
    )
