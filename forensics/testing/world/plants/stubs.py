"""Files that hold no conversation, by cause, and summary lines that belong elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from ..ground import Ground, Place
from ..lines import Flaw, Line, draw_uuid, format_time
from ..naive_keys import key_of
from ..transcript import Transcript
from ..truth import SummaryLine


def _open_beside(
    ground: Ground, *, at_least: str = "1.0.0", at_most: str = "9.0.0"
) -> tuple[Place, Transcript]:
    """A place with one ordinary session, and a new transcript that has no line yet."""
    place = ground.settle()
    version = ground.pick_version(at_least=at_least, at_most=at_most)
    beside = ground.start(place, version=version)
    beside.open()
    beside.turns(ground.pick_turns())
    ground.keep(beside, home=place.home)
    later = beside.now + timedelta(hours=ground.rng.randint(1, 20))
    return place, ground.start(place, version=version, now=later)


def _keep_stub(ground: Ground, place: Place, stub: Transcript, reason: str) -> None:
    key = key_of(place.root, version=stub.version)
    ground.keep(stub, home=place.home, key=key, stub_reason=reason, key_state="no_cwd")


def plant_title_only(ground: Ground, index: int) -> None:
    """A session that has a title and no message."""
    place, stub = _open_beside(ground, at_least="2.0.0")
    stub.retitle(place.story.title if index % 2 == 0 else "Untitled")
    if index % 2 == 1:
        stub.note({"type": "tag", "tag": "later", "sessionId": stub.session_id})
    _keep_stub(ground, place, stub, "title_only")


def plant_queue_only(ground: Ground, index: int) -> None:
    """A session whose prompt was queued and never sent."""
    place, stub = _open_beside(ground, at_least="2.0.0")
    for operation in ("enqueue", "dequeue")[: 1 + index % 2]:
        entry = {"type": "queue-operation", "operation": operation, "timestamp": format_time(stub.now)}
        more = {"content": place.story.asks[0].prompt} if operation == "enqueue" else {}
        stub.note(entry | {"sessionId": stub.session_id} | more)
    _keep_stub(ground, place, stub, "queue_only")


def plant_summary_only(ground: Ground, index: int) -> None:
    """A file that holds nothing but summary lines of other sessions."""
    place, stub = _open_beside(ground, at_most="2.1.20")
    earlier = ground.sessions[-1]
    for _ in range(1 + index % 2):
        leaf = draw_uuid(ground.rng)
        stub.note({"type": "summary", "summary": place.story.title, "leafUuid": leaf})
        number = len(stub.lines)
        path = f"{place.home}/projects/{earlier.project_key}/{stub.session_id}.jsonl"
        ground.planted["summary_lines"].append(SummaryLine(path, number, leaf, "nowhere", None))
    _keep_stub(ground, place, stub, "summary_only")


def plant_empty(ground: Ground, index: int) -> None:
    """A transcript of no bytes."""
    place, stub = _open_beside(ground)
    stub.wait(seconds=index)
    _keep_stub(ground, place, stub, "empty")


def plant_corrupt(ground: Ground, index: int) -> None:
    """A transcript of which nothing can be read."""
    place, stub = _open_beside(ground)
    raw = (b"\0" * 4096, b"read error")[index % 2]
    flaw = Flaw("nul", "instead") if index % 2 == 0 else Flaw("text")
    stub.lines.append(Line(None, raw=raw, flaws=[flaw]))
    _keep_stub(ground, place, stub, "corrupt")


def plant_foreign_summaries(ground: Ground, index: int) -> None:
    """A session that begins with summary lines: of another session, of one that is gone, of its own."""
    place, transcript = _open_beside(ground, at_most="2.1.20")
    beside = ground.sessions[-1]
    own, gone = "own", draw_uuid(ground.rng)
    other = ground.uuids_of(beside.path)[-1]
    for leaf in (other, gone, own)[: 2 + index % 2]:
        transcript.note({"type": "summary", "summary": place.story.title, "leafUuid": leaf})
    transcript.turns(ground.pick_turns())
    key = key_of(place.root, version=transcript.version)
    path = f"{place.home}/projects/{key}/{transcript.session_id}.jsonl"
    told = ground.planted["summary_lines"]
    told.append(SummaryLine(path, 1, other, "other", beside.path))
    told.append(SummaryLine(path, 2, gone, "nowhere", None))
    if index % 2 == 1 and transcript.last_uuid is not None and transcript.lines[2].record is not None:
        transcript.lines[2].record["leafUuid"] = transcript.last_uuid
        told.append(SummaryLine(path, 3, transcript.last_uuid, "own", path))
    ground.keep(transcript, home=place.home)


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    "stub_title": plant_title_only,
    "stub_queue": plant_queue_only,
    "stub_summary": plant_summary_only,
    "stub_empty": plant_empty,
    "stub_corrupt": plant_corrupt,
    "foreign_summaries": plant_foreign_summaries,
}
