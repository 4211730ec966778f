"""A pytest plugin that makes each key of some transcripts a test: `pytest --transcripts=DIR`.

A key that a rule explains passes; one that contradicts the rules fails and says why; one of which nothing is
recorded is skipped with the reason. Without the option nothing is imported and nothing is added.
"""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from _pytest._code.code import ExceptionInfo, TerminalRepr

    from forensics.assumptions import Baseline, KeyVerdict
    from forensics.keys import Ruleset

_CASES: Final = "forensics_cases"
_TAKEN = pytest.StashKey[list[str]]()


class KeyContradictedError(Exception):
    """No rule of a recorded version gives the key; `verdicts` say why."""

    def __init__(self, verdicts: Sequence[KeyVerdict]) -> None:
        super().__init__(describe_violations(verdicts))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Nothing; the options are added."""
    group = parser.getgroup("forensics", "keys of coding-agent transcripts")
    group.addoption(
        "--transcripts",
        action="append",
        default=[],
        metavar="DIR",
        help="make each key of these transcripts a test; a folder, LABEL=FOLDER, or a case. Repeatable.",
    )
    group.addoption(
        "--transcripts-baseline",
        default=None,
        metavar="FILE",
        help="known violations do not fail; write them with: forensics check-keys --write-baseline FILE",
    )
    group.addoption(
        "--transcripts-rules",
        default=None,
        metavar="FILE",
        help="encoding rules to add to the packaged ones",
    )


def pytest_report_header(config: pytest.Config) -> list[str]:
    """The transcripts that are read, for the head of the terminal report."""
    if not (places := _places(config)):
        return []
    lines = [f"transcripts: {', '.join(places)}"]
    if config.inipath is None and "--transcripts" in config.invocation_params.args:
        # Before it knows this option, pytest takes a word that stands alone for a place to look for its own
        # configuration, and then finds none.
        lines.append("hint: write --transcripts=DIR if this run should read a configuration file")
    return lines


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Nothing; a worker of pytest-xdist is told where the case lies, so that evidence is read once."""
    if _places(node.config):
        node.workerinput[_CASES] = _take_in(node.config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Nothing; a test for each key is added, before others choose among the tests."""
    if _places(config):
        collector = TranscriptsCollector.from_parent(session, name="transcripts", nodeid="transcripts")
        items += collector.collect()


class TranscriptsCollector(pytest.Collector):
    """The keys of the transcripts that the options name."""

    def collect(self) -> list[pytest.Item]:
        """A test for each key, by label, home and key.

        Raises: pytest.UsageError when transcripts, baseline or rules cannot be read.
        """
        from forensics.assumptions import Baseline, read_baseline
        from forensics.errors import ForensicsError

        baseline = self.config.getoption("--transcripts-baseline")
        try:
            known = read_baseline(self.config.invocation_params.dir / baseline) if baseline else Baseline()
            keys = [key for case in _take_in(self.config) for key in _read_keys(case, _rules(self.config))]
        except ForensicsError as error:
            hint = f"; {error.hint}" if error.hint else ""
            raise pytest.UsageError(f"--transcripts: {error}{hint}") from error
        return [KeyItem.from_parent(self, name=key.name, key=key, known=known) for key in keys]


@dataclass(frozen=True, slots=True)
class _Key:
    name: str
    verdicts: list[KeyVerdict] = field(default_factory=list)


class KeyItem(pytest.Item):
    """One key: passes when a rule explains it."""

    def __init__(self, *, key: _Key, known: Baseline, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._key = key
        self._known = known

    def runtest(self) -> None:
        """Nothing when the key is explained.

        Raises: KeyContradictedError when a violation is new.
        """
        violations = [verdict for verdict in self._key.verdicts if verdict.is_violation]
        if new := self._known.new_among(violations):
            raise KeyContradictedError(new)
        if violations:
            pytest.xfail("known to the baseline: " + describe_violations(violations[:1]))
            raise KeyContradictedError(violations)
        if not any(verdict.is_explained for verdict in self._key.verdicts):
            pytest.skip(f"undecided: {self._key.verdicts[0].explanation.note}")

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """The reasons instead of a traceback, when the key is what failed."""
        if isinstance(excinfo.value, KeyContradictedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where the test stands in reports: at no line of a file."""
        # As a name of Python it would get colons for its dots.
        return "transcripts", None, f"key {self.name}"


def describe_violations(verdicts: Sequence[KeyVerdict]) -> str:
    """Each violation with its reason and its reference, a line or two each."""
    lines = []
    for verdict in verdicts:
        why = verdict.explanation
        told = [f"version {verdict.version or 'unknown'}"]
        told += [f"{name} {value}" for name, value in (("rule", why.rule), ("cwd", why.cwd)) if value]
        told += [why.note] if why.note else []
        told += [f"the directory above, {why.ancestor}, would give it"] if why.ancestor else []
        lines.append(f"{why.kind}: {'; '.join(told)}\n    {verdict.ref}")
    return "\n".join(lines)


def _places(config: pytest.Config) -> list[str]:
    places: list[str] = config.getoption("--transcripts")
    return places


def _take_in(config: pytest.Config) -> list[str]:
    """Paths of the cases that hold the transcripts, converted once a run."""
    given = getattr(config, "workerinput", {}).get(_CASES)
    if given is not None:
        return list(given)
    if _TAKEN not in config.stash:
        config.stash[_TAKEN] = list(_convert(config))
    return config.stash[_TAKEN]


def _convert(config: pytest.Config) -> Iterator[str]:
    from forensics.ingest.convert import ConvertOptions, convert

    base = config.invocation_params.dir
    rules = config.getoption("--transcripts-rules")
    options = ConvertOptions(raw=False, text=False, rules=base / rules if rules else None)
    sources = []
    for place in _places(config):
        label, path = _split_label(place) if not (base / place).exists() else ("", place)
        folder = base / Path(path).expanduser()
        if not label and (folder / "manifest.json").is_file() and (folder / "SHA256SUMS").is_file():
            yield str(folder)
        else:
            sources.append(f"{label}={folder}" if label else str(folder))
    if sources:
        scratch = tempfile.TemporaryDirectory(prefix="forensics-transcripts-")
        config.add_cleanup(scratch.cleanup)
        with _quiet():
            yield str(convert(sources, Path(scratch.name) / "case", options=options).case)


def _split_label(place: str) -> tuple[str, str]:
    # A folder's name may hold an equals sign; a label is a word.
    match = re.fullmatch(r"([a-z][a-z0-9_-]*)=(.+)", place, re.DOTALL)
    return (match[1], match[2]) if match else ("", place)


def _rules(config: pytest.Config) -> Ruleset:
    from forensics.errors import UsageError
    from forensics.keys import RulesError, load_rules

    rules = config.getoption("--transcripts-rules")
    try:
        return load_rules(config.invocation_params.dir / rules if rules else None)
    except RulesError as error:
        raise UsageError(str(error)) from error


def _read_keys(case: str, ruleset: Ruleset) -> list[_Key]:
    from forensics.assumptions import judge_keys, list_empty_keys
    from forensics.case import open_case

    with _quiet(), open_case(case) as opened:
        verdicts = [*judge_keys(opened, ruleset=ruleset), *list_empty_keys(opened)]
    keys: dict[tuple[str, str, str], _Key] = {}
    for verdict in sorted(verdicts, key=lambda each: (*each.key, each.ref)):
        keys.setdefault(verdict.key, _Key(_name(verdict))).verdicts.append(verdict)
    return list(keys.values())


def _name(verdict: KeyVerdict) -> str:
    from forensics.refs import Ref, format_ref

    home = "" if verdict.home == "." else f"{verdict.home}/"
    return format_ref(Ref(verdict.label, f"{home}projects/{verdict.project_key}/"))


def _quiet() -> warnings.catch_warnings[None]:
    # A suite that turns warnings into errors must not fail over those of a library it did not choose.
    return warnings.catch_warnings(action="ignore")
