"""Write the reference pages into a folder: `python -m forensics.report.pages reports`."""

from __future__ import annotations

import sys
from pathlib import Path

from forensics.report.pages import PAGES


def main() -> None:
    """Nothing; the pages stand in the folder that is named."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m forensics.report.pages DIR")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
