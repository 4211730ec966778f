"""Ask a JavaScript engine: the rules in the language the agents are written in."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from forensics.errors import UsageError
from forensics.host.bounded import run_bounded
from forensics.host.comparison import OracleRow, OracleRun, default_paths
from forensics.keys import Rule, encode, load_rules


def ask_javascript(
    paths: Sequence[str] | None = None, *, node: str = "node", rules: Sequence[Rule] | None = None
) -> OracleRun:
    """Return what a JavaScript engine makes of the same paths under each rule that JavaScript code follows.

    One process answers everything; the rules stand in `rules.js` a second time, written independently.

    Raises:
        UsageError: the engine is not there or failed.
    """
    asked = paths if paths is not None else default_paths()
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
    answers = [json.loads(line) for line in outcome.stdout.decode().split("\n") if line]
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
