"""What happens to sessions over time: resumed, renamed, waiting, overlapping, shut down together."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from ..eras import era_of
from ..ground import Ground, Place
from ..lines import draw_hex
from ..naive_keys import key_of
from ..truth import Absence, Noted, Shutdown

WINDOW_S = 300


def _note(ground: Ground, kind: str, *paths: str, detail: str = "") -> None:
    ground.planted["notes"].append(Noted(kind, tuple(sorted(paths)), detail))


def plant_resumed(ground: Ground, index: int) -> None:
    """A session that was resumed days later by a newer version, and got another title at once."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_most="2.1.112"))
    transcript.open(name=place.story.title)
    transcript.turns(ground.pick_turns())
    transcript.wait(seconds=86_400 * (1 + index % 3))
    transcript.version = ground.pick_version(at_least="2.1.170")
    transcript.retitle(f"{place.story.name} again")
    transcript.turns(ground.pick_turns())
    key = key_of(place.root, version=transcript.version)
    path = ground.keep(transcript, home=place.home, key=key)
    _note(ground, "retitled_on_resume", path, detail=f"{place.story.name} again")


def plant_renamed_directory(ground: Ground, index: int) -> None:
    """A directory that was renamed: its old session goes on in the new one, where others start."""
    place = ground.settle()
    renamed = f"{place.root}-tool"
    ground.add_directory(place.root, exists=False)
    ground.add_directory(renamed)
    transcript = ground.start(place, version=ground.pick_version(at_least="2.1.223"))
    transcript.open()
    transcript.turns(ground.pick_turns())
    transcript.wait(seconds=86_400)
    transcript.cwd = renamed
    transcript.turns(ground.pick_turns())
    path = ground.keep(transcript, home=place.home)
    if index % 2 == 0:
        later = ground.start(place, cwd=renamed, version=transcript.version, now=transcript.now)
        later.open()
        later.turns(ground.pick_turns())
        ground.keep(later, home=place.home)
    _note(ground, "renamed_directory", path, detail=renamed)


def plant_ai_title(ground: Ground, index: int) -> None:
    """A session whose titles were given by the agent, more than once."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_least="2.1.50"))
    transcript.open()
    for number in range(2):
        transcript.turn()
        title = (place.story.title, f"{place.story.title} ({number + index + 1})")[number]
        transcript.note({"type": "ai-title", "aiTitle": title, "sessionId": transcript.session_id})
    ground.keep(transcript, home=place.home)


def plant_pending(ground: Ground, index: int) -> None:
    """A session that ends with a request, or a tool's result, that nobody answered."""
    place = ground.settle()
    transcript = ground.start(place)
    transcript.open()
    transcript.turns(ground.pick_turns())
    ask = place.story.asks[-1]
    transcript.prompt(ask.prompt)
    if index % 2 == 1:
        transcript.run_something(before=[{"type": "text", "text": ask.opening}])
    if era_of(transcript.version).has_last_prompt:
        transcript.write_last_prompt()
    path = ground.keep(transcript, home=place.home)
    _note(ground, "pending_turn", path, detail=("prompt", "tool_result")[index % 2])


def plant_overlapping(ground: Ground, index: int) -> None:
    """Two sessions at work in one directory at the same time, both of which edit one file."""
    place = ground.settle()
    now = ground.pick_time()
    file = place.story.files[index % len(place.story.files)]
    pair = [
        ground.start(place, now=now + timedelta(minutes=m), version=ground.pick_version()) for m in (0, 3)
    ]
    for transcript in pair:
        transcript.open()
    for _ in range(3):
        for transcript in pair:
            transcript.prompt(place.story.asks[0].prompt)
            transcript.edit_file(file)
            transcript.answer([{"type": "text", "text": place.story.asks[0].closing}])
            transcript.end_turn()
            transcript.wait(seconds=240)
    paths = [ground.keep(transcript, home=place.home) for transcript in pair]
    _note(ground, "overlapping_sessions", *paths, detail=f"{place.root}/{file}")


def plant_clock_back(ground: Ground, index: int) -> None:
    """A session in which the clock went back for hours."""
    place = ground.settle()
    transcript = ground.start(place)
    transcript.open()
    transcript.turns(ground.pick_turns())
    transcript.wait(seconds=-7200 * (1 + index % 3))
    transcript.turn()
    later = transcript.now + timedelta(hours=8)
    _note(ground, "clock_anomaly", ground.keep(transcript, home=place.home, mtime=later))


def plant_early_mtime(ground: Ground, index: int) -> None:
    """A file that is older than what it holds."""
    place = ground.settle()
    transcript = ground.start(place)
    transcript.open()
    transcript.turns(ground.pick_turns())
    mtime = transcript.now - timedelta(days=2 + index)
    _note(ground, "mtime_before_content", ground.keep(transcript, home=place.home, mtime=mtime))


def plant_shared_mtime(ground: Ground, index: int) -> None:
    """Files of different days that all have the second in which they were copied."""
    place = ground.settle()
    copied = ground.spec.start + timedelta(days=ground.spec.days - 2, hours=3, minutes=index)
    paths = []
    for number in range(4):
        cwd = f"{place.root}/part{number}"
        ground.add_directory(cwd)
        transcript = ground.start(place, cwd=cwd)
        transcript.open()
        transcript.turn()
        paths.append(ground.keep(transcript, home=place.home, mtime=copied))
    _note(ground, "mtime_shared", *paths)


def plant_lost_move(ground: Ground, index: int) -> None:
    """A session that says it moved, to a directory of which the home knows nothing, and its file did not."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_least="2.1.223"))
    transcript.open()
    transcript.turns(ground.pick_turns())
    target = f"/mnt/stick/{place.story.name}{index}"
    ground.add_directory(target, exists=False)
    transcript.note({"type": "relocated", "sessionId": transcript.session_id, "relocatedCwd": target})
    path = ground.keep(transcript, home=place.home)
    number = len(transcript.lines)
    ground.planted["absences"].append(Absence("relocated_target", path, number, target))


def _keep_until(ground: Ground, place: Place, *, end: datetime, idle: timedelta, is_answered: bool) -> str:
    """A session that was alive until `end` and had said its last word some time before."""
    version = ground.pick_version(at_least="2.1.100")
    transcript = ground.start(place, version=version, now=end - idle - timedelta(hours=2))
    transcript.open(name=place.root.rsplit("/", maxsplit=1)[-1])
    transcript.turn(may_edit=False)
    transcript.wait(seconds=max(1.0, (end - idle - transcript.now).total_seconds() - 60))
    transcript.prompt(place.story.asks[-1].prompt)
    if is_answered:
        transcript.answer([{"type": "text", "text": place.story.asks[-1].closing}])
    transcript.write_last_prompt()
    return ground.keep(transcript, home=place.home, mtime=end)


def plant_shutdown(ground: Ground, index: int) -> None:
    """Sessions that went down within seconds, some idle since the day before, and others before and after."""
    home = ground.rng.choice(ground.spec.homes)
    stop = ground.spec.start + timedelta(days=ground.spec.days + 3 * index, hours=12, minutes=50)
    boot = stop + timedelta(hours=2, minutes=32)
    n_group = ground.rng.randint(3, 6)
    group = []
    place = ground.settle(home=home)
    for number in range(n_group):
        if number != 1 or index % 2 == 1:
            place = ground.settle(home=home) if number else place
        idle = timedelta(days=1) if number < 2 else timedelta(seconds=ground.rng.uniform(2, 200))
        end = stop - timedelta(seconds=45 * number / n_group)
        group.append(_keep_until(ground, place, end=end, idle=idle, is_answered=number % 3 > 0))
    if index % 2 == 0:
        _note(ground, "double_writer", *group[:2])
    moments = (stop - timedelta(seconds=WINDOW_S + 300), boot + timedelta(minutes=20))
    earlier, after = (
        _keep_until(
            ground, ground.settle(home=home), end=end, idle=timedelta(seconds=9 + index), is_answered=True
        )
        for end in moments
    )
    ground.planted["shutdowns"].append(
        Shutdown(
            home=home,
            t_last_s=int(stop.timestamp()),
            t_boot_s=int(boot.timestamp()),
            window_s=WINDOW_S,
            paths=tuple(sorted(group)),
            earlier_paths=(earlier,),
            after_boot_paths=(after,),
        )
    )


def plant_archived(ground: Ground, index: int) -> None:
    """A session that was archived in the app; in every second one a person asked for something afterwards."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_least="2.1.223"))
    transcript.open()
    transcript.turns(ground.pick_turns())
    at = transcript.now
    if index % 2 == 1:
        transcript.wait(seconds=1200)
        transcript.turn()
    path = ground.keep(transcript, home=place.home)
    body = f'{{"archived":true,"at":"{at.isoformat(timespec="seconds")}"}}'
    ground.add_file(
        f"{path.removesuffix('.jsonl')}/archived.json",
        body.encode(),
        role="sidecar",
        home=place.home,
        key=key_of(place.root, version=transcript.version),
    )
    _note(
        ground, ("archived", "archived_then_asked")[index % 2], path, detail=at.isoformat(timespec="seconds")
    )


def plant_edits(ground: Ground, index: int) -> None:
    """A session in which a tool failed and a command met a resume that was refused."""
    place = ground.settle()
    transcript = ground.start(place)
    transcript.open()
    transcript.turn()
    transcript.prompt("pick up the session from yesterday")
    asked = "0000beef-0000-4000-8000-" + draw_hex(ground.rng, 12)
    tool_use_id = "toolu_01" + draw_hex(ground.rng, 22)
    call = {"command": f"claude --resume {asked} -p ok", "description": "Resume"}
    transcript.answer(
        [{"type": "tool_use", "id": tool_use_id, "name": "Bash", "input": call}], stop="tool_use"
    )
    transcript.tool_result(tool_use_id, f"No conversation found with session ID: {asked}", is_error=True)
    transcript.answer([{"type": "text", "text": "There is no such session here."}])
    transcript.turns(1 + index % 2)
    _note(ground, "resume_refused", ground.keep(transcript, home=place.home), detail=asked)


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    "resumed": plant_resumed,
    "renamed_directory": plant_renamed_directory,
    "ai_title": plant_ai_title,
    "pending": plant_pending,
    "overlapping": plant_overlapping,
    "clock_back": plant_clock_back,
    "early_mtime": plant_early_mtime,
    "shared_mtime": plant_shared_mtime,
    "lost_move": plant_lost_move,
    "archived": plant_archived,
    "refused_resume": plant_edits,
    "shutdown": plant_shutdown,
}
