"""How well the name on a first line tells who started a session, counted where somebody saw it run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from forensics.alive.alive import know
from forensics.alive.facts import Known, Pane, Process
from forensics.alive.query import Query
from forensics.alive.trace_figures import as_text, count_traces
from forensics.case import Case, open_case
from forensics.host.probe import Home, write_probe
from forensics.host.registry import RegistryEntry
from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.probes import build_probe
from forensics.testing.short_lines import id_of
from tests.alive.evening import GHQ, take_in, write_log
from tests.cli.words import call


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return take_in(tmp_path_factory.mktemp("evening"))


@pytest.fixture(scope="module")
def case(place: Path) -> Iterator[Case]:
    with open_case(place) as opened:
        yield opened


def seen(known: Known, *sessions: tuple[str, str | None]) -> Known:
    """The same evening, of which these sessions were seen to run, in tmux or not."""
    processes = tuple(
        Process("", n, id_of(name) if name else "", "/", None, tmux)
        for n, (name, tmux) in enumerate(sessions)
    )
    return replace(known, processes=processes, panes=())


def test_marked_and_unmarked_sessions_are_told_apart_by_where_they_ran(case: Case) -> None:
    known = seen(
        know(case),
        ("x01", "cc/x01:0.0"),  # named like its place
        ("app", "cc/app:0.0"),  # a title, but not on the first line
        ("bglab", "play:0.1"),  # another name
        ("old", None),  # named like its place, and run elsewhere
        ("never here", "cc/never:0.0"),
        ("", "cc/nobody:0.0"),
    )
    found = count_traces(known, Query())
    assert (found.n_marked, found.n_marked_exact) == (2, 1)
    assert (found.n_unmarked, found.n_unmarked_exact) == (2, 1)
    assert (found.precision, found.recall) == (0.5, 0.5)


def test_a_session_seen_in_tmux_once_is_marked_and_counts_once(case: Case) -> None:
    known = seen(know(case), ("x01", None), ("x01", "cc/x01:0.0"), ("x01", "cc/x01:0.1"))
    known = replace(known, panes=(Pane("cc/old", "/", id_of("old"), is_stopped=True),))
    found = count_traces(known, Query())
    assert (found.n_marked, found.n_marked_exact, found.n_unmarked) == (2, 2, 0)
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_a_probe_tells_where_a_session_ran_as_a_registry_does(tmp_path: Path) -> None:
    write_log(tmp_path / "root", "x01", f"{GHQ}/x01", mtime="27 20:50:53", title="x01")
    entry = RegistryEntry("1.json", 1, id_of("x01"), f"{GHQ}/x01", tmux="cc/x01:0.0", is_alive=True)
    probe = replace(build_probe({}), homes=(Home("/home/kit/.claude", (entry,)),))
    write_probe(probe, tmp_path / "probe.json")
    options = ConvertOptions(workers=1, probe_files={"home": tmp_path / "probe.json"})
    convert([f"home={tmp_path / 'root'}"], tmp_path / "case", options=options)
    with open_case(tmp_path / "case") as opened:
        found = count_traces(know(opened), Query())
    assert (found.n_marked, found.n_marked_exact, found.n_unmarked) == (1, 1, 0)


def test_without_a_witness_there_is_no_share(case: Case) -> None:
    found = count_traces(seen(know(case)), Query())
    assert (found.precision, found.recall) == (None, None)
    assert as_text(found).endswith(
        "nobody saw which of them ran (convert --with registry=DIR --with tmux=FILE)"
    )


def test_transcripts_are_counted_by_their_first_line(case: Case) -> None:
    found = count_traces(know(case), Query())
    # `bglab webサイト`, and `tool`, `side` and the rest are named like their places.
    assert found.n_titled_other == 1
    others = count_traces(know(case), Query(label="nothing"))
    assert (others.n_transcripts, others.n_exact, others.n_titled_other) == (0, 0, 0)


def test_the_verb_prints_them_for_people_and_for_programs(place: Path) -> None:
    text = call("alive", "--figures", "-C", place)
    assert text.returncode == 0
    assert "seen to run in tmux as cc/" in text.stdout.decode()
    document = json.loads(call("alive", "--figures", "--json", "-C", place).stdout)
    assert sorted(document) == [
        "n_exact",
        "n_marked",
        "n_marked_exact",
        "n_titled_other",
        "n_transcripts",
        "n_unmarked",
        "n_unmarked_exact",
        "precision",
        "recall",
    ]
    # The pane of tmux is the one marked session; of those in the registry two have a transcript here.
    assert (document["n_marked"], document["n_marked_exact"], document["n_unmarked"]) == (1, 1, 2)


@pytest.mark.parametrize("words", [["x01"], ["x01", "--list"], ["--pick", "1"]])
def test_it_counts_all_of_them_and_nothing_else(place: Path, words: list[str]) -> None:
    ended = call("alive", "--figures", *words, "-C", place)
    assert ended.returncode == 2
    assert b"--figures counts all of them" in ended.stderr
