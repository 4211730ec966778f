"""The ground that phenomena are planted in: homes, clock, names that do not clash, and the growing truth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from .account import describe_session, list_damage
from .eras import KNOWN_VERSIONS
from .lines import Line, to_ns
from .naive_keys import key_of, parse_version
from .spec import WorldSpec
from .stories import Story, load_stories
from .transcript import Transcript
from .tree import Tree
from .truth import Directory, FileTruth, Link, SessionTruth, Truth

_PARENTS = (
    "/srv/kit",
    "/home/kit/code",
    "/srv/shared/tools",
    "/home/kit/evenings",
    "/srv/club",
    "/home/kit/attic",
    "/srv/lab",
    "/home/kit/weekend",
)


@dataclass(frozen=True, slots=True)
class Place:
    """A directory where somebody builds the tool of a story."""

    story: Story
    root: str
    home: str


class Ground:
    """Everything that phenomena share while a world is built."""

    def __init__(self, spec: WorldSpec) -> None:
        self.spec = spec
        self.rng = Random(f"{spec.seed}")  # noqa: S311
        self.tree = Tree(mtime_ns=to_ns(spec.start))
        self.files: list[FileTruth] = []
        self.sessions: list[SessionTruth] = []
        self.planted: defaultdict[str, list[Any]] = defaultdict(list)
        self.links: list[Link] = []
        self.directories: dict[str, Directory] = {}
        self.shared_keys: set[tuple[str, str]] = set()
        self._bytes: dict[str, bytes] = {}
        self._uuids: dict[str, list[str]] = {}
        self._sessions_of: defaultdict[str, int] = defaultdict(int)
        self._uses: defaultdict[str, int] = defaultdict(int)
        self._next_story = self.rng.randrange(len(load_stories()))
        for home in spec.homes:
            self.tree.add_folder(f"{home}/projects")

    def begin(self, name: str, index: int) -> None:
        """Random numbers now depend on this phenomenon alone."""
        self.rng = Random(f"{self.spec.seed} {name} {index}")  # noqa: S311

    def pick_version(self, *, at_least: str = "0.0.0", at_most: str = "9.0.0") -> str:
        """A version of the recipe within these limits, or a known one where the recipe has none."""
        low, high = parse_version(at_least), parse_version(at_most)
        for versions in (self.spec.versions, KNOWN_VERSIONS):
            if fitting := [version for version in versions if low <= parse_version(version) <= high]:
                return self.rng.choice(fitting)
        raise ValueError(f"no known version lies between {at_least} and {at_most}")

    def pick_time(self) -> datetime:
        """A moment of a working day, well before the last day of the world."""
        day = self.rng.randint(0, max(0, self.spec.days - 8))
        return self.spec.start + timedelta(days=day, seconds=self.rng.randint(0, 36_000))

    def settle(self, *, home: str | None = None, parent: str | None = None, name: str | None = None) -> Place:
        """A directory of its own, with a story."""
        stories = load_stories()
        story = stories[self._next_story % len(stories)]
        self._next_story += 1
        use = self._uses[story.name]
        self._uses[story.name] += 1
        if name is not None or parent is not None or use > 0:
            folder = name or story.name
            above = parent or _PARENTS[use % len(_PARENTS)]
            root = f"{above}/{folder}"
            if use >= len(_PARENTS) or root in self.directories:
                root = f"{above}/{folder}{use + 1}"
        else:
            root = story.place or f"{_PARENTS[0]}/{story.name}"
        if root in self.directories:
            raise AssertionError(f"{root}: settled twice")
        self.add_directory(root)
        return Place(story, root, home or self.rng.choice(self.spec.homes))

    def add_directory(
        self, cwd: str, *, exists: bool = True, repo_root: str | None = None, is_worktree: bool = False
    ) -> None:
        """A probe of the machine would see this directory so."""
        self.directories[cwd] = Directory(cwd, exists, repo_root, is_worktree)

    def start(
        self,
        place: Place,
        *,
        cwd: str | None = None,
        version: str | None = None,
        now: datetime | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        branch: str = "main",
    ) -> Transcript:
        """A new transcript at this place."""
        first_ask = self._sessions_of[place.story.name]
        self._sessions_of[place.story.name] += 2
        return Transcript(
            first_ask=first_ask,
            rng=self.rng,
            story=place.story,
            cwd=cwd or place.root,
            version=version or self.pick_version(),
            now=now or self.pick_time(),
            session_id=session_id,
            agent_id=agent_id,
            branch=branch,
            output_lines=self.spec.output_lines,
        )

    def pick_turns(self) -> int:
        """A number of turns within the limits of the recipe."""
        return self.rng.randint(*self.spec.turns)

    def keep(
        self,
        transcript: Transcript,
        *,
        home: str,
        key: str | None = None,
        name: str | None = None,
        role: str = "main",
        mtime: datetime | None = None,
        stub_reason: str | None = None,
        key_state: str | None = None,
    ) -> str:
        """The path of the file that the transcript became; `name` is what follows the key, without ending."""
        if key is None:
            cwd = next(line.cwd for line in transcript.lines if line.cwd is not None)
            key = key_of(cwd, version=transcript.version)
        path = f"{home}/projects/{key}/{name or transcript.session_id}.jsonl"
        mtime_ns = to_ns(mtime or transcript.now + timedelta(seconds=1.5))
        if role == "subagent":
            key_state = "subagent"
        self.keep_lines(
            transcript.lines,
            path=path,
            home=home,
            key=key,
            role=role,
            mtime_ns=mtime_ns,
            stub_reason=stub_reason,
            key_state=key_state,
        )
        return path

    def keep_lines(
        self,
        lines: list[Line],
        *,
        path: str,
        home: str,
        key: str,
        role: str,
        mtime_ns: int,
        stub_reason: str | None = None,
        key_state: str | None = None,
    ) -> None:
        """These lines are a file of the tree, with its truth."""
        data = b"".join(line.to_bytes() for line in lines)
        self._uuids[path] = [line.record["uuid"] for line in lines if line.record and "uuid" in line.record]
        self.sessions.append(
            describe_session(
                lines,
                path=path,
                home=home,
                project_key=key,
                role=role,
                session_id=path.rsplit("/", maxsplit=1)[-1].removesuffix(".jsonl"),
                mtime_ns=mtime_ns,
                stub_reason=stub_reason,
                key_state=key_state,
            )
        )
        self.add_file(
            path,
            data,
            home=home,
            key=key,
            role=role,
            mtime_ns=mtime_ns,
            n_lines=len(lines),
            n_blank=sum(line.record is None and line.raw is None for line in lines),
            damage=list_damage(lines),
        )

    def add_file(
        self,
        path: str,
        data: bytes,
        *,
        role: str,
        home: str | None = None,
        key: str | None = None,
        mtime_ns: int | None = None,
        n_lines: int | None = None,
        n_blank: int = 0,
        damage: Iterable[Any] = (),
    ) -> None:
        """The file is part of the tree, with its truth."""
        at = mtime_ns if mtime_ns is not None else to_ns(self.spec.start)
        self.tree.add_bytes(path, data, mtime_ns=at)
        self._bytes[path] = data
        if n_lines is None:
            n_lines = data.count(b"\n") + (data != b"" and not data.endswith(b"\n"))
        self.files.append(
            FileTruth(
                path=path,
                home=home,
                project_key=key,
                role=role,
                n_bytes=len(data),
                n_lines=n_lines,
                n_blank=n_blank,
                ends_with_newline=data.endswith(b"\n"),
                mtime_ns=at,
                damage=tuple(damage),
            )
        )

    def bytes_of(self, path: str) -> bytes:
        """The bytes of a file that was planted."""
        return self._bytes[path]

    def uuids_of(self, path: str) -> list[str]:
        """The uuids of a transcript that was planted, in file order."""
        return self._uuids[path]

    def add_link(self, path: str, *, kind: str, target: str | None = None) -> None:
        """A symlink, a FIFO or an empty folder is part of the tree."""
        if kind == "symlink" and target is not None:
            self.tree.add_link(path, target)
        elif kind == "fifo":
            self.tree.add_fifo(path)
        else:
            self.tree.add_folder(path)
        self.links.append(Link(path, kind, target))

    def share_key(self, home: str, key: str) -> None:
        """Several directories under this key are meant, not an accident."""
        self.shared_keys.add((home, key))

    def tell_truth(self) -> Truth:
        """Everything planted so far."""
        self._refuse_accidents()
        return Truth(
            seed=self.spec.seed,
            homes=tuple(
                sorted({file.home for file in self.files if file.home is not None} | set(self.spec.homes))
            ),
            files=tuple(sorted(self.files, key=lambda file: file.path)),
            sessions=tuple(sorted(self.sessions, key=lambda session: session.path)),
            collisions=tuple(self.planted["collisions"]),
            near_misses=tuple(self.planted["near_misses"]),
            long_prefixes=tuple(self.planted["long_prefixes"]),
            worktree_keys=tuple(self.planted["worktree_keys"]),
            aliases=tuple(self.planted["aliases"]),
            odd_keys=tuple(self.planted["odd_keys"]),
            duplicates=tuple(self.planted["duplicates"]),
            summary_lines=tuple(self.planted["summary_lines"]),
            absences=tuple(self.planted["absences"]),
            shutdowns=tuple(self.planted["shutdowns"]),
            notes=tuple(self.planted["notes"]),
            links=tuple(sorted(self.links, key=lambda link: link.path)),
            directories=tuple(self.directories[cwd] for cwd in sorted(self.directories)),
        )

    def _refuse_accidents(self) -> None:
        """Two directories may only meet in one key where that was planted."""
        cwds_of: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for session in self.sessions:
            for run in session.cwd_runs:
                for version in session.agent_versions:
                    cwds_of[session.home, key_of(run.cwd, version=version)].add(run.cwd)
        for (home, key), cwds in cwds_of.items():
            if len(cwds) > 1 and (home, key) not in self.shared_keys:
                raise AssertionError(f"{home}: {key} is shared by accident: {sorted(cwds)}")
