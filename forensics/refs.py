"""References: how a line, a part, a file or a folder of the evidence is named in text.

`label/path#L12`, `…#L12.1` (part), `label/path` (file), `label/path/` (folder or key);
`@<12 hex>` pins the SHA-256 of the line's bytes, `~g2` the generation.
Bytes outside printable ASCII, and the signs `%`, `#`, `@`, `~`, are percent-encoded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from forensics.errors import UsageError

_SAFE = frozenset(range(0x21, 0x7F)) - frozenset(b"%#@~")
_REF = re.compile(
    r"(?P<label>[a-z][a-z0-9_-]*)/(?P<path>[!-~]*?)"
    r"(?:#L(?P<line>[1-9][0-9]{0,17})(?:\.(?P<part>[0-9]{1,9}))?)?"
    r"(?:@(?P<digest>[0-9a-f]{12}))?"
    r"(?:~g(?P<generation>[1-9][0-9]{0,8}))?"
)


@dataclass(frozen=True, slots=True)
class Ref:
    """A place in the evidence; `path` is relative to the root and ends in `/` for a folder."""

    label: str
    path: str
    line_no: int | None = None
    part: int = 0
    digest12: str | None = None
    generation: int | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it names a folder or a store key."""
        return self.path == "" or self.path.endswith("/")


def _quote(path: str) -> str:
    raw = path.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if byte in _SAFE else f"%{byte:02X}" for byte in raw)


def _unquote(text: str) -> str:
    raw = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("ascii"))
    return raw.decode("utf-8", "surrogateescape")


def format_ref(ref: Ref) -> str:
    """The reference as text; `parse_ref` gives the same reference back."""
    text = f"{ref.label}/{_quote(ref.path)}"
    if ref.line_no is not None:
        text += f"#L{ref.line_no}"
        if ref.part:
            text += f".{ref.part}"
    if ref.digest12 is not None:
        text += f"@{ref.digest12}"
    if ref.generation is not None:
        text += f"~g{ref.generation}"
    return text


def parse_ref(text: str) -> Ref:
    """The place a reference names.

    Raises:
        UsageError: the text is not a reference.
    """
    match = _REF.fullmatch(text)
    if match is None:
        raise UsageError(
            f"not a reference: {text!r}", hint="references look like home/projects/-srv-x/ID.jsonl#L12"
        )
    path = _unquote(match["path"])
    line = int(match["line"]) if match["line"] else None
    if line is not None and (path == "" or path.endswith("/")):
        raise UsageError(f"a folder has no lines: {text!r}", hint="leave out #L…")
    return Ref(
        label=match["label"],
        path=path,
        line_no=line,
        part=int(match["part"] or 0),
        digest12=match["digest"],
        generation=int(match["generation"]) if match["generation"] else None,
    )
