"""Write the report of the demo world into a folder: `python -m forensics.testing.demo SPEC DIR`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from forensics.case import open_case
from forensics.ingest.convert import ConvertOptions, convert
from forensics.report import ReportContext, build_context, write_report
from forensics.testing.world.build import build_world
from forensics.testing.world.spec import load_spec

LABEL = "home"
SHOWN = "keys-directories"
"""The picture that stands beside the report as a file of its own, once for light and once for dark."""


def write_demo(spec: Path, out: Path) -> list[Path]:
    """The files of the report of a world, with one of its pictures."""
    with tempfile.TemporaryDirectory() as name:
        evidence, case = Path(name) / "evidence", Path(name) / "case"
        build_world(load_spec(spec)).lay_out(evidence)
        convert([f"{LABEL}={evidence}"], case, options=ConvertOptions(workers=1))
        with open_case(case) as opened:
            context = build_context(opened)
    return [*write_report(context, out), *_write_pictures(context, out)]


def _write_pictures(context: ReportContext, out: Path) -> list[Path]:
    [picture] = [each for each in context.pictures if each.name == SHOWN]
    written = []
    for shade, svg in (("light", picture.light), ("dark", picture.dark)):
        assert svg is not None, picture.absent
        path = out / f"{SHOWN}-{shade}.svg"
        path.write_text(f"{svg}\n", "utf-8")
        written.append(path)
    return written


def main() -> None:
    """Nothing; the report stands in the folder that is named."""
    if len(sys.argv) != 3:
        sys.exit("usage: python -m forensics.testing.demo SPEC DIR")
    write_demo(Path(sys.argv[1]), Path(sys.argv[2]))


if __name__ == "__main__":
    main()
