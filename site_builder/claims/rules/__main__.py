"""Writes the rules' pages: `python -m site_builder.claims.rules content/rules`."""

from __future__ import annotations

import sys
from pathlib import Path

from site_builder.claims.rules import pages

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, text in pages().items():
    (folder / name).write_text(text, "utf-8")
