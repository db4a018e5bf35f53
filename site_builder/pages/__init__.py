"""Kinds of page, one a file, found here: each has `jobs(site)` and says whether it is QUOTING or LISTING.

Quoting pages say something and cite numbers for it. Listing pages (permalinks, ledger, indexes, search) come after,
since they list what the others quoted; a number on them doesn't count as quoted.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from site_builder.context import Job, Site


@cache
def kinds() -> list[ModuleType]:
    """Every kind of page, by name."""
    return [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]


def quoting(site: Site) -> Iterator[Job]:
    for kind in kinds():
        if kind.QUOTING:
            yield from kind.jobs(site)


def listing(site: Site) -> Iterator[Job]:
    for kind in kinds():
        if not kind.QUOTING:
            yield from kind.jobs(site)
