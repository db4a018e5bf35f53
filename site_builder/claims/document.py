"""A file under check: its text byte for byte, its syntax, and offsets as lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import Literal

from lens.errors import UsageError

Syntax = Literal["markdown", "latex", "html"]

SYNTAXES: dict[str, Syntax] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "markdown",
    ".tex": "latex",
    ".ltx": "latex",
    ".sty": "latex",
    ".html": "html",
    ".htm": "html",
}
_DECLARED = re.compile(
    r"""^\s*(?:%\s*|<!--\s*)?evidence:\s*strict\b | <meta\s+name=["']?evidence["']?\s+content=["']?strict""",
    re.MULTILINE | re.VERBOSE,
)


class Document:
    """One source text. Line ends stay as they are, so that a write changes nothing but the numbers."""

    def __init__(self, path: str, text: str, syntax: Syntax) -> None:
        self.path = path
        self.text = text
        self.syntax = syntax

    @classmethod
    def read(cls, path: Path) -> Document:
        """Raises UsageError for a file that isn't there, isn't UTF-8, or isn't a syntax we read."""
        syntax = SYNTAXES.get(path.suffix.lower())
        if syntax is None:
            known = " ".join(sorted(SYNTAXES))
            raise UsageError(
                f"{path}: can't tell how to read {path.suffix or 'a file without an ending'}", remedy=known
            )
        try:
            text = path.read_bytes().decode("utf-8")
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror or error}") from None
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: not UTF-8 at byte {error.start}", remedy="save it as UTF-8") from None
        return cls(str(path), text, syntax)

    @property
    def declared_strict(self) -> bool:
        """`evidence: strict` in the front matter or in a comment near the top."""
        return _DECLARED.search(self.text, 0, 4000) is not None

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")

    def line_start(self, number: int) -> int:
        """Offset of line `number`, counted from 0 as parsers do; the end of the text past the last."""
        return self._starts[number] if number < len(self._starts) else len(self.text)
