"""Blocks of a content page, written as fences: ```{pair}, ```{graders}, ```{figure} name id."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lens.errors import UsageError
from lens.reading import Declined
from site_builder import links, wording
from site_builder.lookup import parse

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.writer import Writer


def block(name: str, argument: str, body: str, writer: Writer) -> Markup:
    """The HTML of one fence. Raises UsageError for an unknown block, and what its parts raise."""
    if name not in _BLOCKS:
        raise UsageError(f"no block {{{name}}}", remedy=f"one of {', '.join(sorted(_BLOCKS))}")
    return _BLOCKS[name](argument.strip(), body, writer)


def _figure(argument: str, _body: str, writer: Writer) -> Markup:
    """```{figure} name id key=value```"""
    words = argument.split()
    if len(words) < 2:
        raise UsageError("a figure needs its name and an id", remedy="```{figure} kill-matrix graders/x/kill-matrix")
    options = dict(_option(word) for word in words[2:])
    return writer.figure(words[0], words[1], **options)


def _option(word: str) -> tuple[str, Any]:
    key, sign, value = word.partition("=")
    if not sign:
        raise UsageError(f"{word!r} is not key=value")
    return key, value


def _pair(_argument: str, body: str, writer: Writer) -> Markup:
    """A reading and a decline side by side: two lines, `who | id#field`, and what follows the number in words."""
    lines = [line for line in body.splitlines() if line.strip()]
    sides = [_side(line, writer) for line in lines]
    return Markup('<div class="split pair">{}</div>\n').format(Markup("").join(sides))


def _side(line: str, writer: Writer) -> Markup:
    who, bar, ref = line.partition("|")
    if not bar:
        raise UsageError(f"{line.strip()!r} is not who | id#field", remedy="A reader with the source | id#field|count")
    parsed = parse(ref)
    name = parsed.field or writer.lookup.headline(parsed.id)
    field = writer.lookup.field(parsed.id, name)
    head = Markup('<p class="who">{}</p>').format(who.strip())
    if isinstance(field, Declined):
        return Markup("<div>{}{}</div>").format(head, decline(writer, parsed.id, name))
    record = writer.lookup.record(parsed.id).evidence
    said = wording.phrase(record.instrument, name, record.subject.name, getattr(field, "unit", ""))
    number = writer.n(ref)
    return Markup('<div>{}<p class="big">{}</p><p>{}</p></div>').format(head, number, said)


def decline(writer: Writer, id_: str, name: str, title: str = "", level: int = 3) -> Markup:
    """A declined field in full: reason, need, bound, and the remedy as a command to copy."""
    record, field = writer.lookup.record(id_), writer.lookup.field(id_, name)
    assert isinstance(field, Declined)
    return decline_of(writer, [(record, name, field)], title, level)


def decline_of(writer: Writer, group: list[tuple[Record, str, Declined]], title: str = "", level: int = 3) -> Markup:
    """Declined fields of one record that one remedy mends, in one box."""
    record, name, field = group[0]
    names = ", ".join(wording.plain(name) for _, name, _ in group)
    title = title or wording.title(record.evidence.instrument, name if len(group) == 1 else names)
    return Markup(
        writer.site.env.get_template("decline.html").render(
            w=writer, record=record, group=group, field=field, title=title, level=level, wording=wording, links=links
        )
    )


def _graders(argument: str, _body: str, writer: Writer) -> Markup:
    """Every grader in the store, a line each."""
    from site_builder.card import summaries

    return Markup(
        writer.site.env.get_template("graders_table.html").render(
            w=writer, graders=summaries(writer.site, writer), brief=argument == "brief"
        )
    )


_BLOCKS: dict[str, Callable[[str, str, Writer], Markup]] = {"figure": _figure, "pair": _pair, "graders": _graders}
