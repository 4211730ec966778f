"""The header of a `.sql` file: what a finding claims, what a model holds, and where either is wrong.

A file begins with comment lines between `-- /// finding` (or `-- /// model`) and `-- ///`; they are TOML.
The rest of the file is one query. The file's stem is its name, and nothing is registered anywhere else.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from forensics.errors import UsageError

KINDS = ("fault", "risk", "measure")
CONFIDENCES = ("observed", "rule", "heuristic")
REFS = "refs"

_HERE = Path(__file__).resolve().parent
FINDINGS_DIR = _HERE / "findings"
MODELS_DIR = _HERE / "models"

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ID = re.compile(r"[A-Z][0-9]{3}")
_OPEN = re.compile(r"-- /// (finding|model)")
_CLOSE = "-- ///"
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_PARAMETER = re.compile(r"\$([a-z][a-z0-9_]*)")

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Param:
    """A value a finding can be asked with."""

    default: Scalar
    doc: str


@dataclass(frozen=True, slots=True)
class FindingSpec:
    """A question with its claim and its limits; `sql` yields `columns` and then `refs`."""

    name: str
    id: str
    kind: str
    confidence: str
    title: str
    claim: str
    does_not_show: str
    next: str
    grain: tuple[str, ...]
    needs: tuple[str, ...]
    params: Mapping[str, Param]
    columns: Mapping[str, str]
    denominator: str
    denominator_of: str
    sql: str
    path: Path


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A view with a declared grain; `stored` models are computed once an opened case."""

    name: str
    doc: str
    grain: tuple[str, ...]
    stored: bool
    columns: Mapping[str, str]
    sql: str
    path: Path


@dataclass(frozen=True, slots=True)
class _Header:
    kind: str
    values: Mapping[str, Any]
    sql: str
    path: Path
    lines: tuple[str, ...]
    first: int

    def refuse(self, message: str, *, field: str | None = None) -> UsageError:
        """An error that names the line where `field` stands, else the header's first line."""
        line = self.first + (self._line_of(field) if field is not None else 0)
        return UsageError(
            message,
            where=f"{self.path}:{line}",
            hint="see the headers of the files beside it, or docs of forensics.spec",
        )

    def _line_of(self, field: str) -> int:
        """The number of the header line that sets a field, else of one that names it in passing, else 0."""
        sets = re.compile(rf"\s*\[?{re.escape(field)}\s*[=\].]")
        names = re.compile(rf"[{{,]\s*{re.escape(field)}\s*=")
        numbered = tuple(enumerate(self.lines, 1))
        first = next((n for n, text in numbered if sets.match(text)), 0)
        return first or next((n for n, text in numbered if names.search(text)), 0)

    def text(self, field: str) -> str:
        value = self.values.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self.refuse(f"{field} must be a text that is not empty", field=field)
        return value

    def words(self, field: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self.values.get(field, default)
        if isinstance(value, tuple):
            return value
        if not isinstance(value, list) or not all(isinstance(v, str) and _NAME.fullmatch(v) for v in value):
            raise self.refuse(f"{field} must be a list of names", field=field)
        if len(set(value)) != len(value):
            raise self.refuse(f"{field} names something twice", field=field)
        return tuple(value)

    def docs(self, field: str) -> Mapping[str, str]:
        value = self.values.get(field)
        if not isinstance(value, dict) or not value:
            raise self.refuse(f"[{field}] must document at least one column", field=field)
        for name, doc in value.items():
            if not _NAME.fullmatch(name):
                raise self.refuse(f"{name!r} is not a column name: lower case, digits and _", field=name)
            if not isinstance(doc, str) or not doc.strip():
                raise self.refuse(f"column {name} has no description", field=name)
        return MappingProxyType(dict(value))

    def known_only(self, fields: Iterable[str]) -> None:
        for field in sorted(set(self.values) - set(fields)):
            raise self.refuse(f"unknown field {field}", field=field)


def parameters_of(sql: str) -> frozenset[str]:
    """The names of the `$parameters` a query uses."""
    return frozenset(_PARAMETER.findall(sql))


def without_parameters(sql: str) -> str:
    """The query with NULL for each `$parameter`, for tools that cannot analyse a prepared one."""
    return _PARAMETER.sub("null", sql)


def _read_header(path: Path, text: str) -> _Header:
    lines = text.split("\n")
    opening = _OPEN.fullmatch(lines[0].rstrip())
    if opening is None:
        raise UsageError(
            "the first line must be '-- /// finding' or '-- /// model'",
            where=f"{path}:1",
            hint="a finding or model begins with its header",
        )
    body: list[str] = []
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == _CLOSE:
            break
        if line.rstrip() != "--" and not line.startswith("-- "):
            raise UsageError(
                "a header line must begin with '-- '",
                where=f"{path}:{number}",
                hint=f"close the header with '{_CLOSE}'",
            )
        body.append(line[3:])
    else:
        raise UsageError(
            "the header is not closed", where=f"{path}:{len(lines)}", hint=f"close it with '{_CLOSE}'"
        )
    try:
        values = tomllib.loads("\n".join(body))
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        line_no = 1 + (int(found[1]) if found else len(body))
        raise UsageError(
            f"the header is not TOML: {_TOML_LINE.sub('', str(error)).strip()}", where=f"{path}:{line_no}"
        ) from error
    sql = "\n".join(lines[len(body) + 2 :]).strip().rstrip(";").rstrip()
    return _Header(opening[1], values, sql, path, tuple(body), 1)


def _params(header: _Header) -> Mapping[str, Param]:
    values = header.values.get("params", {})
    if not isinstance(values, dict):
        raise header.refuse("params must be a table", field="params")
    params: dict[str, Param] = {}
    for name, value in values.items():
        match value:
            case {"default": str() | int() | float() | bool() as default, "doc": str() as doc, **rest} if (
                not rest
            ):
                params[name] = Param(default, doc)
            case _:
                raise header.refuse(f"param {name} must be {{ default = …, doc = … }}", field=name)
    used = parameters_of(header.sql) | parameters_of(str(header.values.get("denominator", "")))
    for name in sorted(used ^ set(params)):
        missing = "is used but not declared" if name in used else "is declared but not used"
        raise header.refuse(f"param {name} {missing}", field=name if name in params else "params")
    return MappingProxyType(params)


def _check_shape(header: _Header, grain: tuple[str, ...], columns: Mapping[str, str]) -> None:
    if not header.sql:
        raise header.refuse("there is no query below the header")
    for name in grain:
        if name not in columns:
            raise header.refuse(f"grain names {name}, which is not a column", field="grain")


def _one_of(header: _Header, field: str, allowed: tuple[str, ...]) -> str:
    value = header.text(field)
    if value not in allowed:
        raise header.refuse(f"{field} must be one of {', '.join(allowed)}", field=field)
    return value


_FINDING_FIELDS = (
    *("id", "kind", "confidence", "title", "claim", "does_not_show", "next"),
    *("grain", "needs", "params", "columns", "denominator", "denominator_of"),
)
_MODEL_FIELDS = ("doc", "grain", "stored", "columns")


def _finding(header: _Header) -> FindingSpec:
    header.known_only(_FINDING_FIELDS)
    if not _ID.fullmatch(header.text("id")):
        raise header.refuse("id must be a capital letter and three digits", field="id")
    columns = header.docs("columns")
    if REFS in columns:
        raise header.refuse("refs is there by itself, as the last column", field=REFS)
    grain = header.words("grain")
    if not grain:
        raise header.refuse("grain must name at least one column", field="grain")
    _check_shape(header, grain, columns)
    return FindingSpec(
        name=header.path.stem,
        id=header.text("id"),
        kind=_one_of(header, "kind", KINDS),
        confidence=_one_of(header, "confidence", CONFIDENCES),
        title=header.text("title"),
        claim=header.text("claim"),
        does_not_show=header.text("does_not_show"),
        next=header.text("next"),
        grain=grain,
        needs=header.words("needs", default=()),
        params=_params(header),
        columns=columns,
        denominator=header.text("denominator"),
        denominator_of=header.text("denominator_of"),
        sql=header.sql,
        path=header.path,
    )


def _model(header: _Header) -> ModelSpec:
    header.known_only(_MODEL_FIELDS)
    columns = header.docs("columns")
    grain = header.words("grain")
    _check_shape(header, grain, columns)
    stored = header.values.get("stored", True)
    if not isinstance(stored, bool):
        raise header.refuse("stored must be true or false", field="stored")
    return ModelSpec(
        name=header.path.stem,
        doc=header.text("doc"),
        grain=grain,
        stored=stored,
        columns=columns,
        sql=header.sql,
        path=header.path,
    )


def parse_spec(path: Path, text: str) -> FindingSpec | ModelSpec:
    """The finding or model that a file's text describes.

    Raises:
        UsageError: the header or the name is wrong; `where` names file and line.
    """
    if not _NAME.fullmatch(path.stem):
        raise UsageError("the file's name must be lower case, digits and _", where=f"{path}:1")
    header = _read_header(path, text)
    return _finding(header) if header.kind == "finding" else _model(header)


@lru_cache(maxsize=4096)
def _read_once(path: Path, _changed_ns: int, _size: int) -> FindingSpec | ModelSpec:
    return parse_spec(path, path.read_text("utf-8"))


def _read_folder(folder: Path) -> list[FindingSpec | ModelSpec]:
    paths = sorted(folder.glob("*.sql"))
    return [_read_once(path, path.stat().st_mtime_ns, path.stat().st_size) for path in paths]


def load_findings(*folders: Path) -> Mapping[str, FindingSpec]:
    """All findings of some folders by name: faults, then risks, then measures, each by id.

    Raises:
        UsageError: a header is wrong, a file holds a model, or two findings share an id or a name.
    """
    specs: list[FindingSpec] = []
    for spec in (s for folder in folders or (FINDINGS_DIR,) for s in _read_folder(folder)):
        if not isinstance(spec, FindingSpec):
            raise UsageError("a model stands among the findings", where=f"{spec.path}:1")
        for other in specs:
            if spec.id == other.id or spec.name == other.name:
                raise UsageError(
                    f"finding {spec.name} ({spec.id}) shares id or name with {other.path}",
                    where=f"{spec.path}:1",
                    hint="ids are permanent: take the next free one",
                )
        specs.append(spec)
    specs.sort(key=lambda spec: (KINDS.index(spec.kind), spec.id))
    return MappingProxyType({spec.name: spec for spec in specs})


def load_models(folder: Path = MODELS_DIR) -> Mapping[str, ModelSpec]:
    """All models of a folder by name.

    Raises:
        UsageError: a header is wrong, or a file holds a finding.
    """
    models: dict[str, ModelSpec] = {}
    for spec in _read_folder(folder):
        if not isinstance(spec, ModelSpec):
            raise UsageError("a finding stands among the models", where=f"{spec.path}:1")
        models[spec.name] = spec
    return MappingProxyType(models)
