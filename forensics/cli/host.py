"""The verb that looks at this machine: probe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forensics.cli import common, output
from forensics.cli.common import JsonOption


def probe(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="SOURCE...", help="Folders whose evidence comes from this machine."),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Where the facts are written.")],
    no_git: Annotated[bool, typer.Option("--no-git", help="Read git's files, do not run git.")] = False,
    seconds: Annotated[float, typer.Option(min=1, help="Patience with slow disks, in all.")] = 120,
    json_short: JsonOption = False,
) -> None:
    """Note facts of this machine about the directories that evidence records; give them to convert.

    Which directories exist, their real paths, git worktrees, when the machine started. Nothing else is
    looked at, no network is used, and nothing but FILE is written.
    """
    from forensics.host.probe import probe as look
    from forensics.host.probe import write_probe

    found = look(sources, git=None if no_git else "git", seconds=seconds)
    write_probe(found, out)
    counts = {
        "n_paths": len(found.paths),
        "n_repositories": len(found.repositories),
        "n_homes": len(found.homes),
    }
    if json_short:
        output.put(output.as_json({**common.versions(), "file": str(out), **counts}))
    else:
        seen = ", ".join(f"{n:,} {name.removeprefix('n_')}" for name, n in counts.items())
        output.put(f"{out}: {seen}\nuse it with: forensics convert LABEL=SOURCE --probe-file LABEL={out}")
