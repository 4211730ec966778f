"""A dossier as JSON can hold it: the same keys whatever is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from forensics.dossier.dossier import SessionDossier


def record_of(dossier: SessionDossier) -> dict[str, Any]:
    """The dossier as plain values."""
    plain = _plain(dossier)
    assert isinstance(plain, dict)
    plain["is_resumable"] = dossier.plan.is_possible
    return plain


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name.rstrip("_"): _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value
