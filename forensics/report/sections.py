"""The parts of a report that are no findings: gaps, what was not looked at, how to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import pyarrow as pa

from forensics.refs import Ref, format_ref
from forensics.report.model import GapClass, GapFile, Gaps, Step, Unseen
from forensics.report.text import count_of
from forensics.schema import GAP_CLASSES

_FILES_SHOWN = 50

_BY_CLASS = """
select
    gaps.class as name,
    count(*) as n_gaps,
    count(distinct gaps.file_id) as n_files,
    sum(gaps.n_bytes)::bigint as n_bytes
from gaps
group by gaps.class
order by n_gaps desc, name
"""
_BY_FILE = """
select
    files.label,
    files.path,
    files.path_bytes,
    count(*) as n_gaps,
    list(distinct gaps.class order by gaps.class) as classes
from gaps
join files on files.file_id = gaps.file_id and files.generation = gaps.generation
group by files.label, files.path, files.path_bytes
order by n_gaps desc, files.label, files.path
"""
_ROLES = """
select
    files.kind,
    files.role,
    files.agent,
    count(*) as n_files
from files
group by files.kind, files.role, files.agent
order by files.kind, files.role, files.agent
"""
_BEYOND = """
select distinct
    version_rules.agent,
    version_rules.agent_version,
    version_rules.version_order
from version_rules
where version_rules.basis = 'beyond_observed'
order by version_rules.version_order, version_rules.agent, version_rules.agent_version
"""

# Classes that say a file or folder was left aside, and how it would be looked at.
_ASIDE: Mapping[str, tuple[str, str]] = {
    "link": ("symbolic link", "Take in the place it points to as a source of its own."),
    "special": ("FIFO, socket or device", "Nothing: opening it could hang or change it."),
    "unreadable": ("file without permission to read", "Take it in as a user who may read it."),
    "read_error": ("file the system failed to read", "Copy the disk first, then take in the copy."),
    "vanished": ("file that was gone before it was read", "Take in a snapshot instead of a live folder."),
    "withheld": ("file with credentials", "Nothing: they are listed and never read."),
    "unsafe_path": ("member of an archive that would leave it", "Nothing: its name is kept."),
    "bomb": ("archive that unpacks beyond measure", "Unpack it by hand where that does no harm."),
    "damaged_container": ("archive that is damaged or cut", "Find a whole copy of it."),
    "too_long": ("line beyond 18 MiB", "Read it with `forensics show`; its bytes are kept."),
}
_TABLES: Mapping[str, tuple[str, str, str]] = {
    "raw": (
        "The bytes of the evidence",
        "The case was made without them.",
        "Convert again without --no-raw.",
    ),
    "text": (
        "The prose of the sessions",
        "The case was made without it.",
        "Convert again without --no-text.",
    ),
}


class SectionCase(Protocol):
    """What these sections need from a case."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the case says of itself."""

    @property
    def absent(self) -> frozenset[str]:
        """The tables this case leaves out."""

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> pa.Table:
        """The rows of a query."""


def read_gaps(case: SectionCase, *, full: bool = False) -> Gaps:
    """What could not be read, by class and by file, most damage first."""
    classes = tuple(
        GapClass(row["name"], GAP_CLASSES.get(row["name"], ""), row["n_gaps"], row["n_files"], row["n_bytes"])
        for row in case.sql(_BY_CLASS).to_pylist()
    )
    files = tuple(
        GapFile(format_ref(Ref(row["label"], exact_path(row))), row["n_gaps"], tuple(row["classes"]))
        for row in case.sql(_BY_FILE).to_pylist()
    )
    return Gaps(
        n_gaps=sum(gap.n_gaps for gap in classes),
        n_files=len(files),
        classes=classes,
        files=files,
        n_shown=len(files) if full else min(len(files), _FILES_SHOWN),
    )


def exact_path(row: Mapping[str, Any]) -> str:
    """The path of a row of files, bytes outside UTF-8 as surrogate escapes."""
    if row["path_bytes"] is None:
        return str(row["path"])
    return bytes(row["path_bytes"]).decode("utf-8", "surrogateescape")


def list_unseen(case: SectionCase) -> tuple[Unseen, ...]:
    """What was not looked at: left aside here, left out of the case, or beyond what evidence can say."""
    derived = case.manifest.get("derived")
    seen = [Unseen(*_TABLES[table]) for table in ("raw", "text") if table in case.absent]
    if derived:
        seen[0] = Unseen(
            "The bytes of the evidence, and the names that are masked",
            "The case is redacted: it was made to be handed on.",
            f"Ask for the case with the content digest {derived['from_content_sha256']}.",
        )
    n_by_class = {row["name"]: row["n_gaps"] for row in case.sql(_BY_CLASS).to_pylist()}
    for name, (thing, how) in _ASIDE.items():
        n = n_by_class.get(name, 0)
        if n:
            seen.append(Unseen(count_of(n, thing, _plural(thing)), GAP_CLASSES[name], how))
    roles = case.sql(_ROLES).to_pylist()
    n_other = sum(row["n_files"] for row in roles if row["kind"] == "file" and row["role"] == "other")
    if n_other:
        seen.append(
            Unseen(
                f"What {count_of(n_other, 'other file')} {'says' if n_other == 1 else 'say'}",
                "Neither a transcript nor a side file of one; listed and hashed, not decoded.",
                "Read it back with `forensics show`.",
            )
        )
    beyond = [row["agent_version"] for row in case.sql(_BEYOND).to_pylist() if row["agent_version"]]
    if beyond:
        seen.append(
            Unseen(
                f"How {count_of(len(beyond), 'agent version')} beyond those observed really "
                f"{'names' if len(beyond) == 1 else 'name'} a key: {_some(beyond)}",
                "The nearest known rule is used for them.",
                "Try the rule with `forensics oracle` against that version.",
            )
        )
    return (*seen, *_ALWAYS)


_ALWAYS = (
    Unseen(
        "The machine the evidence comes from: which directories, repositories and worktrees exist there",
        "A report rests on the evidence alone; a directory named here may be gone or made again.",
        "Run `forensics probe` there and hand its file to `forensics convert --probe-file`.",
    ),
    Unseen(
        "Sessions whose transcripts were deleted before the evidence was taken",
        "Clean-ups remove transcripts after a while; what is absent here may have existed.",
        "Take in an older backup as a second source.",
    ),
)


def _plural(thing: str) -> str:
    if thing.startswith("FIFO"):
        return "FIFOs, sockets or devices"
    first, _, rest = thing.partition(" ")
    if thing == "symbolic link":
        return "symbolic links"
    return f"{first}s {rest}"


def _some(names: list[str], *, most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def list_steps(case: SectionCase, *, is_redacted: bool, full: bool, tz: str) -> tuple[Step, ...]:
    """The commands that check this report and make it again."""
    options = (*(("--full",) if full else ()), *(("--redact",) if is_redacted else ()))
    zone = () if tz == "UTC" else ("--tz", tz)
    manifest = case.manifest
    without = [flag for name, flag in (("raw", "--no-raw"), ("text", "--no-text")) if name in case.absent]
    given = ["--as-of", str(manifest["as_of"])] if manifest.get("as_of_basis") in {"given", "now"} else []
    sources = [f"{source['label']}=PATH" for source in manifest["sources"]]
    return (
        Step("Say once where the case is.", "export FORENSICS_CASE=PATH_OF_THE_CASE"),
        Step("Check that nothing in the case was altered.", "forensics verify"),
        Step("Ask all questions again.", "forensics findings"),
        Step("Make this report again, byte for byte.", " ".join(["forensics report", *options, *zone])),
        Step(
            "Take the evidence in again and compare the content digest.",
            " ".join(["forensics convert", *sources, *without, *given, "-o", "OTHER_CASE"]),
        ),
    )
