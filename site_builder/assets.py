"""The site's own files: one style sheet, one icon, one search script."""

from __future__ import annotations

import re

from lens.resource import resource
from site_builder.figures import plotly_js
from site_builder.layout import PLOTLY
from site_builder.output import Output

STYLES = ("site.css", "figures.css")
_GAP = r"(?:\s|/\*.*?\*/)"
_APART = re.compile(
    rf"""("[^"]*"|'[^']*')|{_GAP}*;?{_GAP}*(}}){_GAP}*|{_GAP}*([{{;]){_GAP}*|([:,]){_GAP}+|{_GAP}+""", re.DOTALL
)


def write(output: Output, *, plotly: bool) -> None:
    """Write the assets; the style sheets become one file, so that a page needs a single request for them.

    `plotly` brings its script, for the pages that show figures interactively; no other page loads it.
    """
    templates = resource("templates")
    sheets = "".join((templates / name).read_text("utf-8") for name in STYLES)
    output.put("site.css", narrowed(sheets).encode())
    for name in ("icon.svg", "search.js"):
        output.put(name, (templates / name).read_bytes())
    if plotly:
        output.put("figure.js", (templates / "figure.js").read_bytes())
        script = plotly_js()
        output.copy(PLOTLY, script, f"{script.stat().st_size} {script.stat().st_mtime_ns}")


def narrowed(css: str) -> str:
    """A style sheet without comments and white space that say nothing: every page counts its weight.

    >>> narrowed("a, b { color: red; }  /* no */\\n.c::before { content: \\": \\"; }")
    'a,b{color:red}.c::before{content:": "}'
    """
    return _APART.sub(lambda found: found[found.lastindex] if found.lastindex else " ", css).strip()
