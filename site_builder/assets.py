"""The site's own files: one style sheet, one icon, one search script."""

from __future__ import annotations

from lens.resource import resource
from site_builder.figures import plotly_js
from site_builder.layout import PLOTLY
from site_builder.output import Output

STYLES = ("site.css", "figures.css")


def write(output: Output, *, plotly: bool) -> None:
    """Write the assets; the style sheets become one file, so that a page needs a single request for them.

    `plotly` brings its script, for the pages that show figures interactively; no other page loads it.
    """
    templates = resource("templates")
    output.put("site.css", b"".join((templates / name).read_bytes() for name in STYLES))
    for name in ("icon.svg", "search.js"):
        output.put(name, (templates / name).read_bytes())
    if plotly:
        output.put("figure.js", (templates / "figure.js").read_bytes())
        script = plotly_js()
        output.copy(PLOTLY, script, f"{script.stat().st_size} {script.stat().st_mtime_ns}")
