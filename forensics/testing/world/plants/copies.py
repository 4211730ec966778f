"""The same history in several files: copies under other keys, forks, and files of several sessions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from ..ground import Ground, Place
from ..lines import Line, draw_uuid
from ..naive_keys import key_of
from ..transcript import Transcript
from ..truth import Duplicate, OddKey, WorktreeKey


def _open(ground: Ground, *, at_least: str = "1.0.52") -> tuple[Place, Transcript, str]:
    """A place, a session there, and a second directory that some of it will be copied to."""
    place = ground.settle()
    other = f"{place.root}-copy"
    ground.add_directory(other)
    transcript = ground.start(place, version=ground.pick_version(at_least=at_least))
    transcript.open()
    transcript.turns(max(2, ground.pick_turns()))
    return place, transcript, other


def _copy_of(
    ground: Ground, place: Place, original: Transcript, *, cwd: str, n_lines: int | None
) -> Transcript:
    copy = ground.start(
        place, cwd=cwd, version=original.version, now=original.now, session_id=original.session_id
    )
    copy.adopt(original.copy_lines(n_lines=n_lines))
    return copy


def _tell(ground: Ground, relation: str, path: str, other_path: str) -> None:
    ground.planted["duplicates"].append(Duplicate(relation, path, other_path))


def _tell_misfiled(ground: Ground, place: Place, key: str) -> None:
    ground.planted["odd_keys"].append(OddKey(place.home, key, "misfiled", None, (place.root,)))


def plant_equal(ground: Ground, index: int) -> None:
    """A session that stands twice, byte for byte, under two keys."""
    place, original, other = _open(ground)
    copy = _copy_of(ground, place, original, cwd=other, n_lines=None)
    path = ground.keep(original, home=place.home)
    key = key_of(other, version=copy.version)
    mtime = original.now + timedelta(days=1 + index % 3)
    other_path = ground.keep(copy, home=place.home, key=key, mtime=mtime, key_state="misfiled")
    _tell_misfiled(ground, place, key)
    _tell(ground, "equal", path, other_path)


def plant_prefix(ground: Ground, index: int) -> None:
    """A session that was copied to another key and then went on under its own."""
    place, original, other = _open(ground)
    copy = _copy_of(ground, place, original, cwd=other, n_lines=None)
    original.wait(seconds=3600 * (1 + index))
    original.turns(ground.pick_turns())
    path = ground.keep(original, home=place.home)
    key = key_of(other, version=copy.version)
    other_path = ground.keep(copy, home=place.home, key=key, key_state="misfiled")
    _tell_misfiled(ground, place, key)
    _tell(ground, "prefix", other_path, path)


def plant_diverged(ground: Ground, index: int) -> None:
    """A session that was copied to another key and went on under both."""
    place, original, other = _open(ground)
    copy = _copy_of(ground, place, original, cwd=other, n_lines=None)
    original.turns(ground.pick_turns())
    copy.wait(seconds=86_400 * (1 + index))
    copy.turns(ground.pick_turns())
    path = ground.keep(original, home=place.home)
    key = key_of(other, version=copy.version)
    _tell(ground, "diverged", path, ground.keep(copy, home=place.home, key=key))


def plant_stub_copy(ground: Ground, index: int) -> None:
    """A session whose title or tag was set under another key, where nothing else of it stands."""
    place, original, other = _open(ground, at_least="2.0.0")
    path = ground.keep(original, home=place.home)
    stub = ground.start(place, cwd=other, now=original.now, session_id=original.session_id)
    stub.version = original.version
    stub.retitle("Renamed from elsewhere")
    if index % 2 == 1:
        stub.note({"type": "tag", "tag": "done", "sessionId": stub.session_id})
    stub.wait(seconds=600)
    key = key_of(other, version=stub.version)
    stub_path = ground.keep(stub, home=place.home, key=key, stub_reason="title_only", key_state="no_cwd")
    _tell(ground, "stub", stub_path, path)


def rewrite(lines: list[Line], *, session_id: str, cwd: str) -> list[Line]:
    """The lines as a fork writes them: another session and directory, the same uuids."""
    for line in lines:
        if line.record is not None:
            line.record |= {"sessionId": session_id} if "sessionId" in line.record else {}
            line.record |= {"cwd": cwd} if "cwd" in line.record else {}
    return lines


def plant_fork(ground: Ground, index: int) -> None:
    """A session that was forked in its own directory or in a worktree, and both went on."""
    place, original, _ = _open(ground, at_least="2.0.0")
    cwd = place.root if index % 2 == 0 else f"{place.root}/.worktrees/fork-{index}"
    if cwd != place.root:
        ground.add_directory(cwd, repo_root=place.root, is_worktree=True)
    fork = ground.start(place, cwd=cwd, version=original.version, now=original.now)
    fork.adopt(rewrite(original.copy_lines(), session_id=fork.session_id, cwd=cwd))
    fork.wait(seconds=400)
    fork.turns(ground.pick_turns())
    original.turns(ground.pick_turns() if index % 3 else 0)
    path = ground.keep(original, home=place.home)
    _tell(ground, "fork", ground.keep(fork, home=place.home), path)
    if cwd != place.root:
        key = key_of(cwd, version=fork.version)
        ground.planted["worktree_keys"].append(
            WorktreeKey(
                home=place.home,
                project_key=key,
                worktree=cwd,
                pattern="dot_worktrees",
                repo_root=place.root,
                n_sessions=1,
                is_one_session=True,
                state="registered",
                witnesses=("path",),
            )
        )


def plant_several_ids(ground: Ground, index: int) -> None:
    """A file whose lines carry ids of other sessions: its own is in the minority, or absent."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_most="1.0.128"))
    own = transcript.session_id
    for number in range(2 + index % 2):
        transcript.session_id = draw_uuid(ground.rng)
        transcript.turns(1 if number else 2)
    if index % 2 == 0:
        transcript.session_id = own
        transcript.turn()
    ground.keep(transcript, home=place.home, name=own)


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    "copy_equal": plant_equal,
    "copy_prefix": plant_prefix,
    "copy_diverged": plant_diverged,
    "copy_stub": plant_stub_copy,
    "fork": plant_fork,
    "several_ids": plant_several_ids,
}
