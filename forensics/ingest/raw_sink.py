"""The bytes of a file as rows of the table `raw`."""

from __future__ import annotations

from forensics.ingest.parts import PartWriter
from forensics.ingest.task import Item

RAW_CHUNK = 1 << 18
_FLUSH_BYTES = 4 << 20


class RawSink:
    """Cuts a file's bytes into chunks that lie at multiples of their size, and writes them."""

    def __init__(self, writer: PartWriter, item: Item) -> None:
        self._writer = writer
        self._item = item
        self._at = item.known_bytes or item.start
        self._room = RAW_CHUNK - self._at % RAW_CHUNK
        self._pieces: list[bytes] = []
        self._starts: list[int] = []
        self._chunks: list[bytes] = []

    def add(self, data: memoryview) -> None:
        """Add the bytes that follow."""
        at = 0
        while at < len(data):
            piece = bytes(data[at : at + self._room])
            self._pieces.append(piece)
            self._room -= len(piece)
            at += len(piece)
            if not self._room:
                self._cut()

    def _cut(self) -> None:
        chunk = b"".join(self._pieces)
        self._pieces.clear()
        self._starts.append(self._at)
        self._chunks.append(chunk)
        self._at += len(chunk)
        self._room = RAW_CHUNK
        if len(self._chunks) * RAW_CHUNK >= _FLUSH_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._chunks:
            own = {"file_id": self._item.file_id, "generation": self._item.generation}
            self._writer.add("raw", {"byte_start": self._starts, "bytes": self._chunks}, constants=own)
            self._starts, self._chunks = [], []

    def close(self) -> None:
        """Write what is left."""
        if self._pieces:
            self._cut()
        self._flush()
