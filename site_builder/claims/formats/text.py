"""For people: the place, what is wrong, the line with a caret under it, and what mends it."""

from __future__ import annotations

import unicodedata

from site_builder.claims.engine import Report
from site_builder.claims.finding import Finding

_CONTEXT = 100


def render(report: Report) -> str:
    lines = [line for finding in report.findings for line in _finding(finding)]
    lines += [f"filled in {path}" for path in report.written]
    return "\n".join([*lines, summary(report)]) + "\n"


def _finding(finding: Finding) -> list[str]:
    shown, column = _clipped(finding)
    before = "".join("\t" if char == "\t" else " " * _width(char) for char in shown[:column])
    caret = "^" * max(1, sum(map(_width, shown[column : column + finding.width])))
    lines = [
        f"{finding.place}: {finding.code} {finding.name}: {finding.message}",
        f"    {shown}",
        f"    {before}{caret}",
    ]
    return [*lines, f"    {finding.hint}", ""] if finding.hint else [*lines, ""]


def _clipped(finding: Finding) -> tuple[str, int]:
    """A long line shows what lies around the finding."""
    column = finding.column - 1
    start = max(0, min(column - _CONTEXT // 2, len(finding.source) - _CONTEXT))
    end = max(start + _CONTEXT, column + min(finding.width, _CONTEXT))
    shown = "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in finding.source[start:end])
    return ("…" if start else "") + shown, column - start + bool(start)


def _width(char: str) -> int:
    """Columns a terminal gives a character."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def summary(report: Report) -> str:
    parts = [_count(len(report.findings), "finding"), f"in {_count(len(report.files), 'file')}"]
    parts.append(f"{_count(report.stamps, 'stamp')} checked")
    if report.waived:
        parts.append(f"{report.waived} waived")
    return ", ".join([" ".join(parts[:2]), *parts[2:]])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
