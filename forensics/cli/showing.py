"""Evidence on stdout: the exact bytes, or on a terminal a form that cannot move its cursor."""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from forensics.cli import output
from forensics.cli.edge import say

if TYPE_CHECKING:
    from forensics.reading import Evidence


def put_evidence(evidence: Evidence, *, as_json: bool, envelope: Mapping[str, object]) -> None:
    """Nothing; the evidence stands on stdout and where it lies on stderr."""
    if as_json:
        output.put(output.as_json({**envelope, "evidence": _record(evidence)}))
        return
    checked = "verified" if evidence.verified else "NOT VERIFIED"
    start = "" if evidence.byte_start is None else f" from byte {evidence.byte_start:,}"
    say(f"{evidence.ref}: {len(evidence.data):,} bytes{start}, sha256 {evidence.sha256}, {checked}")
    if sys.stdout.isatty():
        output.put(visible(evidence.data))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(evidence.data)
    sys.stdout.buffer.flush()


def visible(data: bytes) -> str:
    """The bytes as text in which every control and every byte outside UTF-8 is spelled out."""
    text = data.decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() or char == "\n" else _spelled(char) for char in text)


def _spelled(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _record(evidence: Evidence) -> dict[str, object]:
    try:
        text, encoding = evidence.data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = base64.b64encode(evidence.data).decode("ascii"), "base64"
    return {
        "ref": evidence.ref,
        "path": evidence.path,
        "line_no": evidence.line_no,
        "part": evidence.part,
        "byte_start": evidence.byte_start,
        "n_bytes": evidence.n_bytes,
        "sha256": evidence.sha256,
        "verified": evidence.verified,
        "encoding": encoding,
        "data": text,
    }
