"""The exceptions of the package. Each has fields, so that a program can act on it."""

from __future__ import annotations

from typing import Optional


class QuarryError(Exception):
    """Something that the caller must act on. `str(error)` says what, and what to do."""

    #: What can be done about it, where that is known.
    advice: Optional[str]
    #: The file or folder that it is about.
    path: Optional[str]
    #: The column of a table that it is about.
    column: Optional[str]
    #: The exit status, where the program ended with an error.
    status: Optional[int]

    def __init__(
        self,
        message: str,
        *,
        advice: Optional[str] = None,
        path: Optional[str] = None,
        column: Optional[str] = None,
        status: Optional[int] = None,
    ) -> None:
        super().__init__(message if advice is None else f"{message}; {advice}")
        self.message = message
        self.advice = advice
        self.path = path
        self.column = column
        self.status = status

    def __reduce__(self):
        fields = {name: getattr(self, name) for name in ("advice", "path", "column", "status")}
        return (_restore, (type(self), self.message, fields))


def _restore(kind, message, fields):
    return kind(message, **fields)


class InputError(QuarryError):
    """What was given cannot be used: `column` names the column that is missing or of the wrong type."""


class ModelError(QuarryError):
    """The text of a model cannot be used."""


class StoreError(QuarryError):
    """A file or folder could not be read or written: `path` names it."""


class HarvestError(QuarryError):
    """A harvest could not run: `status` is the exit status of the program."""


class PageWarning(UserWarning):
    """Single pages were left out; the others were read."""
