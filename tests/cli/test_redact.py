"""The verb redact: what it says, what it leaves alone, and what can be asked of the case it writes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.evidence import case_digest
from tests.cli.words import call


def test_redact_writes_a_case_that_answers_and_changes_nothing_else(case: Path, tmp_path: Path) -> None:
    before = case_digest(case)
    out = tmp_path / "redacted"
    ended = call("redact", "-C", case, "-o", out)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.decode().startswith(f"{out}: ")
    assert case_digest(case) == before
    assert call("verify", "-C", out).returncode == 0
    asked = [json.loads(call("findings", "-C", place, "--json").stdout) for place in (case, out)]
    counted = [[(each["name"], each["n_rows"]) for each in one["findings"]] for one in asked]
    assert counted[0] == counted[1]
    assert call("report", "-C", out, "-o", tmp_path / "report").returncode == 0
    text = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert "it was made to be handed on" in text


def test_redact_in_json_says_what_it_was_made_of(case: Path, tmp_path: Path) -> None:
    said = json.loads(call("redact", "-C", case, "-o", tmp_path / "redacted", "--json").stdout)
    manifest = json.loads((tmp_path / "redacted" / "manifest.json").read_bytes())
    assert said["redacted"]["n_masked"] == manifest["derived"]["masks"]
    assert said["case"]["content_sha256"] == manifest["derived"]["from_content_sha256"]
    assert manifest["options"]["raw"] is False


def test_redact_over_evidence_or_from_nothing_is_refused(case: Path, home: Path, tmp_path: Path) -> None:
    assert call("redact", "-C", case, "-o", case).returncode == 2
    assert call("redact", "-C", case, "-o", home).returncode == 2
    assert call("redact", "-C", tmp_path / "none", "-o", tmp_path / "x").returncode == 5
    out = tmp_path / "redacted"
    assert call("redact", "-C", case, "-o", out).returncode == 0
    refused = call("convert", f"home={home}", "--no-raw", "-o", out)
    assert refused.returncode == 2
    assert b"takes in no evidence" in refused.stderr
    assert call("rebuild", "-C", out, "--to", tmp_path / "back").returncode != 0
