"""How a report is printed: one format a file, each with `render(report) -> str`."""

from __future__ import annotations

import importlib
import pkgutil

from site_builder.claims.engine import Report


def names() -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(__path__))


def render(name: str, report: Report) -> str:
    """The report in one format, ending in a newline."""
    text: str = importlib.import_module(f"{__name__}.{name}").render(report)
    return text
