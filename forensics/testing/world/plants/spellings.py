"""One directory in several spellings, and keys that no rule of their version gives."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from ..ground import Ground
from ..naive_keys import dash_units, key_of
from ..truth import Alias, NearMiss, OddKey

_LONG = (
    "loft/behind-the-chimney-in-the-crate-that-was-never-opened-after-the-flood/"
    "negatives-and-prints-of-the-harbour-before-they-built-the-new-pier-across-it/"
    "numbered-as-they-came-out-of-the-camera"
)


def _plant_alias(
    ground: Ground, cause: str, cwds: tuple[str, str], *, at_least: str, alternates: bool
) -> None:
    """Two sessions of one directory under two keys; in one of them the spelling may change and come back."""
    place = ground.settle()
    version = ground.pick_version(at_least=at_least)
    now = ground.pick_time()
    keys = []
    for cwd in cwds:
        ground.add_directory(cwd)
        transcript = ground.start(place, cwd=cwd, version=version, now=now)
        transcript.open()
        transcript.turns(ground.pick_turns())
        if alternates and cwd == cwds[0]:
            for spelling in (cwds[1], cwds[0]):
                transcript.cwd = spelling
                transcript.turn()
        ground.keep(transcript, home=place.home)
        keys.append(key_of(cwd, version=version))
        now = transcript.now
    ground.planted["aliases"].append(Alias(place.home, cause, cwds, tuple(keys)))


def plant_drive_letter(ground: Ground, index: int) -> None:
    """A Windows directory whose drive letter is written large and small."""
    cwds = (f"D:\\kit\\tools\\kiln{index or ''}", f"d:\\kit\\tools\\kiln{index or ''}")
    _plant_alias(ground, "drive_letter", cwds, at_least="2.1.0", alternates=index % 2 == 0)


def plant_normal_form(ground: Ground, index: int) -> None:
    """A directory whose accent is one character here and two there."""
    cwd = f"/Users/kit/café-menu{index or ''}"
    cwds = (unicodedata.normalize("NFC", cwd), unicodedata.normalize("NFD", cwd))
    _plant_alias(ground, "normal_form", cwds, at_least="2.1.163", alternates=False)


def plant_private_tmp(ground: Ground, index: int) -> None:
    """A directory below /tmp on macOS, with its link resolved and not."""
    cwds = (f"/tmp/kit-try{index or ''}", f"/private/tmp/kit-try{index or ''}")  # noqa: S108
    _plant_alias(ground, "private_tmp", cwds, at_least="2.0.0", alternates=False)


def plant_wsl(ground: Ground, index: int) -> None:
    """A Windows directory seen from Windows and from its Linux."""
    cwds = (f"C:\\kit\\garden{index or ''}", f"/mnt/c/kit/garden{index or ''}")
    _plant_alias(ground, "wsl", cwds, at_least="2.0.0", alternates=False)


def plant_letter_case(ground: Ground, index: int) -> None:
    """A directory of a file system that ignores case, written in two ways."""
    cwds = (f"/Users/kit/Projects/Boxfit{index or ''}", f"/Users/kit/projects/boxfit{index or ''}")
    _plant_alias(ground, "case", cwds, at_least="2.0.0", alternates=False)


def plant_unc(ground: Ground, index: int) -> None:
    """A network directory written with both slashes: two spellings, one key, one directory."""
    place = ground.settle()
    cwds = (f"\\\\attic\\share\\scans{index or ''}", f"//attic/share/scans{index or ''}")
    transcript = ground.start(place, cwd=cwds[0], version=ground.pick_version(at_least="2.1.0"))
    transcript.turns(ground.pick_turns())
    transcript.cwd = cwds[1]
    transcript.turn()
    key = key_of(cwds[0], version=transcript.version)
    ground.share_key(place.home, key)
    ground.keep(transcript, home=place.home)
    ground.planted["near_misses"].append(NearMiss(place.home, "unc_spelling", (key,), cwds))


def plant_composed_key(ground: Ground, index: int) -> None:
    """A decomposed directory under the key of its composed form, as versions of one time wrote it."""
    place = ground.settle()
    cwd = unicodedata.normalize("NFD", f"{place.root}/crème")
    ground.add_directory(cwd)
    version = ground.pick_version(at_least="2.1.42", at_most="2.1.156")
    transcript = ground.start(place, cwd=cwd, version=version)
    transcript.open()
    transcript.turns(ground.pick_turns())
    ground.keep(transcript, home=place.home)
    key = key_of(cwd, version=version)
    ground.planted["near_misses"].append(NearMiss(place.home, "composed_key", (key,), (cwd,)))


def plant_uncut(ground: Ground, index: int) -> None:
    """A long directory under a key that was never cut, as old versions wrote it."""
    place = ground.settle(name=f"{_LONG}-{index}")
    transcript = ground.start(place, version=ground.pick_version(at_most="2.1.45"))
    transcript.open()
    transcript.turns(ground.pick_turns())
    key = key_of(place.root, version=transcript.version)
    if not 200 < len(key) <= 255:
        raise AssertionError("this key was to be long and still fit a file name")
    ground.keep(transcript, home=place.home)
    ground.planted["near_misses"].append(NearMiss(place.home, "uncut_key", (key,), (place.root,)))


WRONG_RULES: dict[str, Callable[[str], str]] = {
    "slash_only": lambda path: path.replace("/", "-"),
    "slash_and_dot": lambda path: path.replace("/", "-").replace(".", "-"),
    "slash_no_leading_dash": lambda path: path.replace("/", "-").removeprefix("-"),
    "code_points": lambda path: re.sub(r"[^a-zA-Z0-9]", "-", path),
    "bytes": lambda path: re.sub(rb"[^a-zA-Z0-9]", b"-", path.encode()).decode(),
    "runs_collapsed": lambda path: re.sub(r"-+", "-", dash_units(path)),
    "lower_case": lambda path: dash_units(path).lower(),
}


def plant_foreign(ground: Ground, index: int) -> None:
    """A session that another tool filed under a key made by a wrong rule."""
    rule = tuple(WRONG_RULES)[index % len(WRONG_RULES)]
    place = ground.settle()
    cwd = f"{place.root}/Tea_Pot 2.0 🫖/사진"
    ground.add_directory(cwd)
    transcript = ground.start(place, cwd=cwd, version=ground.pick_version(at_least="2.0.0"))
    transcript.turns(ground.pick_turns())
    key = WRONG_RULES[rule](cwd)
    if key == key_of(cwd, version=transcript.version):
        raise AssertionError(f"{rule} is right for {cwd}")
    ground.keep(transcript, home=place.home, key=key, key_state="foreign")
    ground.planted["odd_keys"].append(OddKey(place.home, key, "foreign", rule, (cwd,)))


def plant_named(ground: Ground, index: int) -> None:
    """Sessions under a name that was chosen in place of the key."""
    place = ground.settle()
    key = ("kiln_2026", "tea", "Garden-Log", "x_1")[index % 4] + ("" if index < 4 else f"_{index}")
    for _ in range(1 + index % 2):
        transcript = ground.start(place, version=ground.pick_version(at_least="2.1.234"))
        transcript.open()
        transcript.turns(ground.pick_turns())
        ground.keep(transcript, home=place.home, key=key, key_state="named")
    ground.planted["odd_keys"].append(OddKey(place.home, key, "named", None, (place.root,)))


def plant_misfiled(ground: Ground, index: int) -> None:
    """A session that was moved by hand to the key of another directory, which has sessions of its own."""
    place = ground.settle()
    ground.add_directory(f"{place.root}-next")
    beside = ground.start(place, cwd=f"{place.root}-next")
    beside.open()
    beside.turns(ground.pick_turns())
    key = key_of(beside.cwd, version=beside.version)
    ground.keep(beside, home=place.home, key=key)
    strange = ground.start(place, version=beside.version)
    strange.open()
    strange.turns(ground.pick_turns())
    if index % 2 == 1:
        strange.change_dir(f"{place.root}/{place.story.below[0]}")
        strange.turn()
    ground.keep(strange, home=place.home, key=key, key_state="misfiled")
    cwds = tuple(dict.fromkeys(line.cwd for line in strange.lines if line.cwd is not None))
    ground.planted["odd_keys"].append(OddKey(place.home, key, "misfiled", None, cwds))


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    "alias_drive_letter": plant_drive_letter,
    "alias_normal_form": plant_normal_form,
    "alias_private_tmp": plant_private_tmp,
    "alias_wsl": plant_wsl,
    "alias_case": plant_letter_case,
    "unc_spelling": plant_unc,
    "composed_key": plant_composed_key,
    "uncut_key": plant_uncut,
    "foreign_key": plant_foreign,
    "named_key": plant_named,
    "misfiled": plant_misfiled,
}
