"""What the check reports: one thing wrong, where it stands, and what mends it."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One finding. `line` and `column` count from 1, in characters; `width` is what the caret underlines.

    `source` is the whole source line, for the caret and for waivers; `text` the characters meant.
    """

    code: str
    name: str
    path: str
    line: int
    column: int
    width: int
    message: str
    hint: str
    source: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    def __str__(self) -> str:
        return f"{self.place}: {self.code} {self.name}: {self.message}" + (f"\n  try: {self.hint}" if self.hint else "")

    @property
    def order(self) -> tuple[str, int, int, str]:
        return (self.path, self.line, self.column, self.code)
