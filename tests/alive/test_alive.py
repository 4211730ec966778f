"""One evening, asked in many ways: what was alive, what runs, what could be restored, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

from forensics.alive.alive import Alive, Entry, answer
from forensics.alive.archived import load_patterns
from forensics.alive.facts import Known, read_known
from forensics.alive.pick import Pick
from forensics.alive.query import Query, check_query
from forensics.alive.record import entry_record, record_of
from forensics.alive.text import conversations, notes, picked, whole
from forensics.case import Case, open_case
from forensics.errors import NothingThereError, UsageError
from forensics.testing.short_lines import id_of
from tests.alive.evening import GHQ, SCRATCH, STOP, take_in

LAST = Query(last=True)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    with open_case(take_in(tmp_path_factory.mktemp("evening"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def known(case: Case) -> Known:
    return read_known(case, load_patterns())


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """The same evening of which nobody took a probe and nobody gave a fact."""
    with open_case(take_in(tmp_path_factory.mktemp("blind"), with_facts=False)) as opened:
        yield read_known(opened, load_patterns())


def slugs(entries: tuple[Entry, ...]) -> list[str | None]:
    return [entry.place.slug.text if entry.place.slug else None for entry in entries]


def reasons(found: Alive) -> dict[tuple[str | None, str | None], str]:
    """The code of each reason by slug and session id."""
    return {
        (
            entry.place.slug.text if entry.place.slug else None,
            entry.log.session_id if entry.log else None,
        ): entry.reason.code
        for entry in found.skipped
        if entry.reason is not None
    }


def test_those_alive_at_the_shutdown_are_ready_the_latest_first(known: Known) -> None:
    assert slugs(answer(known, LAST).ready) == [
        "x01",
        "side",
        "tool",
        "pane",
        "reopened",
        "tmp-5",
        "tmp-3f9a2c1b",
        "x01--topic",
    ]


def test_each_reason_stands_with_the_one_that_fell_to_it(known: Known) -> None:
    told = reasons(answer(known, LAST))
    assert told == {
        ("x01", id_of("x01older")): "not_last",
        ("tmp-2", id_of("emptied")): "frame_empty_moved",
        ("tmp-3", id_of("elsewhere")): "cwd_mismatch",
        ("tmp-4", None): "no_log",
        ("gone", id_of("gone")): "no_dir",
        ("bglab", id_of("bglab")): "no_trace",
        ("app", id_of("app")): "no_trace",
        ("old", id_of("old")): "not_last",
        ("done", id_of("done")): "dismissed",
        ("closed", id_of("closed")): "archived",
        ("left", id_of("left")): "archived",
        ("pane", id_of("panenew")): "other_chosen",
        ("hub", id_of("hub")): "hub",
        ("after", id_of("after")): "not_last",
        ("earlier", id_of("earlier")): "not_last",
        (None, id_of("named")): "no_log",
    }


def test_who_runs_is_known_by_session_or_by_place_and_never_by_name(known: Known) -> None:
    found = {
        entry.place.slug.text: [running.by for running in entry.running]
        for entry in answer(known, LAST).alive
        if entry.place.slug is not None
    }
    # The live process is called x01, and an entry of x01 itself is older than the machine.
    assert found == {"live": ["session"], "liveplace": ["place"]}


def test_every_transcript_is_in_the_answer_once(known: Known) -> None:
    for query in (Query(), LAST, Query(since_s=3600), Query(lift=True), Query(untraced=True)):
        found = answer(known, query)
        shown = [e.log.ident for e in (*found.ready, *found.alive, *found.skipped) if e.log is not None]
        assert sorted(shown) == sorted(log.ident for log in known.logs)


def test_the_group_has_its_last_moment_and_its_quality(known: Known) -> None:
    found = answer(known, LAST)
    group = found.groups["home"]
    assert group.t_last_ns == int(STOP.timestamp()) * 1_000_000_000
    assert group.spread_s == 45.0
    assert group.quality == "burst"
    assert found.boot_basis == {"home": "probed"}


def test_without_a_filter_a_week_back_counts(known: Known) -> None:
    found = answer(known, Query())
    assert "earlier" in slugs(found.ready)
    assert "after" in slugs(found.ready)
    assert reasons(found)["old", id_of("old")] == "too_old"
    assert reasons(found)["x01", id_of("x01older")] == "other_chosen"


def test_the_age_line_is_lifted_by_all_by_zero_and_by_a_name(known: Known) -> None:
    for query in (Query(lift=True), Query(max_age_days=0), Query(named=("old",))):
        assert "old" in slugs(answer(known, query).ready)


def test_a_month_old_group_is_found_though_it_is_beyond_the_age_line(known: Known) -> None:
    found = answer(known, Query(last=True, boot_s=1_577_836_900))
    assert slugs(found.ready) == ["old"]
    assert found.boot_basis == {"home": "given"}


def test_a_period_counts_back_from_the_time_of_taking_in(known: Known) -> None:
    assert slugs(answer(known, Query(since_s=10 * 3600)).ready) == ["after"]
    within = answer(known, Query(since_s=13 * 3600))
    assert "earlier" in slugs(within.ready)
    assert reasons(within)["old", id_of("old")] == "not_since"


def test_all_brings_back_what_was_archived_but_not_what_a_person_dismissed(known: Known) -> None:
    found = answer(known, Query(lift=True))
    assert {"closed", "left"} <= set(slugs(found.ready))
    assert reasons(found)["done", id_of("done")] == "dismissed"


@pytest.mark.parametrize("name", ["done", "closed", "left", "bglab", "app", "earlier"])
def test_a_name_is_an_answer_by_itself(known: Known, name: str) -> None:
    assert slugs(answer(known, Query(named=(name,))).ready) == [name]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("x01--topic", "x01--topic"),
        ("x01@topic", "x01--topic"),
        ("tmp-3f9a2c1b", "tmp-3f9a2c1b"),
        ("/opt/other/tool", "tool"),
        (f"{GHQ}/x01/", "x01"),
        ("ada-x01", "x01"),
        (id_of("topic"), "x01--topic"),
        (id_of("topic")[:14], "x01--topic"),
    ],
)
def test_a_place_has_several_names(known: Known, name: str, slug: str) -> None:
    assert slug in slugs(answer(known, Query(named=(name,))).ready)


def test_a_name_that_means_nothing_is_not_there(known: Known) -> None:
    with pytest.raises(NothingThereError):
        answer(known, Query(named=("nobody",)))


def test_a_directory_without_a_conversation_says_so(known: Known) -> None:
    found = answer(known, Query(named=("/srv/new/place",)))
    assert (found.ready, reasons(found)) == ((), {("place", None): "no_log"})


def test_an_older_conversation_is_taken_when_it_is_named(known: Known) -> None:
    found = answer(known, Query(named=("x01",), session_id=id_of("x01older")))
    assert [e.log.session_id for e in found.ready if e.log] == [id_of("x01older")]
    assert found.ready[0].chosen_by == "named"
    with pytest.raises(NothingThereError):
        answer(known, Query(named=("x01",), session_id=id_of("topic")))


def test_a_stopped_pane_knows_its_conversation_better_than_the_clock(known: Known) -> None:
    entry = next(e for e in answer(known, LAST).ready if e.place.slug and e.place.slug.text == "pane")
    assert entry.log is not None
    assert (entry.log.session_id, entry.chosen_by, entry.place.kind) == (id_of("pane"), "pane", 1)


def test_two_conversations_alive_in_one_place_are_a_risk(known: Known) -> None:
    doubles = {e.place.slug.text for e in answer(known, LAST).ready if e.is_double and e.place.slug}
    assert doubles == {"pane"}


def test_only_some_of_all_are_worth_a_hint(known: Known) -> None:
    found = answer(known, Query())
    assert found.hint == len(answer(known, LAST).ready) == 8
    assert found.hint < len(found.ready)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (Query(boot_s=1_577_836_900, window_s=0, named=("x01",)), "a name is given"),
        (LAST, "the filter is on"),
        (Query(since_s=3600), "another filter is on"),
        (Query(boot_s=1_000_000_000), "nobody was alive then"),
        (Query(window_s=10**9, lift=True), "everybody was"),
    ],
)
def test_otherwise_there_is_no_hint(known: Known, query: Query, why: str) -> None:
    found = answer(known, query)
    if why == "everybody was":
        found = answer(known, Query(window_s=10**9, lift=True, boot_s=2_000_000_000))
        assert found.n_last > 0
    assert found.hint is None, why


def test_places_outside_the_roots_are_told_and_left_out(known: Known) -> None:
    found = answer(known, Query(last=True, roots=("/srv/ghq",)))
    assert "tool" not in slugs(found.ready)
    assert reasons(found)["tool", id_of("outside")] == "not_enumerable"
    assert "tmp-3f9a2c1b" in slugs(found.ready)


def test_sessions_that_nobody_named_can_be_asked_for(known: Known) -> None:
    found = answer(known, Query(last=True, untraced=True))
    assert {"bglab", "app"} <= set(slugs(found.ready))


def test_what_nobody_looked_at_keeps_nothing_out_and_is_told(blind: Known) -> None:
    found = answer(blind, LAST)
    assert found.boot_basis == {"home": "unknown"}
    # Without a boot time the newest of all is the end: the one that runs in the morning.
    assert slugs(found.ready) == ["live"]
    assert found.ready[0].unknown == ("alive", "no_dir")
    given = answer(blind, Query(last=True, boot_s=int(STOP.timestamp()) + 9))
    assert {"gone", "tmp-2", "liveplace", "done"} <= set(slugs(given.ready))
    assert not given.alive


def test_a_conversation_that_no_known_place_explains_is_left_out_with_its_directory(blind: Known) -> None:
    found = answer(blind, Query(last=True, boot_s=int(STOP.timestamp()) + 9, window_s=10**6))
    stray = next(e for e in found.skipped if e.log is not None and e.log.session_id == id_of("elsewhere"))
    record = entry_record(stray, found, LAST)
    assert record["slug"] is None
    assert record["reason_ja"] in ("会話ログの cwd が違います", "前回の停止まで生きていた組ではありません")
    everything = answer(blind, Query(lift=True))
    stray = next(e for e in everything.skipped if e.log and e.log.session_id == id_of("elsewhere"))
    record = entry_record(stray, everything, Query(lift=True))
    assert (record["gate"], record["detail"]) == ("cwd_mismatch", "/somewhere/else")


def test_one_recorded_directory_that_is_the_place_is_enough(known: Known) -> None:
    assert "tmp-5" in slugs(answer(known, LAST).ready)


def test_idle_and_alive_are_kept_apart(known: Known) -> None:
    found = answer(known, LAST)
    record = entry_record(found.ready[0], found, LAST)
    assert record["mtime"] == "2026-08-27T20:50:53Z"
    assert record["last_content_ts"] == "2026-08-26T18:00:01Z"
    assert record["idle_gap_s"] == 96_652.0
    assert record["tail_types"] == ["custom-title", "last-prompt"]
    assert record["in_last_group"] is True
    assert record["mtime_suspect"] is None


def test_a_missing_frame_is_made_again_by_the_command(known: Known) -> None:
    found = answer(known, Query(named=("tmp-3f9a2c1b",)))
    record = entry_record(found.ready[0], found, Query())
    frame = f"{SCRATCH}/3f9a2c1b"
    assert record["command"] == f"mkdir -p {frame} && cd {frame} && claude --resume {id_of('issued')}"
    assert "-n" not in record["command"].split()


def test_the_shape_is_the_same_whatever_is_found(known: Known) -> None:
    full = record_of(answer(known, LAST), LAST)
    empty_query = Query(last=True, boot_s=1)
    empty = record_of(answer(known, empty_query), empty_query)
    assert sorted(full) == sorted(empty) == ["alive", "applied", "ready", "skipped"]
    assert empty["ready"] == []
    assert full["applied"] is False
    first = list(full["ready"][0])[:6]
    assert first == ["slug", "path", "sessionId", "tmux", "updatedAt", "title"]
    keys = {frozenset(record) for record in full["ready"]}
    assert len(keys) == 1
    assert full["ready"][0]["tmux"] == "cc/x01"
    assert full["ready"][0]["updatedAt"] == int(STOP.timestamp())


@pytest.mark.parametrize(
    "query",
    [
        Query(last=True, since_s=60),
        Query(last=True, named=("x01",)),
        Query(since_s=60, named=("x01",)),
        Query(session_id="5e55"),
        Query(named=("a", "b"), session_id="5e55"),
        Query(window_s=-1),
    ],
)
def test_filters_that_exclude_each_other_are_a_wrong_call(query: Query) -> None:
    with pytest.raises(UsageError) as refused:
        check_query(query)
    assert refused.value.exit_code == 2


def test_a_damaged_line_of_a_list_is_a_row_and_the_stale_one_is_marked(case: Case) -> None:
    rows = case.sql("select line_no, parse_ok from with_dismissed order by line_no").to_pylist()
    assert [row["parse_ok"] for row in rows] == [True, False, True]
    stale = case.sql("select session_id from dismissals where is_stale").column(0).to_pylist()
    assert stale == [id_of("never")]


def test_facts_stay_in_the_case_with_their_hashes(case: Case) -> None:
    kinds = case.sql("select kind from with_files order by kind").column(0).to_pylist()
    assert kinds == ["dismissed", "listing", "registry", "tmux"]
    outside = [row["kind"] for row in case.manifest["outside"]]
    assert outside == ["dismissed", "listing", "probe", "registry", "tmux"]


def test_a_mark_in_the_evidence_gives_the_slug_it_was_issued_with(tmp_path: Path) -> None:
    from forensics.ingest.convert import ConvertOptions, convert
    from tests.alive.evening import write_log

    root = tmp_path / "root"
    write_log(root, "marked", f"{SCRATCH}/7", mtime="27 20:50:30")
    frame = root / "kit" / ".cc-scratch" / "7"
    frame.mkdir(parents=True)
    (frame / ".ccs.json").write_text('{"schema":1,"issuedSlug":"tmp-3f9a2c1b","issuedSessionId":"x"}')
    broken = root / "kit" / ".cc-scratch" / "8"
    broken.mkdir()
    (broken / ".ccs.json").write_text('{"schema":1,')
    convert([f"home={root}"], tmp_path / "case", options=ConvertOptions(workers=1))
    with open_case(tmp_path / "case") as opened:
        found = answer(read_known(opened, load_patterns()), Query())
    assert [(e.place.slug.text, e.place.slug.basis) for e in found.ready if e.place.slug] == [
        ("tmp-3f9a2c1b", "mark")
    ]


@pytest.mark.parametrize(
    "name", ["--dangerously-skip-permissions", "x\x1b]0;y\x07\x9b2J\u202e\r\nrm -r /srv"]
)
def test_what_is_no_session_id_is_in_no_command_and_acts_on_no_terminal(known: Known, name: str) -> None:
    found = answer(known, LAST)
    first, *_ = found.ready
    assert first.log is not None
    assert first.place.slug is not None
    place = replace(first.place, slug=replace(first.place.slug, text=name))
    entry = replace(first, place=place, log=replace(first.log, session_id=name, label=name))
    hostile = replace(
        found,
        ready=(entry,),
        conversations=(entry,),
        groups=dict.fromkeys([name], *found.groups.values()),
        boot_basis={name: name},
    )
    assert entry_record(entry, hostile, LAST)["command"] is None
    texts = [
        whole(hostile, LAST, zone=UTC),
        conversations(hostile, zone=UTC),
        picked(hostile, LAST, Pick((1,), ())),
        picked(hostile, LAST, Pick((), (1,))),
        *notes(hostile, LAST, zone=UTC),
    ]
    text = "\n".join(texts)
    assert "claude --resume" not in text
    assert "its id has not the shape of a session id" in text
    assert not set("\x00\x07\x1b\x9b\u202e\r") & set(text)
    assert not [line for line in text.split("\n") if line.startswith("rm")]
