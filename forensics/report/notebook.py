"""Pictures of the report where they can be looked at one by one, as in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from forensics.report.model import Picture
from forensics.report.pictures.base import PictureCase, Scene


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture with its title and caption; without one the reason."""

    picture: Picture

    def _repr_html_(self) -> str:
        """The picture as HTML on white, all text escaped."""
        head = f"<h4>{escape(self.picture.title)}</h4>"
        if self.picture.light is None:
            return f"{head}<p>Not shown: {escape(self.picture.absent or '')}</p>"
        paper = f'<div style="background:#fff;overflow-x:auto">{self.picture.light}</div>'
        return f"{head}{paper}<p>{escape(self.picture.caption)}</p>"


def draw(case: PictureCase, picture: Callable[[Scene], Picture | None]) -> Shown | None:
    """What a picture of the report shows of a case, unmasked; None when the case has nothing for it."""
    drawn = picture(Scene(case=case, findings={}, mask=str))
    return None if drawn is None else Shown(drawn)
