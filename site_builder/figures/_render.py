"""A figure as HTML: two drawings, title, caption, source line, a table under it, and its files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.resource import resource
from site_builder.figures._registry import find
from site_builder.lookup import Lookup
from site_builder.svg import Spec, drawing
from site_builder.svg.markup import Run, kept_in, parse

if TYPE_CHECKING:
    from jinja2 import Environment

Number = Callable[[str], str]  # a reference -> its HTML, with what a page puts around a number


@dataclass(frozen=True)
class FigureHtml:
    """A figure ready for a page. `slug` is its place under `figures/`; `spec` is the wide drawing's."""

    html: str
    table_html: str
    spec_json: str
    csv: str
    title: str
    slug: str
    spec: Spec = field(repr=False)
    problems: tuple[str, ...] = ()

    @property
    def files(self) -> dict[str, str]:
        """Downloads by path from the site's root."""
        return {f"figures/{self.slug}.json": self.spec_json, f"figures/{self.slug}.csv": self.csv}


def render(
    name: str,
    lookup: Lookup,
    id: str,
    *,
    prefix: str = "",
    root: str = "",
    number: Number | None = None,
    interactive: str = "",
    **options: Any,
) -> FigureHtml:
    """Draw a figure for one page.

    `prefix` starts its element ids and must be unique on the page; `root` leads from the page to the site's root;
    `number` writes a cited number as HTML (a bare `<data>` by default); `interactive` is the address of the figure's
    own page from the site's root, linked where given. Further options are the figure's own. Raises UsageError for an unknown figure or
    option, and what the lookup raises.
    """
    wanted = find(name)
    slug = "/".join([id.split()[0], name]) + "".join(f"~{value}" for value in options.values() if _is_word(value))
    prefix = prefix or f"fig-{slug.replace('/', '-').replace('~', '-').replace('.', '-')}"
    try:
        wide, narrow = (wanted.spec(lookup, id, width, **options) for width in ("wide", "narrow"))
    except TypeError as error:
        if "unexpected keyword argument" in str(error):
            raise UsageError(f"figure {name}: {str(error).partition('() ')[2]}", remedy=wanted.doc) from error
        raise
    both = wide["layout"]["width"] > narrow["layout"]["width"]
    drawn = [("wide" if both else "only", drawing(wide, prefix=f"{prefix}-w"))]
    if both:
        drawn.append(("narrow", drawing(narrow, prefix=f"{prefix}-n")))
    meta = wide["layout"]["meta"]
    write = number or (lambda ref: _bare(lookup, ref))
    table = _table(meta["table"], f"{prefix}-table", meta["title"], write)
    html = _environment().get_template("figure.html").render(
        prefix=prefix,
        title=meta["title"],
        drawings=[(which, one.svg) for which, one in drawn],
        caption=_prose(meta["caption"], write),
        source=_prose(meta["source"], write),
        table=table,
        csv=f"{root}figures/{slug}.csv",
        json=f"{root}figures/{slug}.json",
        interactive=f"{root}{interactive}" if interactive else "",
    )
    return FigureHtml(
        html=html,
        table_html=table,
        spec_json=json.dumps(wide, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n",
        csv=_csv(meta, lookup),
        title=meta["title"],
        slug=slug,
        spec=wide,
        problems=tuple(f"{which}: {problem}" for which, one in drawn for problem in one.problems),
    )


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and value.replace("-", "").isalnum()


def plotly_js() -> Path:
    """The script that plotly's own package carries, for pages that show a figure interactively.

    Raises UsageError where plotly is not installed.
    """
    spec = find_spec("plotly")
    if spec is None or not spec.submodule_search_locations:
        raise UsageError("plotly is not installed", remedy="pip install plotly")
    return Path(next(iter(spec.submodule_search_locations))) / "package_data" / "plotly.min.js"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(resource("templates")), undefined=StrictUndefined, autoescape=True, trim_blocks=True
    )


def _bare(lookup: Lookup, ref: str) -> str:
    cited = lookup.cite(ref)
    return f'<data value="{escape(cited.value)}" data-ev="{escape(cited.ref)}">{escape(cited.text)}</data>'


def _prose(said: dict[str, Any], number: Number) -> str:
    """A caption's runs as HTML."""
    return "".join(_html(run, number) for run in parse(said["text"], said["cites"]))


def _html(run: Run, number: Number) -> str:
    if run.ref and kept_in(run.ref) == "data-ev":
        piece = number(run.ref)
    else:
        piece = escape(run.text, quote=False)
        piece = f'<span data-said="{escape(run.ref)}">{piece}</span>' if run.ref else piece
    for on, tag in ((run.mono, "code"), (run.italic, "i"), (run.bold, "b")):
        piece = f"<{tag}>{piece}</{tag}>" if on else piece
    return piece


def _table(table: dict[str, Any], id_: str, caption: str, number: Number) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table["columns"])
    rows = "".join(
        f"<tr>{''.join(_cell(cell, index == 0, number) for index, cell in enumerate(row))}</tr>"
        for row in table["rows"]
    )
    return (
        f'<table id="{id_}"><caption class="unseen">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _cell(cell: Any, head: bool, number: Number) -> str:
    if isinstance(cell, dict):
        return f'<td class="declined"><span class="plate">{escape(cell["declined"])}</span></td>'
    inner = "".join(_html(Run(text, ref), number) for text, ref in cell)
    return f'<th scope="row">{inner}</th>' if head else f"<td>{inner}</td>"


def _csv(meta: dict[str, Any], lookup: Lookup) -> str:
    """Row-level columns where the figure has them, else its table in ASCII numbers."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if "rows" in meta:
        columns: dict[str, list[Any]] = meta["rows"]
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    else:
        writer.writerow(meta["table"]["columns"])
        writer.writerows([_plain(cell, lookup) for cell in row] for row in meta["table"]["rows"])
    return out.getvalue()


def _plain(cell: Any, lookup: Lookup) -> str:
    if isinstance(cell, dict):
        return f"declined: {cell['declined']}"
    return "".join(
        lookup.cite(ref).ascii if ref and kept_in(ref) == "data-ev" else text for text, ref in cell
    )
