"""JSON: every finding with all it holds, and what the run covered."""

from __future__ import annotations

import msgspec

from site_builder.claims.engine import Report


def render(report: Report) -> str:
    body = {
        "findings": [finding._asdict() for finding in report.findings],
        "files": report.files,
        "stamps": report.stamps,
        "waived": report.waived,
        "written": report.written,
    }
    return msgspec.json.format(msgspec.json.encode(body), indent=2).decode() + "\n"
