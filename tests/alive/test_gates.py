"""Five checks in order; the first that fails gives the reason."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forensics.alive.gates import GATES, Facts, check_gates
from tests.alive.twin import JA, first_failing

GOOD = Facts(is_alive=False, has_log=True, is_there=True, is_frame=False, is_empty=False, records_place=True)
FRAME = replace(GOOD, is_frame=True)


@pytest.mark.parametrize(
    ("facts", "code", "text_ja"),
    [
        (replace(GOOD, is_alive=True), "alive", "生きているので触りません"),
        (replace(GOOD, has_log=False), "no_log", "会話ログがありません"),
        (replace(GOOD, is_there=False), "no_dir", "作業ディレクトリがありません"),
        (replace(FRAME, is_empty=True), "frame_empty_moved", "会話が別の場所へ移り、枠は空です"),
        (replace(GOOD, records_place=False), "cwd_mismatch", "会話ログの cwd が違います"),
    ],
)
def test_each_check_has_a_reason_in_its_own_words(facts: Facts, code: str, text_ja: str) -> None:
    gate = check_gates(facts).gate
    assert gate is not None
    assert (gate.code, gate.text_ja) == (code, text_ja)
    assert gate.text.isascii()


def test_what_passes_all_five_is_ready() -> None:
    assert check_gates(GOOD).gate is None
    assert check_gates(GOOD).unknown == ()


def test_the_checks_come_in_this_order() -> None:
    codes = [gate.code for gate in GATES]
    assert codes == ["alive", "no_log", "no_dir", "frame_empty_moved", "cwd_mismatch"]
    everything = Facts(
        is_alive=True, has_log=False, is_there=False, is_frame=False, is_empty=True, records_place=False
    )
    seen = []
    mended = everything
    while (gate := check_gates(mended).gate) is not None:
        seen.append(gate.code)
        mended = {
            "alive": replace(mended, is_alive=False),
            "no_log": replace(mended, has_log=True),
            "no_dir": replace(mended, is_there=True, is_frame=True),
            "frame_empty_moved": replace(mended, is_empty=False),
            "cwd_mismatch": replace(mended, records_place=True),
        }[gate.code]
    assert seen == codes


def test_a_frame_that_is_missing_is_made_again() -> None:
    assert check_gates(replace(FRAME, is_there=False, is_empty=None)).gate is None


def test_an_ordinary_directory_may_be_empty() -> None:
    assert check_gates(replace(GOOD, is_empty=True)).gate is None


def test_what_nobody_looked_at_is_told_and_is_no_no() -> None:
    verdict = check_gates(replace(GOOD, is_alive=None, is_there=None))
    assert (verdict.gate, verdict.unknown) == (None, ("alive", "no_dir"))
    verdict = check_gates(replace(FRAME, is_empty=None))
    assert (verdict.gate, verdict.unknown) == (None, ("frame_empty_moved",))


MAYBE = st.sampled_from([True, False, None])
FACTS = st.builds(Facts, MAYBE, st.booleans(), MAYBE, st.booleans(), MAYBE, st.booleans())


@given(FACTS)
def test_a_person_going_through_them_comes_to_the_same_reason(facts: Facts) -> None:
    gate = check_gates(facts).gate
    expected = first_failing(**asdict(facts))
    assert (gate.code if gate else None) == expected
    if gate is not None and gate.code in JA:
        assert gate.text_ja == JA[gate.code]


@given(FACTS)
def test_not_having_looked_never_gives_a_reason(facts: Facts) -> None:
    assume(facts.is_there is not False or not facts.is_empty)
    known = check_gates(facts).gate
    for blind in (
        replace(facts, is_alive=None),
        replace(facts, is_there=None),
        replace(facts, is_empty=None),
    ):
        assert check_gates(blind).gate is None or known is not None, "blindness only takes reasons away"
