"""The pictures of a report, each beside what it explains; one without data says why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pyarrow as pa

from forensics.report.model import Finding, Picture


class PictureCase(Protocol):
    """What pictures need from a case."""

    @property
    def models(self) -> Mapping[str, Any]:
        """The models by name."""

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> pa.Table:
        """The rows of a query."""


def draw_pictures(
    case: PictureCase, findings: Sequence[Finding], mask: Callable[[str], str]
) -> tuple[Picture, ...]:
    return ()
