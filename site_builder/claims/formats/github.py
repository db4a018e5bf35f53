"""For GitHub Actions: annotations on the lines, at most ten a step (GitHub shows no more), the rest in the summary."""

from __future__ import annotations

import os
from pathlib import Path

from site_builder.claims.engine import Report
from site_builder.claims.finding import Finding
from site_builder.claims.formats import text

ANNOTATIONS = 10


def render(report: Report) -> str:
    """The workflow commands. Where `GITHUB_STEP_SUMMARY` names a file, a table of what has none is added to it."""
    shown, rest = report.findings[:ANNOTATIONS], report.findings[ANNOTATIONS:]
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if rest and summary:
        with Path(summary).open("a", encoding="utf-8") as stream:
            stream.write(_table(rest))
    lines = [_annotation(finding) for finding in shown]
    if rest:
        lines.append(f"{len(rest)} more findings" + (" are in the step summary" if summary else ""))
        lines += [f"{finding.place}: {finding.code} {finding.message}" for finding in rest if not summary]
    return "\n".join([*lines, text.summary(report)]) + "\n"


def _annotation(finding: Finding) -> str:
    end = finding.column + finding.width - 1
    body = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    return (
        f"::error file={_property(finding.path)},line={finding.line},col={finding.column},endColumn={end},"
        f"title={_property(f'{finding.code} {finding.name}')}::{_data(body)}"
    )


def _table(findings: list[Finding]) -> str:
    rows = [
        f"| `{finding.place}` | {finding.code} {finding.name} | {_cell(finding.message)} | {_cell(finding.hint)} |"
        for finding in findings
    ]
    head = ["### Claims not annotated above", "", "| where | rule | what | mend |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows, ""])


def _cell(text_: str) -> str:
    escaped = text_.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")
    return " ".join(escaped.split())


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
