"""What the allocators keep for later, and what goes back to the system."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""Parameters of the GNU library's mallopt; other libraries have no such function."""
_KEPT = ((_TRIM_THRESHOLD, 64 << 20), (_TOP_PAD, 4 << 20), (_MMAP_THRESHOLD, 16 << 20))

_library = ctypes.CDLL(None)
_trim = getattr(_library, "malloc_trim", None)
_option = getattr(_library, "mallopt", None)


@contextmanager
def memory_at_ease() -> Iterator[None]:
    """Memory is kept, and the cycle collector rests: rows are tuples and lists by the thousand, no cycles.

    What is set free stays for the next block, since a page from the system costs more than its bytes. That
    holds for this process from then on: there is no way to ask what was set before.
    """
    if _option is not None:
        for name, value in _KEPT:
            _option(name, value)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def give_back_memory() -> None:
    """Return what is only kept for later, so that a long line does not add to what was there before it."""
    pa.default_memory_pool().release_unused()
    if _trim is not None:
        _trim(0)
