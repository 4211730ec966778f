"""References and files of a case by their internal numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forensics.case import Case
from forensics.refs import Ref, format_ref


class References:
    """Turns the structs of a query into text references."""

    def __init__(self, case: Case) -> None:
        rows = case.sql("select file_id, label, path, path_bytes from files order by file_id").to_pylist()
        self._files = {row["file_id"]: (row["label"], exact_path(row)) for row in rows}

    def text(self, ref: Mapping[str, Any]) -> str:
        """The reference as text."""
        label, path = self._files[ref["file_id"]]
        return format_ref(Ref(label, path, ref["line_no"], ref["part"] or 0))

    def maybe(self, ref: Mapping[str, Any] | None) -> str | None:
        """The reference as text, or None for none."""
        return None if ref is None else self.text(ref)

    def file(self, file_id: int) -> str:
        """The reference of a whole file."""
        label, path = self._files[file_id]
        return format_ref(Ref(label, path))


def exact_path(row: Mapping[str, Any]) -> str:
    """The path of a file, bytes that are not UTF-8 as surrogates."""
    if row["path_bytes"] is None:
        return str(row["path"])
    return bytes(row["path_bytes"]).decode("utf-8", "surrogateescape")
