"""Hypothesis strategies for working directories, keys and colliding pairs.

Every path they draw is resolved (equal to its own `resolve_lexical`) unless its docstring says otherwise, as
the recorded cwd of a session is.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from forensics.keys import LIMIT, RESERVED_NAMES, Rule, is_named_key, load_rules, resolve_lexical
from forensics.keys.collide import collide

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
PUNCTUATION: Final = "-_. +~@#=,;:!$%&'()[]{}^`\t\n\\\"*?<>|\x01\x7f"
SCRIPTS: Final = "éüñßøÅçğışΩλЖщ日本語項目한글नपไทยעברية١２Ｂ\u00a0\u0085\u2028\u200d\ufffd\ufeff\u017f"
SINGLETONS: Final = "\u212a\u2126\u212b\u037e\u1fef\u0958\ufb2a\uf900\u0344\u1100\u1161\u11a8"
ASTRAL: Final = "😀🚀👍🏽🇫🇮𝐀𝟘𠀀\U0002f800\U0001d15e\U00011099\U000110ba\U000e0001"
LONE: Final = "\ud800\udbff\udc00\udfff\ud83d\ude00"
ESCAPES: Final = "\udc80\udcc3\udca9\udcff"


def names(alphabet: str, *, max_size: int = 24) -> SearchStrategy[str]:
    """Return file names over some characters, never `.`, `..`, empty or with a slash."""
    letters = "".join(sorted(set(alphabet) - {"/"}))
    return st.text(letters, min_size=1, max_size=max_size).filter(lambda name: name not in (".", ".."))


def posix_paths(alphabet: str = LETTERS + PUNCTUATION, *, max_depth: int = 6) -> SearchStrategy[str]:
    """Return absolute POSIX paths; the default alphabet is ASCII with all that people put into names."""
    return st.lists(names(alphabet), max_size=max_depth).map(lambda parts: "/" + "/".join(parts))


def ascii_paths() -> SearchStrategy[str]:
    """Return ASCII paths of every style."""
    return st.one_of(posix_paths(), windows_paths(), unc_paths(), wsl_paths())


def windows_paths() -> SearchStrategy[str]:
    r"""Return paths of Windows with a drive (`C:\x`)."""
    parts = st.lists(names(LETTERS + " -_.~"), max_size=5)
    return st.builds(lambda drive, rest: f"{drive}:\\" + "\\".join(rest), st.sampled_from("CcDdZ"), parts)


def unc_paths() -> SearchStrategy[str]:
    r"""Return paths of network shares (`\\server\share\x`)."""
    parts = st.lists(names(LETTERS + " -_.~"), min_size=3, max_size=6)
    return parts.map(lambda rest: "\\\\" + "\\".join(rest)).filter(_is_resolved)


def wsl_paths() -> SearchStrategy[str]:
    """Return paths of a Windows drive as Linux sees them (`/mnt/c/x`)."""
    parts = st.lists(names(LETTERS + " -_.~"), max_size=5)
    return st.builds(lambda drive, rest: "/".join([f"/mnt/{drive}", *rest]), st.sampled_from("cdez"), parts)


def bmp_paths() -> SearchStrategy[str]:
    """Return paths in many scripts, without astral characters, in NFC."""
    paths = posix_paths(LETTERS + PUNCTUATION + SCRIPTS)
    return paths.map(lambda path: unicodedata.normalize("NFC", path)).filter(_is_resolved)


def astral_paths() -> SearchStrategy[str]:
    """Return paths that hold at least one character outside the BMP."""
    tail = names(ASTRAL, max_size=8)
    return st.builds(
        "{}/{}{}".format, posix_paths(LETTERS + "-_." + ASTRAL, max_depth=3), names(LETTERS), tail
    ).map(resolve_lexical)


def nfd_paths() -> SearchStrategy[str]:
    """Return paths whose NFC form is another spelling: decomposed letters, singletons, exclusions."""
    paths = posix_paths(LETTERS + "-_." + SCRIPTS + SINGLETONS).map(
        lambda path: unicodedata.normalize("NFD", path)
    )
    return st.one_of(paths, posix_paths(LETTERS + SINGLETONS)).filter(
        lambda path: unicodedata.normalize("NFC", path) != path
    )


def long_paths(alphabet: str = LETTERS + "-_. ", *, around: int = LIMIT) -> SearchStrategy[str]:
    """Return paths whose length in UTF-16 units is near a limit or well beyond it."""
    near = st.one_of(st.integers(-2, 2), st.integers(3, 400)).map(lambda more: around + more)
    return st.builds(_fill, near, st.text("".join(set(alphabet) - {"/"}), min_size=1, max_size=30)).filter(
        _is_resolved
    )


def _fill(units: int, pattern: str) -> str:
    text = (pattern * (units // len(pattern) + 2)).replace(".", "_", 1)
    path = "/k/"
    for at, char in enumerate(text):
        width = 2 if char > "\uffff" else 1
        if unit_length(path) + width > units:
            break
        path += "/" + char if at % 60 == 59 and unit_length(path) + width + 1 <= units else char
    return path + "x" * (units - unit_length(path))


def unit_length(text: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(text) + sum(char > "\uffff" for char in text)


def hostile_texts() -> SearchStrategy[str]:
    """Return any Python string, resolved or not: lone surrogates, escaped bytes, NUL, dots, emptiness."""
    awkward = st.text(LONE + ESCAPES + ASTRAL + SINGLETONS + "/\\.:-\0\naA", max_size=40)
    return st.one_of(
        awkward, st.text(max_size=60), st.builds("/{}{}".format, awkward, long_paths(LETTERS + LONE))
    )


def resolved_paths() -> SearchStrategy[str]:
    """Return resolved Unicode paths of every kind here."""
    long_texts = long_paths(LETTERS + PUNCTUATION + SCRIPTS + ASTRAL)
    return st.one_of(ascii_paths(), bmp_paths(), astral_paths(), nfd_paths(), long_paths(), long_texts)


def rules(kind: str | None = None) -> SearchStrategy[Rule]:
    """Return packaged rules, of one kind (`tool`, `foreign`) if asked."""
    return st.sampled_from([rule for rule in load_rules().rules if kind in (None, rule.kind)])


def keys() -> SearchStrategy[str]:
    """Return texts of the shape of an encoded absolute path, hashed ones too."""
    short = st.text(LETTERS + "-", max_size=60).map("-{}".format)
    long = st.builds(
        "{}-{}".format, st.text(LETTERS + "-", min_size=LIMIT, max_size=LIMIT), st.text("0z9ab", min_size=1)
    )
    return st.one_of(short, long.map(lambda key: "-" + key[1:]))


def named_keys() -> SearchStrategy[str]:
    """Return chosen names that no absolute path encodes to."""
    texts = st.text(LETTERS + "-_", min_size=1, max_size=64)
    return st.one_of(texts, st.sampled_from(sorted(RESERVED_NAMES)).map("{}_".format)).filter(is_named_key)


def colliding_pairs(rule: Rule | str) -> SearchStrategy[tuple[str, str]]:
    """Return two different directories that have one key under a rule."""

    def pick(cwd: str) -> SearchStrategy[tuple[str, str]]:
        others = [collision.cwd for collision, _ in zip(collide(cwd, rule), range(20), strict=False)]
        return st.sampled_from([(cwd, other) for other in others]) if others else st.nothing()

    return st.one_of(resolved_paths(), st.just("/srv/my.app")).flatmap(pick)


def _is_resolved(path: str) -> bool:
    return resolve_lexical(path) == path
