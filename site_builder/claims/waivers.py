"""`claims.toml`: numbers that may stand unbacked, each by pattern, with a reason and an exact count.

    [[waive]]
    file = "README.md"            # a path or glob, from where claims.toml lies
    pattern = "port 8000"         # a regular expression; it must cover the finding
    reason = "the development server's default port"
    count = 2                     # how many findings it covers in each such file: no more, no fewer

Only rules about unbacked numbers can be waived; a wrong number can't.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from site_builder.claims.finding import Finding

if TYPE_CHECKING:
    from site_builder.claims.rules import Rule


@dataclass(frozen=True)
class Waiver:
    """One entry; `path`, `line` and `source` say where it stands."""

    path: str
    line: int
    source: str
    file: str
    pattern: re.Pattern[str]
    reason: str
    count: int

    def covers(self, finding: Finding) -> bool:
        start, end = finding.column - 1, finding.column - 1 + finding.width
        return any(match.start() <= start and end <= match.end() for match in self.pattern.finditer(finding.source))

    def finding(self, rule: Rule, message: str, hint: str) -> Finding:
        """A finding about the entry itself."""
        return Finding(
            rule.code, rule.name, self.path, self.line, 1, len(self.source), message, hint, self.source, self.file
        )


class Waivers:
    """The entries of one `claims.toml`; an absent file has none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries = _read(path) if path.is_file() else []

    def of(self, file: str) -> list[Waiver]:
        """The entries for one file."""
        try:
            relative = Path(file).resolve().relative_to(self.path.parent.resolve()).as_posix()
        except ValueError:
            return []
        return [entry for entry in self.entries if fnmatch(relative, entry.file)]


def split(findings: Iterable[Finding], entries: list[Waiver]) -> tuple[list[Finding], list[tuple[Waiver, int]]]:
    """The findings no entry covers, and every entry with how many it covered; the first that covers one takes it."""
    stays: list[Finding] = []
    used = [0] * len(entries)
    for finding in findings:
        taken = next((index for index, entry in enumerate(entries) if entry.covers(finding)), None)
        if taken is None:
            stays.append(finding)
        else:
            used[taken] += 1
    return stays, list(zip(entries, used, strict=True))


def _read(path: Path) -> list[Waiver]:
    import tomllib

    text = path.read_text("utf-8")
    try:
        entries: list[dict[str, Any]] = tomllib.loads(text).get("waive", [])
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}") from None
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if line.strip() == "[[waive]]"]
    return [_entry(path, number, entry) for number, entry in zip(lines, entries, strict=True)]


def _entry(path: Path, line: int, entry: dict[str, Any]) -> Waiver:
    wanted = {"file": str, "pattern": str, "reason": str, "count": int}
    wrong = [name for name, kind in wanted.items() if not isinstance(entry.get(name), kind)]
    if wrong or set(entry) - set(wanted) or not entry["reason"].strip() or entry["count"] < 1:
        raise UsageError(
            f"{path}:{line}: a waiver needs file, pattern, reason and a count of one or more, and nothing else",
            remedy='reason = "why this number can stand unbacked"',
        )
    try:
        pattern = re.compile(entry["pattern"])
    except re.error as error:
        raise UsageError(f"{path}:{line}: the pattern is no regular expression: {error}") from None
    return Waiver(str(path), line, "[[waive]]", entry["file"], pattern, entry["reason"], entry["count"])
