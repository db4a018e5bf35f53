"""Figures: readings in, a plotly figure as plain JSON out, and the HTML that shows it without a script.

A figure is one file here, a function `(lookup, id, width, **options) -> Spec` under `@figure`; a leading underscore
marks what figures share. The spec's extras stand in `layout.meta`:

    title, desc      the finding as a sentence, and what is drawn, for readers who don't see it (no numerals)
    caption, source  how to read it; from what, and the rule by which rows were chosen for display
    cites            annotation name -> [[printed, `id#field|fmt`], ...], in reading order
    table            columns and rows; a cell is [[text, reference], ...] or {"declined": reason}
    rows             row-level columns for the CSV, where the drawing shows more than its table
    units            axis -> unit
"""

from __future__ import annotations

from site_builder.figures._registry import Figure, figure, find, registry
from site_builder.figures._render import FigureHtml, plotly_js, render

__all__ = ["Figure", "FigureHtml", "figure", "find", "plotly_js", "registry", "render"]
