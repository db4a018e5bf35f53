"""The site's own files: one style sheet, one icon, one search script."""

from __future__ import annotations

from pathlib import Path

from lens.resource import resource

STYLES = ("site.css", "figures.css")


def write(staging: Path) -> None:
    """Write the assets; the style sheets become one file, so that a page needs a single request for them."""
    templates = resource("templates")
    css = "".join((templates / name).read_text("utf-8") for name in STYLES)
    (staging / "site.css").write_text(css, "utf-8")
    for name in ("icon.svg", "search.js"):
        (staging / name).write_bytes((templates / name).read_bytes())
