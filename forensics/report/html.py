"""The report as one HTML file that needs no network and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
from datetime import datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from forensics.display import display_width, harmless_text
from forensics.report.layout import lay_out
from forensics.report.model import Finding, ReportContext, Value
from forensics.report.text import count_of, format_bytes, format_time, format_value, is_number
from forensics.report.words import BASES, CONFIDENCES, KIND_DOCS, KIND_NAMES, say_headline, split_code

# A cell beyond so many columns may wrap; shorter ones stay on their line.
_LONG = 30
_SIZE = re.compile(r'<svg[^>]*? width="([0-9.]+)" height="([0-9.]+)"')


def write_html(context: ReportContext) -> str:
    """The page; its bytes depend on the context alone."""
    style, script = _inline("style.css"), _inline("script.js")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=context,
            headline=say_headline(context),
            titles={finding.name: finding.title for finding in context.findings},
            # Both are files of ours; between their tags nothing is escaped, so the hash is over these bytes.
            style=Markup(style),  # noqa: S704
            script=Markup(script),  # noqa: S704
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_inline),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        basis=lambda name: BASES.get(str(name), str(name)),
        bytes=format_bytes,
        confidence=lambda name: CONFIDENCES.get(name, name),
        count=count_of,
        data_uri=_data_uri,
        is_long=_is_long,
        is_list=lambda value: isinstance(value, tuple),
        is_number=is_number,
        is_numeric=_is_numeric,
        is_time=lambda value: isinstance(value, datetime),
        lay_out=lay_out,
        kind_doc=KIND_DOCS.__getitem__,
        kind_name=KIND_NAMES.__getitem__,
        number=lambda n: f"{n:,}",
        picture_size=_picture_size,
        pieces=split_code,
        shell=shlex.quote,
        show=_show,
        time=format_time,
        words=lambda name: name.replace("_", " "),
    )
    return environment


def _clean(value: object) -> object:
    # The last gate before the page, so that no field of the context has to be remembered.
    return harmless_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _inline(name: str) -> str:
    return (files("forensics.report") / "templates" / name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _data_uri(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode('utf-8')).decode('ascii')}"


def _picture_size(svg: str) -> Markup:
    size = _SIZE.search(svg)
    if size is None:
        return Markup("")
    return Markup('width="{}" height="{}"').format(round(float(size[1])), round(float(size[2])))


def _show(value: Value, column: str) -> str:
    return format_value(value, column)


def _is_long(value: Value, column: str) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return any(display_width(format_value(item, column)) > _LONG for item in items)


def _is_numeric(finding: Finding, column: int) -> bool:
    values = [row.values[column] for row in finding.shown if row.values[column] is not None]
    return bool(values) and all(is_number(value) for value in values)
