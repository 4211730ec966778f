"""The console blocks of the README: what they say, and what the commands in them print now.

`python -m tests.readme` writes the present output into README.md.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forensics.testing.world.build import build_world
from forensics.testing.world.spec import load_spec
from tests.cli.words import ROOT, Ended, call

README = ROOT / "README.md"
DEMO = ROOT / "fixtures" / "worlds" / "demo.toml"

_BLOCK = re.compile(r"^```console\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEAD = re.compile(r" \| head -n (\d+)$")
_TIMING = re.compile(r"in [0-9.,]+ s \([0-9,]+ MB/s\)")


@dataclass(frozen=True, slots=True)
class Example:
    """A command of the README with the output that stands below it."""

    command: str
    output: str


def read_examples(text: str) -> list[Example]:
    """Every command of every console block, in order."""
    return [example for block in _BLOCK.finditer(text) for example in _split(block["body"])]


def lay_out_demo(folder: Path) -> None:
    """The demo evidence below a folder, where `make report` puts it."""
    build_world(load_spec(DEMO)).lay_out(folder / "build" / "demo" / "evidence")


def perform(example: Example, *, folder: Path) -> tuple[str, Ended]:
    """What an example prints on a screen of 100 columns, and how it ends."""
    head = _HEAD.search(example.command)
    words = shlex.split(_HEAD.sub("", example.command))
    assert words[0] == "forensics", example.command
    env = {"COLUMNS": "100", "FORENSICS_CASE": "build/demo/case", "HOME": str(folder)}
    ended = call(*words[1:], cwd=folder, env=env)
    lines = ended.stdout.decode().rstrip("\n").split("\n")
    if head:
        lines = lines[: int(head[1])]
    return without_timing("\n".join(lines) + "\n"), ended


def without_timing(text: str) -> str:
    """The text with the one thing taken out that differs from run to run, and no blanks at line ends."""
    return _TIMING.sub("in … s (… MB/s)", re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE))


def _split(body: str) -> Iterator[Example]:
    command: str | None = None
    output: list[str] = []
    for line in body.removesuffix("\n").split("\n"):
        if line.startswith("$ "):
            if command is not None:
                yield Example(command, "".join(output))
            command, output = line[2:], []
        else:
            output.append(f"{line}\n")
    if command is not None:
        yield Example(command, "".join(output))


def main() -> None:
    """README.md holds what its commands print now."""
    text = README.read_text("utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out_demo(folder)

        def renew(block: re.Match[str]) -> str:
            shown = [
                f"$ {example.command}\n{perform(example, folder=folder)[0]}"
                for example in _split(block["body"])
            ]
            return f"```console\n{''.join(shown)}```"

        with contextlib.chdir(folder):
            README.write_text(_BLOCK.sub(renew, text), "utf-8")


if __name__ == "__main__":
    os.environ.pop("FORENSICS_CASE", None)
    main()
