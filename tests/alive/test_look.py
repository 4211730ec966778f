"""A look at a machine takes the place of what older facts said of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensics.alive.alive import answer
from forensics.alive.archived import load_patterns
from forensics.alive.facts import Known, read_known
from forensics.alive.look import Look, look_here, with_look
from forensics.alive.query import Query
from forensics.case import open_case
from forensics.host.registry import RegistryEntry
from forensics.testing.short_lines import id_of
from tests.alive.evening import BOOT, GHQ, SCRATCH, take_in

LAST = Query(last=True)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    with open_case(take_in(tmp_path_factory.mktemp("look"), with_facts=False)) as opened:
        yield read_known(opened, load_patterns())


def seen(known: Known, registry: tuple[RegistryEntry, ...] = (), **counts: int) -> Known:
    """The evening as a machine shows it on which all but the frames are there with something in them."""
    by_name = {f"{SCRATCH}/{name[1:]}": n for name, n in counts.items()}

    def count(path: str) -> int | None:
        return by_name.get(path) if path.startswith(SCRATCH) else 1

    return with_look(known, Look(int(BOOT.timestamp()), registry, count))


def gates(known: Known) -> dict[str, str]:
    return {
        e.log.session_id: e.reason.code for e in answer(known, LAST).skipped if e.log and e.reason is not None
    }


def test_the_boot_of_the_machine_bounds_the_group(known: Known) -> None:
    found = answer(seen(known), LAST)
    assert found.boot_basis == {"home": "probed"}
    assert found.groups["home"].t_boot_ns == int(BOOT.timestamp()) * 1_000_000_000


def test_an_empty_frame_was_left_and_a_missing_one_was_not(known: Known) -> None:
    told = gates(seen(known, _2=0, _5=3))
    assert told[id_of("emptied")] == "frame_empty_moved"
    assert id_of("issued") not in told
    assert id_of("both") not in told


def test_only_processes_that_live_count(known: Known) -> None:
    living = RegistryEntry("1.json", pid=1, session_id=id_of("x01"), cwd=f"{GHQ}/x01", is_alive=True)
    dead = RegistryEntry("2.json", pid=2, session_id=id_of("side"), cwd=f"{GHQ}/side", is_alive=False)
    found = answer(seen(known, (living, dead)), LAST)
    assert [e.log.session_id for e in found.alive if e.log] == [id_of("x01")]
    assert id_of("side") in [e.log.session_id for e in found.ready if e.log]
    assert all("alive" not in entry.unknown for entry in found.ready)


def test_a_process_keeps_the_pane_it_was_seen_in(known: Known) -> None:
    entry = RegistryEntry("1.json", pid=1, session_id=id_of("x01"), tmux="cc/x01:0.0", is_alive=True)
    assert [process.tmux for process in seen(known, (entry,)).processes] == ["cc/x01:0.0"]


def test_this_machine_is_looked_at_through_its_home(tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    (sessions / "1.json").write_text(json.dumps({"pid": os.getpid(), "sessionId": id_of("me"), "cwd": "/"}))
    look = look_here(tmp_path)
    assert [(entry.session_id, entry.is_alive) for entry in look.registry] == [(id_of("me"), True)]
    assert look.count(str(tmp_path)) == 1
    assert look.count(str(tmp_path / "nothing")) is None
    (tmp_path / "empty").mkdir()
    assert look.count(str(tmp_path / "empty")) == 0
