"""Ask a real agent program what it names a folder: offline, bounded, in a home of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from forensics.errors import UsageError
from forensics.host.awkward import Awkward, awkward_directories, is_creatable
from forensics.host.bounded import run_bounded
from forensics.host.comparison import Isolation, OracleRow, OracleRun, fitting_rules, settle
from forensics.host.confined import NOT_ALONE
from forensics.keys import CLAUDE_CODE, Candidate, Rule, Ruleset, encode

NAME_MAX: Final = 255

_VERSION = re.compile(r"\d+\.\d+\.\d+")
_PACKAGE_ROOT: Final = Path(__file__).resolve().parents[2]


def ask_cli(
    program: Path,
    *,
    runtime: str | None = None,
    version: str | None = None,
    isolation: Isolation = "namespace",
    seconds: float = 60,
    cases: Sequence[str] = (),
    ruleset: Ruleset | None = None,
) -> OracleRun:
    """Return what an agent program (a binary or its cli.js) names the folders of awkward directories.

    It runs one turn in each directory, with a home, a configuration and temporary files of its own, no
    inherited environment, invented credentials and a stand-in of its API on 127.0.0.1, in a network
    namespace that holds nothing but the loopback. `runtime` is what starts a cli.js, `node` by default.

    Raises:
        UsageError: the program or its runtime is not there or tells no version, a case is not known, or no
            network namespace can be made and `isolation` asks for one.
    """
    argv, where = _command(program, runtime)
    fence = _fence() if isolation == "namespace" else []
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        base = os.path.realpath(folder)
        path = os.pathsep.join(dict.fromkeys((str(Path(argv[0]).parent), "/usr/bin", "/bin")))
        version = version or _ask_version([*fence, *argv], home=base, path=path)
        candidates = fitting_rules(CLAUDE_CODE, version, where, ruleset)
        wanted = _choose(awkward_directories(f"{base}/w"), cases)
        made = [each for each in wanted if _make(each.path)]
        job = {
            "argv": [*argv, "-p", "say PONG"],
            "base": base,
            "path": path,
            "seconds": seconds,
            "alone": isolation == "namespace",
            "directories": [each.path for each in made],
        }
        answers = _run_confined(job, fence, seconds=30 + seconds * len(made))
        seen = dict(zip((each.case for each in made), answers, strict=True))

        def compare(candidate: Candidate) -> tuple[OracleRow, ...]:
            return tuple(_row(each, seen.get(each.case), version, candidate) for each in wanted)

        return OracleRun("cli", version, where, isolation, settle(candidates, compare))


def _command(program: Path, runtime: str | None) -> tuple[list[str], str]:
    if not program.is_file():
        raise UsageError("the program is not a file", where=str(program))
    full = str(program.resolve())
    if program.suffix not in (".js", ".mjs", ".cjs") and runtime is None:
        if not os.access(full, os.X_OK):
            raise UsageError("the program may not be executed", where=full, hint="chmod +x, or give a cli.js")
        return [full], "native"
    name = runtime or "node"
    engine = shutil.which(name)
    if engine is None:
        raise UsageError(f"{name} is not there to run the program", where=full)
    return [engine, full], Path(name).name


def _fence() -> list[str]:
    """Return the words that start a program in a network namespace of its own."""
    unshare = shutil.which("unshare")
    if unshare:
        for words in ([unshare, "--net"], [unshare, "--user", "--map-root-user", "--net"]):
            if run_bounded([*words, "true"], seconds=10).is_success:
                return words
    raise UsageError(
        "no network namespace can be made here, and an agent program is not run with a network in reach",
        hint="run it where `unshare --net` is permitted, or allow it without a namespace on purpose",
    )


def _ask_version(argv: Sequence[str], *, home: str, path: str) -> str:
    env = {"PATH": path, "HOME": home, "CLAUDE_CONFIG_DIR": f"{home}/version", "LANG": "C.UTF-8"}
    outcome = run_bounded([*argv, "--version"], cwd=home, env=env, seconds=60)
    match = _VERSION.search(outcome.stdout.decode("utf-8", "replace"))
    if match is None:
        raise UsageError("the program tells no version", where=argv[-1], hint="name its version yourself")
    return match[0]


def _choose(directories: Sequence[Awkward], cases: Sequence[str]) -> list[Awkward]:
    known = [each.case for each in directories]
    for case in cases:
        if case not in known:
            raise UsageError(f"no case is named {case!r}", hint="cases: " + ", ".join(known))
    return [each for each in directories if not cases or each.case in cases]


def _make(path: str) -> bool:
    """Return whether the directory is there under the very name that was asked for."""
    if not is_creatable(path):
        return False
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return Path(path) in Path(path).parent.iterdir()


def _run_confined(job: dict[str, Any], fence: Sequence[str], *, seconds: float) -> list[dict[str, Any]]:
    argv = [*fence, sys.executable, "-m", "forensics.host.confined"]
    env = {"PATH": os.defpath, "PYTHONPATH": str(_PACKAGE_ROOT), "HOME": job["base"], "LANG": "C.UTF-8"}
    outcome = run_bounded(argv, cwd=job["base"], env=env, stdin=json.dumps(job).encode(), seconds=seconds)
    if outcome.code == NOT_ALONE:
        raise UsageError("the network namespace holds more than the loopback; the program was not run")
    if not outcome.is_success:
        words = outcome.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise UsageError(f"the confined run did not end well ({outcome.ending}): {words}")
    return [json.loads(line) for line in outcome.stdout.decode().split("\n") if line]


def _row(each: Awkward, seen: dict[str, Any] | None, version: str, candidate: Candidate) -> OracleRow:
    key = encode(each.path, candidate.rule)
    folders: list[str] = seen["folders"] if seen else []
    agree: bool | None = None
    note = ""
    if seen is None:
        note = "the directory cannot be made here"
    elif len(folders) > 1:
        agree, note = False, "several folders: " + ", ".join(folders)
    elif folders:
        agree = folders == [key]
    elif key is None or len(key) > NAME_MAX:
        agree, note = True, "no folder, as the name is longer than a file name may be"
    else:
        note = (
            _about_absence(each.path, candidate.rule)
            + f"; {seen['ending']} {seen['code']}, {seen['n_requests']} requests: {seen['said']}"
        )
    return OracleRow(
        version=version,
        case=each.case,
        path=each.path,
        observed=folders[0] if folders else None,
        predicted=key,
        rule=candidate.rule.name,
        basis=candidate.basis,
        agree=agree,
        note=note,
    )


def _about_absence(path: str, rule: Rule) -> str:
    normal = unicodedata.normalize("NFC", path)
    if rule.normal_form == "nfc" and normal != path and not Path(normal).exists():
        return "no folder, and its normal form, which the program changes to, is no directory here"
    return "no folder"
