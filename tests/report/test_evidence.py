"""Quotes say where bytes stand and what they are, for many references at once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from forensics.case import Case, open_case
from forensics.report import evidence
from forensics.report.evidence import Quoter
from tests.report.conftest import convert_home
from tests.report.homes import DASH, QUIET, SHARED_KEY, line, write_transcript


def _quoter(case: Case, width: int = 80) -> Quoter:
    return Quoter(case=case, width=width, mask=lambda text: text, roots={})


def test_a_quote_names_the_very_bytes(colliding_case: Case) -> None:
    first = f"home/projects/{SHARED_KEY}/{DASH}.jsonl#L1"
    second = f"home/projects/{SHARED_KEY}/{DASH}.jsonl#L2"
    quotes = _quoter(colliding_case).quote([second, first, second])
    assert list(quotes) == [second, first]
    data = line(DASH, "/srv/app/a-b", "Draw the oars", minute=60)
    assert (quotes[first].byte_start, quotes[first].n_bytes) == (0, len(data))
    assert quotes[first].sha256 == hashlib.sha256(data).hexdigest()
    assert quotes[second].byte_start == len(data) + 1
    assert quotes[second].text.startswith('ent":"Mend the sail"},')
    assert quotes[first].is_verified
    assert "Draw the oars" in quotes[first].text


def test_a_quote_is_what_the_case_itself_says(demo_case: Case) -> None:
    refs = [ref for result in demo_case.findings() for row in result.rows.to_pylist() for ref in row["refs"]]
    quotes = _quoter(demo_case).quote(refs)
    assert len(quotes) > 20
    for ref, quote in quotes.items():
        assert quote.text == demo_case.quote(ref, 80)
        if quote.line_no is not None:
            shown = demo_case.show(ref)
            assert (quote.byte_start, quote.n_bytes, quote.sha256) == (
                *(shown.byte_start, shown.n_bytes, shown.sha256),
            )


def test_a_folder_and_a_file_are_named_and_not_quoted(colliding_case: Case) -> None:
    refs = [f"home/projects/{SHARED_KEY}/", f"home/projects/{SHARED_KEY}/{DASH}.jsonl"]
    for quote in _quoter(colliding_case).quote(refs).values():
        assert (quote.text, quote.line_no, quote.byte_start) == ("", None, None)


def test_a_line_over_several_chunks_is_put_together(tmp_path: Path) -> None:
    data = line(QUIET, "/srv/app", "long " * 150_000 + "end")
    write_transcript(tmp_path / "home", "-srv-app", QUIET, [line(QUIET, "/srv/app", "first"), data])
    with open_case(convert_home(tmp_path / "home", tmp_path / "case")) as case:
        quote = next(iter(_quoter(case).quote([f"home/projects/-srv-app/{QUIET}.jsonl#L2"]).values()))
    assert quote.sha256 == hashlib.sha256(data).hexdigest()
    assert quote.is_verified
    assert quote.text.endswith("…")


@pytest.mark.parametrize("n", [0, 1, 6_000])
def test_any_number_of_references_is_answered(colliding_case: Case, n: int) -> None:
    refs = [f"home/projects/{SHARED_KEY}/{DASH}.jsonl#L{1 + at}" for at in range(n)]
    quotes = _quoter(colliding_case).quote(refs)
    assert list(quotes) == refs
    assert [quote.is_verified for quote in quotes.values()] == [at < 2 for at in range(n)]


def test_lines_beyond_the_memory_of_a_batch_are_read_in_several(
    colliding_case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs = [f"home/projects/{SHARED_KEY}/{DASH}.jsonl#L{at}" for at in (1, 2)]
    whole = _quoter(colliding_case).quote(refs)
    monkeypatch.setattr(evidence, "_BATCH_BYTES", 10)
    assert _quoter(colliding_case).quote(refs) == whole
    assert all(quote.is_verified for quote in whole.values())
