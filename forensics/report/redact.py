"""A report's content with every text in it masked, before any format is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

T = TypeVar("T")

# Pictures are drawn from masked frames; a mask over their markup could only break it.
_DRAWN = frozenset({"light", "dark"})


def mask_tree(thing: T, mask: Callable[[str], str]) -> T:
    """The same tree with `mask` applied to every text in it."""
    return _mask(thing, mask)  # type: ignore[return-value]  # same shape, which the types cannot say


def _mask(thing: object, mask: Callable[[str], str]) -> object:
    if isinstance(thing, str):
        return mask(thing)
    if isinstance(thing, tuple):
        return tuple(_mask(item, mask) for item in thing)
    if isinstance(thing, dict):
        return {mask(name): _mask(item, mask) for name, item in thing.items()}
    if is_dataclass(thing) and not isinstance(thing, type):
        changed = {
            field.name: _mask(getattr(thing, field.name), mask)
            for field in fields(thing)
            if field.name not in _DRAWN
        }
        return replace(thing, **changed)
    return thing
