"""Directories that meet in one key, and those that only nearly do."""

from __future__ import annotations

from datetime import timedelta

from ..ground import Ground, Place
from ..naive_keys import key_of
from ..truth import Collision, LongPrefix, NearMiss

_LONG = (
    "a-folder-that-somebody-named-in-one-long-breath-and-then-kept-for-many-years/"
    "with-another-one-inside-that-tells-the-whole-story-of-how-it-came-to-be-here/"
    "and-a-last-one-because-there-was-still-some-room-left-on-the-line-that-evening"
)


def spell_pair(cause: str, *, stem: str) -> tuple[str, str]:
    """Two directories that collide for this cause."""
    pairs = {
        "dot": (f"{stem}.site", f"{stem}-site"),
        "underscore": (f"{stem}_notes", f"{stem}-notes"),
        "space": (f"{stem} draft", f"{stem}-draft"),
        "slash": (f"{stem}/web", f"{stem}-web"),
        "non_ascii": (f"{stem}/사진", f"{stem}/写真"),
        "long": (f"{stem}/{_LONG}/Aa", f"{stem}/{_LONG}/BB"),
    }
    return pairs[cause]


CAUSES = ("dot", "underscore", "space", "slash", "non_ascii", "long")


def _settle_pair(ground: Ground, cause: str) -> tuple[Place, str, str, str, str]:
    place = ground.settle()
    one, other = spell_pair(cause, stem=place.root)
    ground.add_directory(one)
    ground.add_directory(other)
    version = ground.pick_version(at_least="2.1.101" if cause == "long" else "1.0.0")
    key = key_of(one, version=version)
    if key != key_of(other, version=version):
        raise AssertionError(f"{one} and {other} do not collide")
    ground.share_key(place.home, key)
    return place, one, other, version, key


def _tell(
    ground: Ground, place: Place, key: str, cwds: tuple[str, ...], *, cause: str, kind: str, paths: list[str]
) -> None:
    collision = Collision(place.home, key, tuple(sorted(cwds)), cause, kind, tuple(sorted(paths)))
    ground.planted["collisions"].append(collision)


def plant_two_directories(ground: Ground, index: int, *, cause: str) -> None:
    """Sessions of two directories that share a key are kept, their times interleaved."""
    place, one, other, version, key = _settle_pair(ground, cause)
    now = ground.pick_time()
    paths = []
    for number, cwd in enumerate((one, other, one)[: 2 + index % 2]):
        transcript = ground.start(place, cwd=cwd, version=version, now=now + timedelta(minutes=7 * number))
        transcript.open()
        transcript.turns(ground.pick_turns())
        paths.append(ground.keep(transcript, home=place.home))
    _tell(ground, place, key, (one, other), cause=cause, kind="two_directories", paths=paths)


def plant_inherited(ground: Ground, index: int) -> None:
    """A directory was deleted, and weeks later another one took over its key."""
    place, one, other, version, key = _settle_pair(ground, CAUSES[index % 5])
    ground.add_directory(one, exists=False)
    now = ground.spec.start + timedelta(hours=ground.rng.randint(1, 9))
    paths = []
    for number, cwd in enumerate((one, other)):
        later = now + timedelta(days=number * max(1, ground.spec.days // 2))
        transcript = ground.start(place, cwd=cwd, version=version, now=later)
        transcript.open()
        transcript.turns(ground.pick_turns())
        paths.append(ground.keep(transcript, home=place.home))
    _tell(ground, place, key, (one, other), cause=CAUSES[index % 5], kind="inherited", paths=paths)


def plant_moved(ground: Ground, index: int) -> None:
    """One session whose directory was renamed to a colliding spelling, with the line that says so."""
    place, one, other, version, key = _settle_pair(ground, CAUSES[index % 5])
    ground.add_directory(one, exists=False)
    version = ground.pick_version(at_least="2.1.223")
    transcript = ground.start(place, cwd=one, version=version)
    transcript.open()
    transcript.turns(ground.pick_turns())
    transcript.relocate(other)
    transcript.turns(ground.pick_turns())
    path = ground.keep(transcript, home=place.home)
    _tell(ground, place, key, (one, other), cause=CAUSES[index % 5], kind="moved", paths=[path])


def plant_contaminated(ground: Ground, index: int) -> None:
    """One session that was resumed in a colliding directory and then in its own again."""
    cause = CAUSES[index % len(CAUSES)]
    place, one, other, version, key = _settle_pair(ground, cause)
    transcript = ground.start(place, cwd=one, version=version)
    transcript.open()
    transcript.turns(ground.pick_turns())
    for cwd in (other, one)[: 2 - index % 2]:
        transcript.wait(seconds=7200)
        transcript.cwd = cwd
        transcript.turns(ground.pick_turns())
    path = ground.keep(transcript, home=place.home)
    _tell(ground, place, key, (one, other), cause=cause, kind="contaminated", paths=[path])


def plant_near_case(ground: Ground, index: int) -> None:
    """Two directories whose keys differ in the case of a letter and in nothing else."""
    place = ground.settle()
    keys, cwds = [], (f"{place.root}/Seeds", f"{place.root}/seeds")
    for cwd in cwds:
        ground.add_directory(cwd)
        transcript = ground.start(place, cwd=cwd)
        transcript.open()
        transcript.turns(ground.pick_turns())
        ground.keep(transcript, home=place.home)
        keys.append(key_of(cwd, version=transcript.version))
    ground.planted["near_misses"].append(NearMiss(place.home, "case", tuple(keys), cwds))


def plant_long_prefix(ground: Ground, index: int) -> None:
    """Two directories whose long keys share their first 200 characters and differ in the hash."""
    place = ground.settle()
    keys, cwds = [], tuple(f"{place.root}/{_LONG}/shelf-{end}" for end in ("one", "two"))
    for cwd in cwds:
        ground.add_directory(cwd)
        transcript = ground.start(place, cwd=cwd, version=ground.pick_version(at_least="2.1.101"))
        transcript.open()
        transcript.turns(ground.pick_turns())
        ground.keep(transcript, home=place.home)
        keys.append(key_of(cwd, version=transcript.version))
    if keys[0][:200] != keys[1][:200] or keys[0] == keys[1]:
        raise AssertionError("these keys were to share 200 characters and no more")
    ground.planted["long_prefixes"].append(LongPrefix(place.home, tuple(keys), cwds))


PLANTS = {
    "collision_dot": lambda ground, index: plant_two_directories(ground, index, cause="dot"),
    "collision_underscore": lambda ground, index: plant_two_directories(ground, index, cause="underscore"),
    "collision_space": lambda ground, index: plant_two_directories(ground, index, cause="space"),
    "collision_slash": lambda ground, index: plant_two_directories(ground, index, cause="slash"),
    "collision_non_ascii": lambda ground, index: plant_two_directories(ground, index, cause="non_ascii"),
    "collision_long": lambda ground, index: plant_two_directories(ground, index, cause="long"),
    "inherited_key": plant_inherited,
    "moved_collision": plant_moved,
    "contaminated": plant_contaminated,
    "near_case": plant_near_case,
    "long_prefix": plant_long_prefix,
}
