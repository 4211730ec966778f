"""Worlds of coding-agent homes with planted truth.

A recipe (`WorldSpec`) and its seed give a world: a tree of transcripts in which each phenomenon was put on
purpose, and the `Truth` that says where. It catches wrong queries and makes the demo and the benchmarks.
"""

from .build import World, build_world, draw_spec
from .plants import PLANTS
from .spec import BulkSpec, WorldSpec, load_spec
from .truth import Truth, dump_truth, write_truth

__all__ = [
    "PLANTS",
    "BulkSpec",
    "Truth",
    "World",
    "WorldSpec",
    "build_world",
    "draw_spec",
    "dump_truth",
    "load_spec",
    "write_truth",
]
