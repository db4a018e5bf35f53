"""SARIF 2.1.0, for code scanning. Columns count Unicode code points; paths are relative where they can be."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import lens
from site_builder.claims.engine import Report
from site_builder.claims.finding import Finding
from site_builder.claims.rules import registry

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(report: Report) -> str:
    rules = list(registry().values())
    places = {rule.code: index for index, rule in enumerate(rules)}
    driver = {
        "name": "lens claims",
        "version": lens.__version__,
        "rules": [
            {
                "id": rule.code,
                "name": "".join(part.title() for part in rule.name.split("-")),
                "shortDescription": {"text": rule.summary},
                "help": {"text": rule.page, "markdown": rule.page},
                "defaultConfiguration": {"level": "error"},
            }
            for rule in rules
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, places) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(finding: Finding, places: dict[str, int]) -> dict[str, Any]:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.width,
        "snippet": {"text": finding.source},
    }
    message = f"{finding.message} ({finding.hint})" if finding.hint else finding.message
    location = {"artifactLocation": {"uri": quote(PurePath(finding.path).as_posix())}, "region": region}
    return {
        "ruleId": finding.code,
        "ruleIndex": places[finding.code],
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }
