"""Throughput of the encoders beside a plain loop of `re.sub`, in one run.

Usage: python tests/bench/bench_keys.py [NUMBER OF PATHS]

The plain loop is what most tools do: it knows no UTF-16 units, no limit and no hash, so it is a measure for
speed and wrong for the paths that need them.
"""

from __future__ import annotations

import random
import re
import resource
import sys
import time
from collections.abc import Callable

import polars as pl

from forensics.keys import encode, load_rules, variants
from forensics.keys.frame import encode_series, variants_frame

WORDS = [
    "src",
    "my-app",
    "my_app",
    "app.v2",
    "Library",
    "worktrees",
    "feature x",
    "node_modules",
    "kit",
    "日本",
    "café",
]


def make_paths(count: int, *, share_long: float, is_ascii: bool) -> list[str]:
    """Return distinct paths of three to eight parts, some of them over 200 characters."""
    rng = random.Random(7)
    words = [word for word in WORDS if word.isascii()] if is_ascii else WORDS
    paths = []
    for number in range(count):
        depth = 30 if rng.random() < share_long else rng.randint(2, 7)
        paths.append("/srv/" + "/".join(rng.choices(words, k=depth)) + f"/{number}")
    return paths


def measure(work: Callable[[], object]) -> float:
    """Return the best time of three, in seconds."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print one line an encoder and kind of path."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rule = load_rules().get("cli_e3")
    nfc_rule = load_rules().get("cli_e3_nfc")
    pattern = re.compile("[^A-Za-z0-9]")
    print(f"{count:,} distinct paths; best of three")
    print(f"{'paths':<24}{'encoder':<34}{'s':>8}{'paths/s':>13}{'x re.sub':>10}")
    kinds = {
        "short ASCII": make_paths(count, share_long=0, is_ascii=True),
        "short, mixed scripts": make_paths(count, share_long=0, is_ascii=False),
        "mixed, 10 % long": make_paths(count, share_long=0.1, is_ascii=False),
    }
    for kind, paths in kinds.items():
        series = pl.Series("cwd", paths)
        encoders: dict[str, Callable[[], object]] = {
            "re.sub loop": lambda paths=paths: [pattern.sub("-", path) for path in paths],  # type: ignore[misc]
            "encode, cli_e3": lambda paths=paths: [encode(path, rule) for path in paths],  # type: ignore[misc]
            "encode, cli_e3_nfc": lambda paths=paths: [encode(path, nfc_rule) for path in paths],  # type: ignore[misc]
            "encode_series, cli_e3": lambda series=series: encode_series(series, rule),  # type: ignore[misc]
            "encode_series, cli_e3_nfc": lambda series=series: encode_series(series, nfc_rule),  # type: ignore[misc]
            "variants (24 rules)": lambda paths=paths: [variants(path) for path in paths[: count // 10]],  # type: ignore[misc]
            "variants_frame (24 rules)": lambda series=series: variants_frame(series[: count // 10]),  # type: ignore[misc]
        }
        floor = 0.0
        for name, work in encoders.items():
            seconds = measure(work)
            speed = (count // 10 if name.startswith("variants") else count) / seconds
            floor = floor or speed
            print(f"{kind:<24}{name:<34}{seconds:>8.3f}{speed:>13,.0f}{speed / floor:>10.2f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


if __name__ == "__main__":
    main()
