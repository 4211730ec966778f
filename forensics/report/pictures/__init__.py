"""The pictures of a report, each beside what it explains; one without data says why there is none.

A picture is a function of a case, the findings and a mask; `PICTURES` lists them in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from forensics.report.model import Finding, Picture
from forensics.report.pictures.base import PictureCase, Scene
from forensics.report.pictures.compaction import draw_compaction
from forensics.report.pictures.damage import draw_damage
from forensics.report.pictures.keys import draw_keys
from forensics.report.pictures.rules import draw_rules
from forensics.report.pictures.runs import draw_runs
from forensics.report.pictures.times import draw_times
from forensics.report.pictures.worktrees import draw_worktrees

PICTURES: tuple[Callable[[Scene], Picture | None], ...] = (
    draw_keys,
    draw_worktrees,
    draw_rules,
    draw_compaction,
    draw_times,
    draw_runs,
    draw_damage,
)


def draw_pictures(
    case: PictureCase, findings: Sequence[Finding], mask: Callable[[str], str]
) -> tuple[Picture, ...]:
    """All pictures that have something to show or a reason why not; what they show is masked first."""
    scene = Scene(case=case, findings={finding.name: finding for finding in findings}, mask=mask)
    return tuple(picture for draw in PICTURES if (picture := draw(scene)) is not None)
