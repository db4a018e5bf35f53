"""JUnit XML: a suite a file, a failed case a finding, one passed case for a clean file."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from site_builder.claims.engine import Report
from site_builder.claims.finding import Finding

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    suites = [_suite(path, [one for one in report.findings if one.path == path]) for path in _paths(report)]
    head = f'<testsuites name="lens claims" tests="{_cases(report)}" failures="{len(report.findings)}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>"]) + "\n"


def _paths(report: Report) -> list[str]:
    return list(dict.fromkeys([*report.files, *(finding.path for finding in report.findings)]))


def _cases(report: Report) -> int:
    failing = {finding.path for finding in report.findings}
    return len(report.findings) + sum(path not in failing for path in _paths(report))


def _suite(path: str, findings: list[Finding]) -> str:
    name = _attribute(path)
    cases = [_case(finding) for finding in findings] or [f'    <testcase classname={name} name="claims"/>']
    head = f'  <testsuite name={name} tests="{len(cases)}" failures="{len(findings)}">'
    return "\n".join([head, *cases, "  </testsuite>"])


def _case(finding: Finding) -> str:
    name = _attribute(f"{finding.code} {finding.name} {finding.line}:{finding.column}")
    body = escape(_FORBIDDEN.sub("\ufffd", f"{finding.place}\n{finding.source}\n{finding.hint}"))
    message = _attribute(finding.message)
    return (
        f"    <testcase classname={_attribute(finding.path)} name={name}>\n"
        f"      <failure type={_attribute(finding.code)} message={message}>{body}</failure>\n    </testcase>"
    )


def _attribute(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", text))
