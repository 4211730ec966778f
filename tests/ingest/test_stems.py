"""Names of parts, and names that no part has."""

from __future__ import annotations

import pytest

from forensics.errors import CaseError
from forensics.ingest.plan import StemMaker
from forensics.ingest.rawbytes import stems_in_order
from forensics.ingest.stems import split_stem


def test_a_name_is_split_into_label_and_number() -> None:
    assert split_stem("home-00007") == ("home", 7)
    assert split_stem("my-old-home-123456") == ("my-old-home", 123456)


@pytest.mark.parametrize(
    "stem", ["", "home", "home-", "home-x", "home-7", "../home-00001", "home-٠٠٠٠١", "-00001"]
)
def test_a_name_that_no_part_has_is_refused(stem: str) -> None:
    with pytest.raises(CaseError, match="no part has such a name"):
        split_stem(stem)


def test_parts_come_in_the_order_of_their_numbers() -> None:
    stems = ["b-00001", "a-100000", "a-99999", "a-00002"]
    ordered = ["a-00002", "a-99999", "a-100000", "b-00001"]
    assert stems_in_order([{"part_stem": stem} for stem in stems]) == ordered


def test_the_next_name_follows_the_highest_number_of_its_label() -> None:
    stems = StemMaker(["a-00002", "a-b-00007"])
    assert [stems.next(label) for label in ("a", "a", "a-b", "c")] == [
        "a-00003",
        "a-00004",
        "a-b-00008",
        "c-00000",
    ]
