"""Errors a person can act on.

LensError                 something the caller can mend; carries the likely mistake and the remedy
├── UsageError            the command line or a file it names is off           (exit 2)
├── StoreError            the evidence store is damaged or can't be written    (exit 3)
└── DeclinedValueError    a declined field was used as if it were a number
"""

from __future__ import annotations


class LensError(Exception):
    """An error with a remedy. `exit_code` is what the command line returns for it."""

    exit_code = 1

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n  try: {self.remedy}" if self.remedy else self.message


class UsageError(LensError):
    """The request can't be met as it stands: unknown subject, missing file, columns that don't fit."""

    exit_code = 2


class StoreError(LensError):
    """The evidence store can't be trusted or can't be written."""

    exit_code = 3


class DeclinedValueError(LensError, TypeError):
    """A declined field has no value; formatting or converting it to a number raises this."""
