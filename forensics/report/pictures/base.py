"""What every picture is made from, and the reason where there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from forensics.display import row_text
from forensics.report.charts import Margins, Theme, render
from forensics.report.model import Finding, Picture

Row = Mapping[str, Any]

# A description is heard, not read: what does not fit is in the table beside the picture.
_DESCRIPTION = 1_200


class PictureCase(Protocol):
    """What pictures need from a case."""

    @property
    def models(self) -> Mapping[str, Any]:
        """The models by name."""

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> pa.Table:
        """The rows of a query."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture is drawn from; `mask` comes before anything is shown or cut."""

    case: PictureCase
    findings: Mapping[str, Finding]
    mask: Callable[[str], str]

    def rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query, every text masked."""
        return [
            {name: self.mask(value) if isinstance(value, str) else value for name, value in row.items()}
            for row in self.case.sql(query).to_pylist()
        ]

    def place(self, finding: str, otherwise: str) -> str:
        """The finding a picture stands beside, or a section when the finding is not in the report."""
        return finding if finding in self.findings else otherwise

    def missing(self, *models: str) -> str | None:
        """Why a picture cannot be drawn: models that this case does not have."""
        absent = [name for name in models if name not in self.case.models]
        return f"there is no table {' and no '.join(absent)}." if absent else None


def show(
    name: str,
    beside: str,
    *,
    title: str,
    caption: str,
    description: str,
    draw: Callable[[Theme], Any],
    height: int,
    margins: Margins,
) -> Picture:
    """The picture, drawn for light and for dark."""
    description = row_text(description, _DESCRIPTION)
    light, dark = render(draw, height=height, margins=margins, title=title, description=description)
    return Picture(name, beside, title, caption, description, light, dark, None)


def leave_out(name: str, beside: str, title: str, reason: str) -> Picture:
    """A picture that is not there, and why."""
    return Picture(name, beside, title, "", "", None, None, reason)
