"""One source syntax a file: `read(document)` gives what a reader sees, the stamps and what only looks like one."""

from __future__ import annotations

import importlib
from typing import NamedTuple

from site_builder.claims.document import Document
from site_builder.claims.stamps import Broken, Stamp
from site_builder.claims.visible import Visible


class Reading(NamedTuple):
    visible: Visible
    stamps: list[Stamp]
    broken: list[Broken]


def read(document: Document) -> Reading:
    module = importlib.import_module(f"{__name__}.{document.syntax}")
    reading: Reading = module.read(document)
    return reading
