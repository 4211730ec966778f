"""What a report says, as data: HTML, Markdown and JSON are three spellings of this one tree.

Nothing here knows a clock, a host or a folder of the machine that made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

REPORT_SCHEMA = "1.0.0"

Value = None | bool | int | float | str | datetime | tuple["Value", ...] | dict[str, "Value"]


@dataclass(frozen=True, slots=True)
class Source:
    """One root that was taken in, by label."""

    label: str
    kind: str
    n_files: int
    n_bytes: int
    n_lines: int
    n_sessions: int
    n_keys: int
    same_as: str | None


@dataclass(frozen=True, slots=True)
class Version:
    """A library and its version."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Examined:
    """What was looked at, and with what."""

    sources: tuple[Source, ...]
    n_files: int
    n_unread: int
    n_bytes: int
    n_lines: int
    n_sessions: int
    n_keys: int
    tool: Version
    ruleset: Version
    ruleset_digest: str
    libraries: tuple[Version, ...]
    case_schema: str
    as_of: datetime | None
    as_of_basis: str | None
    content_sha256: str


@dataclass(frozen=True, slots=True)
class Headline:
    """How the findings of one kind came out."""

    kind: str
    n_findings: int
    n_with_rows: int
    n_rows: int
    n_not_assessed: int


@dataclass(frozen=True, slots=True)
class Quote:
    """One place in the evidence, with what stands there on one line."""

    ref: str
    path: str
    line_no: int | None
    byte_start: int | None
    n_bytes: int | None
    sha256: str | None
    is_verified: bool
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a finding, in the order of its columns."""

    row_id: str
    values: tuple[Value, ...]
    refs: tuple[str, ...]
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class ColumnDoc:
    """A column of a finding and what it holds."""

    name: str
    doc: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One question, its limits, and what it found; `n_shown` rows stand in HTML and Markdown."""

    name: str
    id: str
    kind: str
    confidence: str
    title: str
    claim: str
    does_not_show: str
    next: str
    grain: tuple[str, ...]
    columns: tuple[ColumnDoc, ...]
    status: str
    reason: str | None
    n_rows: int
    n_shown: int
    denominator: int | None
    denominator_of: str
    rows: tuple[Row, ...]

    @property
    def is_assessed(self) -> bool:
        """Whether the question could be asked at all."""
        return self.status == "assessed"

    @property
    def shown(self) -> tuple[Row, ...]:
        """The rows that a page shows; the rest stand in the JSON."""
        return self.rows[: self.n_shown]


@dataclass(frozen=True, slots=True)
class GapClass:
    """One class of damage over the whole case."""

    name: str
    meaning: str
    n_gaps: int
    n_files: int
    n_bytes: int | None


@dataclass(frozen=True, slots=True)
class GapFile:
    """One file with damage."""

    ref: str
    n_gaps: int
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gaps:
    """What could not be read, or was read with a reservation; `n_shown` files stand on a page."""

    n_gaps: int
    n_files: int
    classes: tuple[GapClass, ...]
    files: tuple[GapFile, ...]
    n_shown: int


@dataclass(frozen=True, slots=True)
class Unseen:
    """Something that was not looked at, why, and how it would be."""

    what: str
    why: str
    how: str


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of lines in one working directory."""

    cwd: str
    first_line: int
    last_line: int
    n_lines: int


@dataclass(frozen=True, slots=True)
class Session:
    """One session that a finding cites; `runs` holds the first of its `n_runs`."""

    session_id: str
    label: str
    project_key: str | None
    ref: str
    n_lines: int
    first_ts: datetime | None
    last_ts: datetime | None
    n_runs: int
    runs: tuple[Run, ...]
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions that findings cite; `n_shown` of them stand on a page."""

    n_sessions: int
    cited: tuple[Session, ...]
    n_shown: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, once for light and once for dark, or the reason why there is none."""

    name: str
    beside: str
    title: str
    caption: str
    description: str
    light: str | None
    dark: str | None
    absent: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """A command and what it is for."""

    purpose: str
    command: str


@dataclass(frozen=True, slots=True)
class ReportContext:
    """Everything a report says."""

    title: str
    verdict: str
    tz: str
    is_full: bool
    is_redacted: bool
    examined: Examined
    headlines: tuple[Headline, ...]
    findings: tuple[Finding, ...]
    sessions: Sessions
    pictures: tuple[Picture, ...]
    gaps: Gaps
    unseen: tuple[Unseen, ...]
    steps: tuple[Step, ...]

    @property
    def assessed(self) -> tuple[Finding, ...]:
        """Findings that could be asked, in order."""
        return tuple(finding for finding in self.findings if finding.is_assessed)

    @property
    def not_assessed(self) -> tuple[Finding, ...]:
        """Findings that could not be asked, in order."""
        return tuple(finding for finding in self.findings if not finding.is_assessed)

    def pictures_beside(self, place: str) -> tuple[Picture, ...]:
        """The pictures that stand near a section or finding."""
        return tuple(picture for picture in self.pictures if picture.beside == place)
