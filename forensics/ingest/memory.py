"""Memory set free goes back to the system, so that a long line does not add to what was there before it."""

from __future__ import annotations

import ctypes

import pyarrow as pa

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)


def give_back_memory() -> None:
    """Let the allocators return what they only keep for later."""
    pa.default_memory_pool().release_unused()
    if _trim is not None:
        _trim(0)
