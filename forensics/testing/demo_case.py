"""The demo: an invented home of two machines, and its case, made when it is asked for.

Notebooks and examples start from it when no case of one's own is named.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from forensics.case import Case, open_case
from forensics.errors import UsageError
from forensics.ingest.convert import convert
from forensics.keys import load_rules
from forensics.schema import SCHEMA_VERSION
from forensics.testing.world import build_world, load_spec
from forensics.version import __version__

RECIPE: Final = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "demo.toml"


def open_case_or_demo() -> Case:
    """The opened case that $FORENSICS_CASE names, else that of the demo.

    Raises: CaseError when the case cannot be read; UsageError when there is neither.
    """
    return open_case(os.environ.get("FORENSICS_CASE") or demo_case())


def demo_case() -> Path:
    """The case of the demo, made once and kept in the user's cache.

    Raises: UsageError when the recipe of the demo is not there: it lies in the repository only.
    """
    if not RECIPE.is_file():
        raise UsageError("the demo is not installed", hint="name a case of your own: FORENSICS_CASE=PATH")
    case = _cache() / f"demo-{_identity()}" / "case"
    if not (case / "manifest.json").is_file():
        case.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        scratch = Path(tempfile.mkdtemp(prefix="forensics-demo-"))
        try:
            build_world(load_spec(RECIPE)).lay_out(scratch / "evidence")
            convert([f"home={scratch / 'evidence'}"], case)
        finally:
            shutil.rmtree(scratch)
    return case


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "forensics"


def _identity() -> str:
    """What a case of the demo depends on; another version makes another one."""
    told = [SCHEMA_VERSION, __version__, load_rules().digest, hashlib.sha256(RECIPE.read_bytes()).hexdigest()]
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:12]
