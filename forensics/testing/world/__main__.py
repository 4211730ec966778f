"""`python -m forensics.testing.world SPEC.toml --out DIR`: lay out the world of a recipe."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from .build import build_world
from .spec import load_spec
from .truth import write_truth


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0 when the world stands, 2 when it was refused."""
    parser = argparse.ArgumentParser(prog="python -m forensics.testing.world", description=__doc__)
    parser.add_argument("spec", type=Path, help="recipe in TOML")
    parser.add_argument("--out", type=Path, required=True, help="new or empty folder for the evidence")
    parser.add_argument("--seed", type=int, help="in place of the seed of the recipe")
    parser.add_argument("--truth", type=Path, help="file for the truth, outside of --out")
    parser.add_argument("--total-bytes", type=int, help="size of the large transcripts together")
    parser.add_argument("--files", type=int, help="number of the large transcripts")
    options = parser.parse_args(arguments)
    if options.truth is not None and options.truth.resolve().is_relative_to(options.out.resolve()):
        sys.stderr.write(
            f"{options.truth}: inside the evidence\nhint: name a file outside of {options.out}\n"
        )
        return 2
    try:
        spec = load_spec(options.spec)
        sizes = {"total_bytes": options.total_bytes, "files": options.files}
        bulk = replace(spec.bulk, **{name: value for name, value in sizes.items() if value is not None})
        seed = spec.seed if options.seed is None else options.seed
        world = build_world(replace(spec, seed=seed, bulk=bulk))
        world.lay_out(options.out)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\nhint: see fixtures/worlds/ for recipes\n")
        return 2
    if options.truth is not None:
        write_truth(world.truth, options.truth)
    n_bytes = sum(file.n_bytes for file in world.truth.files)
    sys.stdout.write(f"{options.out}: {len(world.truth.files)} files, {n_bytes} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
