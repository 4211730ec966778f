"""The part of the oracle that runs inside the SDK's own interpreter; it imports nothing of ours.

Started as `python sdk_child.py [FOLDER]`: FOLDER holds the package `claude_agent_sdk` (a wheel will do);
without it the installed package is asked. Reads a JSON list of paths, prints a JSON object with the SDK's
version and for each path its key or the name of the error it raised.
"""

import importlib
import importlib.machinery
import json
import os
import sys
import types
import typing

PACKAGE = "claude_agent_sdk"


class _Hollow(types.ModuleType):
    """A module of another distribution, of which only names are needed: the key functions never call it."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__class_getitem__": classmethod(lambda cls, _: cls)})


class _HollowFinder:
    """Answers for the distributions that were found missing, and for no other name."""

    missing: typing.ClassVar["set[str]"] = set()

    @classmethod
    def find_spec(
        cls, name: str, path: object = None, target: object = None
    ) -> "importlib.machinery.ModuleSpec | None":
        if name.partition(".")[0] not in cls.missing:
            return None
        return importlib.machinery.ModuleSpec(name, cls, is_package=True)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _Hollow(spec.name)

    @staticmethod
    def exec_module(module: types.ModuleType) -> None:
        """There is nothing to run."""


def _load(folder: "str | None") -> types.ModuleType:
    if folder is not None:
        sys.path.insert(0, folder)
        # The package's own __init__ would import everything; only one module of it is wanted.
        bare = types.ModuleType(PACKAGE)
        bare.__path__ = [folder + os.sep + PACKAGE]
        sys.modules[PACKAGE] = bare
    sys.meta_path.append(_HollowFinder)
    while True:
        try:
            return importlib.import_module(PACKAGE + "._internal.sessions")
        except ModuleNotFoundError as absence:
            # Only what the SDK cannot do without comes up here: imports it guards itself stay missing.
            name = (absence.name or "").partition(".")[0]
            if name in ("", PACKAGE) or name in _HollowFinder.missing:
                raise
            _HollowFinder.missing.add(name)


def main() -> int:
    """Return 0 when every path was asked."""
    paths = json.load(sys.stdin)
    sessions = _load(sys.argv[1] if len(sys.argv) > 1 else None)
    version = importlib.import_module(PACKAGE + "._version").__version__
    ask = getattr(sessions, "project_key_for_directory", None)
    if ask is None:
        # Releases before the session stores have the two halves only.
        def ask(path: str) -> str:
            return str(sessions._sanitize_path(sessions._canonicalize_path(path)))

    keys, errors = [], []
    for path in paths:
        try:
            key, error = ask(path), None
        except (ValueError, OSError) as refusal:
            key, error = None, type(refusal).__name__
        keys.append(key)
        errors.append(error)
    json.dump({"version": version, "keys": keys, "errors": errors}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
