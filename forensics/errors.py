"""The errors a person can see, each with a hint and an exit code."""

from __future__ import annotations


class ForensicsError(Exception):
    """An error that is the user's to mend, not a bug of ours.

    `where` names the place (`path:line`), `hint` says what to do, `exit_code` is what the command ends with.
    """

    exit_code = 1

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class UsageError(ForensicsError):
    """The call is wrong: an argument, or an output place that may not be written."""

    exit_code = 2


class NothingThereError(ForensicsError):
    """The tool looked and nothing is there, or the id is unknown."""

    exit_code = 3


class ContractError(ForensicsError):
    """An assumption or a contract is broken."""

    exit_code = 4


class CaseError(ForensicsError):
    """A case cannot be read, is stale, or was altered."""

    exit_code = 5


class SourceError(ForensicsError):
    """A root could not be reached, or the disk failed; the old case stays."""

    exit_code = 6


class LockedError(ForensicsError):
    """Another process writes this case."""

    exit_code = 7
