"""A figure as HTML: two drawings, title, caption, source line, a table under it, and its files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from site_builder import links
from site_builder.figures._registry import Figure, Width, find, ids
from site_builder.lookup import Lookup, behind
from site_builder.svg import Drawing, Spec, drawing
from site_builder.svg.markup import Run, kept_in, parse

Number = Callable[[str], str]  # a reference -> its HTML, with what a page puts around a number


@dataclass(frozen=True)
class FigureHtml:
    """A figure ready for a page.

    `id` is the record it is drawn from, the first where there are several; `name` tells it apart from that record's
    other figures; `spec` is the wide drawing's; `csv` is where its data lie, from the site's root; `files` are those
    it brings itself.
    """

    html: str
    table_html: str
    spec_json: str
    csv: str
    title: str
    id: str
    name: str
    spec: Spec = field(repr=False)
    drawings: tuple[tuple[str, Drawing], ...] = field(repr=False)
    files: dict[str, str] = field(repr=False)

    @property
    def problems(self) -> list[str]:
        """Overlaps, overflows and small print the drawings would have in the widest fonts."""
        return [f"{which or 'only'}: {problem}" for which, one in self.drawings for problem in one.problems]


def render(
    name: str,
    lookup: Lookup,
    id: str,
    *,
    prefix: str = "",
    root: str = "",
    number: Number | None = None,
    interactive: bool = False,
    room: str = "",
    **options: Any,
) -> FigureHtml:
    """Draw a figure for one page.

    `prefix` starts its element ids and must be unique on the page; `root` leads from the page to the site's root;
    `number` writes a cited number of a caption as HTML (a bare `<data>` by default), a table's numbers are links to
    their records; `interactive` links the page where plotly draws it; `room="narrow"` leaves the wide drawing
    out, where a page has no place for it. Further options are the figure's. Raises UsageError for an unknown figure
    or option, and what the lookup raises.
    """
    wanted = find(name)
    of, own = ids(id)[0], name + "".join(f"~{value}" for value in options.values() if _is_word(value))
    slug = f"{of}/{own}"
    prefix = prefix or "fig-" + re.sub(r"[^a-z0-9]+", "-", slug.lower())
    wide = _spec(wanted, lookup, id, "wide", options)
    narrow = wide if wanted.one_width else _spec(wanted, lookup, id, "narrow", options)
    if room not in ("", "narrow"):
        raise UsageError(f"figure {name}: no room {room!r}", remedy="room=narrow, or none")
    if room:
        drawn = [("", drawing(narrow, prefix=f"{prefix}-n"))]
    elif not (css := _class(wide, narrow)):
        drawn = [("", drawing(wide, prefix=f"{prefix}-w"))]
    else:
        drawn = [(css, drawing(wide, prefix=f"{prefix}-w"))]
        drawn.append((f"below-{drawn[0][0]}", drawing(narrow, prefix=f"{prefix}-n")))
    meta = wide["layout"]["meta"]
    bare = partial(_bare, lookup)
    write = number or bare
    table = _table(meta["table"], f"{prefix}-table", meta["title"], partial(_linked, lookup, root), bare)
    spec_json = _json(wide)
    files = {f"figures/{slug}.json": spec_json}
    if "rows" in meta:
        data = f"figures/{slug}.csv"
        files[data] = _csv(meta["rows"])
    else:
        data = _fields(meta["table"], of)
    linked = [("CSV", data), ("JSON", f"figures/{slug}.json")]
    if interactive:
        linked.append(("Interactive", links.to_page(links.figures(of), own)))
    html = _html(
        prefix,
        meta["title"],
        [(which, one.svg) for which, one in drawn],
        [_prose(meta[part], write) for part in ("caption", "source")],
        table,
        [(word, root + path) for word, path in linked],
    )
    return FigureHtml(html, table, spec_json, data, meta["title"], of, own, wide, tuple(drawn), files)


def _spec(wanted: Figure, lookup: Lookup, id: str, width: Width, options: dict[str, Any]) -> Spec:
    try:
        return wanted.spec(lookup, id, width, **options)
    except TypeError as error:
        if "unexpected keyword argument" not in str(error):
            raise
        raise UsageError(f"figure {wanted.name}: {str(error).partition('() ')[2]}", remedy=wanted.doc) from error


def _class(wide: Spec, narrow: Spec) -> str:
    """The room the wide drawing asks for, as the stylesheet names it; empty where one drawing serves all."""
    if wide["layout"]["width"] == narrow["layout"]["width"]:
        return ""
    return "wide" if wide["layout"]["width"] > 700 else "medium"


def _json(spec: Spec) -> str:
    return msgspec.json.encode(spec, order="sorted").decode() + "\n"


def _html(
    prefix: str,
    title: str,
    drawings: list[tuple[str, str]],
    prose: list[str],
    table: str,
    files: list[tuple[str, str]],
) -> str:
    """The figure's element: there can be hundreds in a site, so it is put together here and not in a template."""
    title = escape(title)
    drawn = "".join(f'<div class="drawn{which and " "}{which}">{svg}</div>\n' for which, svg in drawings)
    caption = "".join(f"<p>{text}</p>\n" for text in prose if text)
    linked = "".join(f'<a href="{path}">{word}</a>' for word, path in files)
    return (
        f'<div class="figure" id="{prefix}">\n<figure aria-labelledby="{prefix}-title">\n'
        f'<p class="figure-title" id="{prefix}-title">{title}</p>\n{drawn}'
        f"<figcaption>\n{caption}</figcaption>\n</figure>\n"
        f'<div class="figure-files"><details><summary>Table</summary><div class="scroll" tabindex="0" role="group" '
        f'aria-label="{title}: table">{table}</div></details>{linked}</div>\n</div>\n'
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


def _bare(lookup: Lookup, ref: str) -> str:
    return lookup.cite(ref).stamp


def _linked(lookup: Lookup, root: str, ref: str) -> str:
    cited = lookup.cite(ref)
    where = root + links.to_page(links.evidence(cited.id), links.anchor(cited.field_name))
    return f'<a href="{escape(where)}">{cited.stamp}</a>'


def _prose(said: dict[str, Any], number: Number) -> str:
    """A caption's runs as HTML."""
    return "".join(_run(run, number) for run in parse(said["text"], said["cites"]))


def _run(run: Run, number: Number) -> str:
    if run.ref and kept_in(run.ref) == "data-ev":
        piece = number(run.ref)
    else:
        piece = escape(run.text, quote=False)
        piece = f'<span data-said="{escape(run.ref)}">{piece}</span>' if run.ref else piece
    for on, tag in ((run.mono, "code"), (run.italic, "i"), (run.bold, "b")):
        piece = f"<{tag}>{piece}</{tag}>" if on else piece
    return piece


def _table(table: dict[str, Any], id_: str, caption: str, number: Number, bare: Number) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table["columns"])
    rows = "".join(_row(row, number, bare) for row in table["rows"])
    return (
        f'<table id="{id_}"><caption class="unseen">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(row: list[Any], number: Number, bare: Number) -> str:
    """A row whose first print of each field is `number`'s; the same field printed again is `bare`."""
    seen: set[str] = set()

    def once(ref: str) -> str:
        field = ref.partition("|")[0]
        again = field in seen
        seen.add(field)
        return (bare if again else number)(ref)

    return f"<tr>{''.join(_cell(cell, index == 0, once) for index, cell in enumerate(row))}</tr>"


def _cell(cell: Any, head: bool, number: Number) -> str:
    if isinstance(cell, dict):
        return f'<td class="declined"><span class="plate">{escape(cell["declined"])}</span></td>'
    inner = "".join(_run(Run(text, ref), number) for text, ref in cell)
    return f'<th scope="row">{inner}</th>' if head else f"<td>{inner}</td>"


def _csv(rows: dict[str, list[Any]]) -> str:
    """Row-level columns, where the drawing shows more than fields."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows)
    writer.writerows(zip(*rows.values(), strict=True))
    return out.getvalue()


def _fields(table: dict[str, Any], of: str) -> str:
    """Where the fields lie that a figure without rows of its own draws: beside their record, or beside all records."""
    cells = (cell for row in table["rows"] for cell in row if not isinstance(cell, dict))
    found = {id_ for cell in cells for _, ref in cell for id_ in behind(ref)} | {of}
    return links.fields_csv(of) if found == {of} else links.ALL_FIELDS
