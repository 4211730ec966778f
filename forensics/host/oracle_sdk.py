"""Ask the released Python SDK for its project keys, from an unpacked source distribution if need be."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from forensics.errors import UsageError
from forensics.host.bounded import run_bounded
from forensics.host.comparison import OracleRow, OracleRun, default_paths, fitting_rules, settle
from forensics.keys import Candidate, Ruleset, encode

SDK_PYTHON: Final = "claude_sdk_python"


def ask_sdk(
    source: Path | None = None,
    *,
    python: str = sys.executable,
    paths: Sequence[str] | None = None,
    ruleset: Ruleset | None = None,
) -> OracleRun:
    """Return what the Python SDK gives as project keys; by default of the awkward and 2,000 generated paths.

    `source` is a source distribution (.tar.gz), a wheel, or a folder that holds the package; without it the
    package installed for `python` is asked. Only the module with the key function is loaded.

    Raises:
        UsageError: there is no SDK, or it cannot be loaded.
    """
    asked = paths if paths is not None else default_paths()
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        place = [] if source is None else [str(_find_package(source, Path(folder)))]
        argv = [python, str(Path(__file__).with_name("sdk_child.py")), *place]
        env = {"PATH": os.defpath, "HOME": folder, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        question = json.dumps(list(asked)).encode()
        outcome = run_bounded(argv, cwd=folder, env=env, stdin=question, seconds=120, max_bytes=1 << 28)
    if not outcome.is_success:
        words = outcome.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise UsageError(
            f"the SDK cannot be asked: {words or outcome.ending}",
            where=None if source is None else str(source),
            hint="unpack its source distribution and name the folder, or install it for that interpreter",
        )
    answer = json.loads(outcome.stdout)
    candidates = fitting_rules(SDK_PYTHON, answer["version"], "python", ruleset)
    told = list(zip(asked, answer["keys"], answer["errors"], strict=True))
    version = answer["version"]

    def compare(candidate: Candidate) -> tuple[OracleRow, ...]:
        return tuple(_row(path, key, error, version, candidate) for path, key, error in told)

    return OracleRun("sdk", version, "python", "none", settle(candidates, compare))


def _find_package(source: Path, unpacked: Path) -> Path:
    if source.is_file() and source.suffix == ".whl":
        return source.resolve()
    root = source
    if source.is_file():
        try:
            with tarfile.open(source) as archive:
                _unpack(archive, unpacked)
        except (tarfile.TarError, OSError) as error:
            raise UsageError(f"not a source distribution: {error}", where=str(source)) from error
        root = unpacked
    for pattern in ("claude_agent_sdk", "src/claude_agent_sdk", "*/src/claude_agent_sdk"):
        for package in sorted(root.glob(pattern)):
            return package.parent.resolve()
    raise UsageError("no package claude_agent_sdk is in it", where=str(source))


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Write the plain files of an archive below a folder; nothing else of it, and nothing beside.

    Filters of `extractall` are not in every Python 3.11.
    """
    for member in archive:
        target = Path(os.path.normpath(folder / member.name))
        stream = archive.extractfile(member) if member.isreg() and target.is_relative_to(folder) else None
        if stream is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            with stream, target.open("wb") as file:
                shutil.copyfileobj(stream, file)


def _row(path: str, key: str | None, error: str | None, version: str, candidate: Candidate) -> OracleRow:
    try:
        # The SDK resolves before it encodes, missing parts too; so must the prediction.
        resolved = os.path.realpath(path)
    except ValueError:
        resolved = path
    expected = encode(resolved, candidate.rule)
    return OracleRow(
        version=version,
        case="",
        path=path,
        observed=key,
        predicted=expected,
        rule=candidate.rule.name,
        basis=candidate.basis,
        agree=key == expected,
        note=error or "",
    )
