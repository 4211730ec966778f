"""Ask a real agent program, a real SDK or a JavaScript engine what they name a folder, and compare."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from forensics.errors import NothingThereError, UsageError
from forensics.host.awkward import Awkward, awkward_directories, generate_paths, is_creatable
from forensics.host.bounded import run_bounded
from forensics.host.confined import NOT_ALONE
from forensics.keys import CLAUDE_CODE, Candidate, Rule, Ruleset, encode, load_rules, rules_for

SDK_PYTHON: Final = "claude_sdk_python"
NAME_MAX: Final = 255
Isolation = Literal["namespace", "none"]

_VERSION = re.compile(r"\d+\.\d+\.\d+")
_PACKAGE_ROOT: Final = Path(__file__).resolve().parents[2]
_LINE_SEPARATOR: Final = "\n"


@dataclass(frozen=True, slots=True)
class OracleRow:
    """One directory, the name a tool gave its folder, and the name a rule predicted.

    `agree` is None where the tool made no folder although the predicted name is possible, or was not asked:
    that decides nothing. `observed` is None too where no folder is what the rule predicts.
    """

    version: str
    case: str
    path: str
    observed: str | None
    predicted: str | None
    rule: str
    basis: str
    agree: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class OracleRun:
    """What one tool said: the rows, which tool it was, and whether it was cut off from every network."""

    oracle: Literal["cli", "sdk", "javascript"]
    version: str
    runtime: str
    isolation: Isolation
    rows: tuple[OracleRow, ...]

    @property
    def n_agree(self) -> int:
        """Rows in which rule and tool agree."""
        return sum(row.agree is True for row in self.rows)

    @property
    def n_disagree(self) -> int:
        """Rows in which the tool did something else."""
        return sum(row.agree is False for row in self.rows)

    @property
    def n_undecided(self) -> int:
        """Rows that decide nothing."""
        return sum(row.agree is None for row in self.rows)

    @property
    def holds(self) -> bool | None:
        """Whether the rules hold: False with one disagreement, None when nothing was decided."""
        return False if self.n_disagree else (True if self.n_agree else None)


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
        candidates = _candidates(CLAUDE_CODE, version, where, ruleset)
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
        rows = [_row(each, seen.get(each.case), version, candidates) for each in wanted]
    return OracleRun("cli", version, where, isolation, tuple(rows))


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


def _candidates(agent: str, version: str, where: str, ruleset: Ruleset | None) -> tuple[Candidate, ...]:
    found = rules_for(agent, version, ruleset=ruleset)
    fitting = tuple(each for each in found if each.rule.where in ("", where))
    if not fitting:
        raise NothingThereError(f"no rule is known for version {version} on {where}")
    return fitting


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
        words = outcome.stderr.decode("utf-8", "replace").strip().rpartition(_LINE_SEPARATOR)[2]
        raise UsageError(f"the confined run did not end well ({outcome.ending}): {words}")
    return [json.loads(line) for line in outcome.stdout.decode().split(_LINE_SEPARATOR) if line]


def _row(
    each: Awkward, seen: dict[str, Any] | None, version: str, candidates: Sequence[Candidate]
) -> OracleRow:
    predicted = [(candidate, encode(each.path, candidate.rule)) for candidate in candidates]
    folders: list[str] = seen["folders"] if seen else []
    best, key = next(((c, k) for c, k in predicted if folders == [k]), predicted[0])
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
            _about_absence(each.path, best.rule)
            + f"; {seen['ending']} {seen['code']}, {seen['n_requests']} requests: {seen['said']}"
        )
    return OracleRow(
        version=version,
        case=each.case,
        path=each.path,
        observed=folders[0] if folders else None,
        predicted=key,
        rule=best.rule.name,
        basis=best.basis,
        agree=agree,
        note=note,
    )


def _about_absence(path: str, rule: Rule) -> str:
    normal = unicodedata.normalize("NFC", path)
    if rule.normal_form == "nfc" and normal != path and not Path(normal).exists():
        return "no folder, and its normal form, which the program changes to, is no directory here"
    return "no folder"


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
    asked = paths if paths is not None else _default_paths()
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        place = [] if source is None else [str(_find_package(source, Path(folder)))]
        argv = [python, str(Path(__file__).with_name("sdk_child.py")), *place]
        env = {"PATH": os.defpath, "HOME": folder, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        question = json.dumps(list(asked)).encode()
        outcome = run_bounded(argv, cwd=folder, env=env, stdin=question, seconds=120, max_bytes=1 << 28)
    if not outcome.is_success:
        words = outcome.stderr.decode("utf-8", "replace").strip().rpartition(_LINE_SEPARATOR)[2]
        raise UsageError(
            f"the SDK cannot be asked: {words or outcome.ending}",
            where=None if source is None else str(source),
            hint="unpack its source distribution and name the folder, or install it for that interpreter",
        )
    answer = json.loads(outcome.stdout)
    candidates = _candidates(SDK_PYTHON, answer["version"], "python", ruleset)
    rows = tuple(
        _sdk_row(path, key, error, answer["version"], candidates)
        for path, key, error in zip(asked, answer["keys"], answer["errors"], strict=True)
    )
    return OracleRun("sdk", answer["version"], "python", "none", rows)


def _default_paths() -> list[str]:
    return [each.path for each in awkward_directories("/srv/w")] + list(generate_paths(2000))


def _find_package(source: Path, unpacked: Path) -> Path:
    if source.is_file() and source.suffix == ".whl":
        return source.resolve()
    root = source
    if source.is_file():
        try:
            with tarfile.open(source) as archive:
                archive.extractall(unpacked, filter="data")
        except (tarfile.TarError, OSError) as error:
            raise UsageError(f"not a source distribution: {error}", where=str(source)) from error
        root = unpacked
    for pattern in ("claude_agent_sdk", "src/claude_agent_sdk", "*/src/claude_agent_sdk"):
        for package in sorted(root.glob(pattern)):
            return package.parent.resolve()
    raise UsageError("no package claude_agent_sdk is in it", where=str(source))


def _sdk_row(
    path: str, key: str | None, error: str | None, version: str, candidates: Sequence[Candidate]
) -> OracleRow:
    # The SDK resolves before it encodes, missing parts too; so must the prediction.
    predicted = [(each, encode(os.path.realpath(path), each.rule)) for each in candidates]
    best, expected = next(((each, value) for each, value in predicted if value == key), predicted[0])
    return OracleRow(
        version=version,
        case="",
        path=path,
        observed=key,
        predicted=expected,
        rule=best.rule.name,
        basis=best.basis,
        agree=key == expected,
        note=error or "",
    )


def ask_javascript(
    paths: Sequence[str] | None = None, *, node: str = "node", rules: Sequence[Rule] | None = None
) -> OracleRun:
    """Return what a JavaScript engine makes of the same paths under each rule that JavaScript code follows.

    One process answers everything; the rules stand in `rules.js` a second time, written independently.

    Raises:
        UsageError: the engine is not there or failed.
    """
    asked = paths if paths is not None else _default_paths()
    chosen = [(rule, form) for rule in rules or load_rules().rules if (form := _form(rule)) is not None]
    engine = shutil.which(node)
    if engine is None:
        raise UsageError(f"{node} is not there")
    questions = [(rule, path, {**form, "path": path}) for rule, form in chosen for path in asked]
    stdin = "".join(json.dumps(question) + "\n" for _, _, question in questions).encode()
    argv = [engine, str(Path(__file__).with_name("rules.js"))]
    outcome = run_bounded(argv, env={"PATH": os.defpath}, stdin=stdin, seconds=300, max_bytes=1 << 30)
    if not outcome.is_success:
        raise UsageError(f"the engine did not end well: {outcome.stderr.decode('utf-8', 'replace')[-200:]}")
    version = run_bounded([engine, "--version"], seconds=30).stdout.decode().strip()
    answers = [json.loads(line) for line in outcome.stdout.decode().split(_LINE_SEPARATOR) if line]
    rows = []
    for (rule, path, _), observed in zip(questions, answers, strict=True):
        expected = encode(path, rule)
        agree = observed == expected
        rows.append(OracleRow(version, "", path, observed, expected, rule.name, "observed", agree))
    return OracleRun("javascript", version, Path(node).name, "none", tuple(rows))


def _form(rule: Rule) -> dict[str, Any] | None:
    """Return the options of a rule in `rules.js`, or None when it is not written there."""
    if rule.name == "pi_0_73":
        return {"form": "pi"}
    if rule.kind != "tool" or rule.unit != "utf16" or rule.replaced != "other" or rule.prefix:
        return None
    if rule.hash == "wyhash64":
        return None
    return {"nfc": rule.normal_form == "nfc", "limit": rule.limit}
