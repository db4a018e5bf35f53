"""Blocks of a content page, written as fences: ```{pair}, ```{graders}, ```{reading} id, ```{figure} name id."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lens.errors import UsageError
from lens.reading import Declined, Measured, Quantity, Quote
from site_builder import links, naming, wording
from site_builder.env import codeish
from site_builder.lookup import parse

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site, Subject
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


def _pair(argument: str, body: str, writer: Writer) -> Markup:
    """A reading and a decline side by side.

    Lines `who | id#field` name the two; without them, ```{pair} INSTRUMENT [SLUG]``` takes the instrument's reading
    of that grader, or of the first that has one, with its source and with the training log alone.
    """
    lines = [line for line in body.splitlines() if line.strip()]
    if lines:
        return Markup('<div class="split pair">{}</div>\n').format(
            Markup("").join(_side(line, writer) for line in lines)
        )
    instrument, _, slug = argument.partition(" ")
    found = _both(writer.site, instrument, slug.strip())
    if found is None:
        return Markup("")
    subject, words = found, wording.of(instrument)
    sides = (
        _side(f"A reader with the source | {subject.records[instrument].id}", writer),
        _side(f"A reader with the training log only | {subject.variants['log'][instrument].id}", writer),
    )
    return Markup(
        '<section class="wide"><h2>A reading and a decline, side by side</h2><p>One question, two readers. {} '
        'The grader is {}.</p><div class="split pair">{}</div></section>\n'
    ).format(words.what, writer.page_link(subject.path, codeish(subject.name)), Markup("").join(sides))


def _both(site: Site, instrument: str, slug: str) -> Subject | None:
    """The grader that the instrument read with the source, and declined with the log."""
    able = [
        one
        for one in site.graders
        if instrument in one.records
        and isinstance(one.records[instrument].evidence.reading, Measured)
        and instrument in one.variants.get("log", {})
    ]
    return next((one for one in able if one.slug == slug), able[0] if able else None)


def _states(argument: str, _body: str, writer: Writer) -> Markup:
    """The four states of a number, with numbers of this site; nothing where it has not one of each yet."""
    readers = [writer.lookup.record(id_) for id_ in writer.site.store.ids()]
    measured = zero = reported = ""
    for record in readers:
        for name, field in record.fields.items():
            if isinstance(field, Quantity) and field.of and not (zero and measured):
                if field.value == 0 and not zero:
                    zero = f"{record.id}#{name}"
                elif field.value and not measured and record.evidence.instrument == (argument or "kill-matrix"):
                    measured = f"{record.id}#{name}"
            elif isinstance(field, Quote) and field.of and not reported:
                reported = f"{record.id}#{name}"
    if not (measured and zero and reported):
        return Markup("")
    return writer.figure("states", measured.partition("#")[0], measured=measured, zero=zero, reported=reported)


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
    said = wording.phrase(record.instrument, name, naming.of(record.subject), getattr(field, "unit", ""))
    number = writer.n(ref)
    return Markup('<div>{}<p class="big">{}</p><p>{}.</p></div>').format(head, number, codeish(said))


def _decline(argument: str, _body: str, writer: Writer) -> Markup:
    """```{decline} id#field```: what could not be read, why, and the command that mends it."""
    parsed = parse(argument)
    name = parsed.field or writer.lookup.headline(parsed.id)
    if not isinstance(writer.lookup.field(parsed.id, name), Declined):
        raise UsageError(f"{argument} was measured", remedy="{ev}`id#field` prints it")
    return decline(writer, parsed.id, name)


def _works(_argument: str, _body: str, writer: Writer) -> Markup:
    """What measured something on this site, from the registry and the store."""
    from site_builder.established import works

    return works(writer)


def _scorecards(_argument: str, _body: str, writer: Writer) -> Markup:
    """Every scorecard in the store, a line each."""
    from site_builder import scorecard

    return scorecard.table(writer)


def _unestablished(_argument: str, _body: str, writer: Writer) -> Markup:
    """What did not pass its exam and what read nothing on this site, with why."""
    from site_builder.established import unestablished

    return unestablished(writer)


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


def _reading(argument: str, body: str, writer: Writer) -> Markup:
    """```{reading} id``` with `field` or `field|format` a line: each value, its interval and what it is.

    A store without that record says so, and what would measure it: a page may stand beside stores that lack it.
    """
    id_ = argument
    if not writer.site.store.has(id_):
        return Markup(
            '<p class="quiet">This site’s store holds no <code>{}</code>; the command above makes it.</p>\n'
        ).format(id_)
    rows = [_field_row(writer, id_, line.strip()) for line in body.splitlines() if line.strip()]
    return Markup(
        '<div class="scroll" tabindex="0" role="group" aria-label="{0}"><table class="stack">'
        '<thead><tr><th scope="col">field</th><th scope="col">value</th><th scope="col">interval</th>'
        '<th scope="col">what it is</th></tr></thead><tbody>{1}</tbody></table></div>\n'
    ).format(wording.of(id_.rpartition("/")[2]).title, Markup("").join(rows))


def _field_row(writer: Writer, id_: str, line: str) -> Markup:
    name, _, fmt = line.partition("|")
    field, evidence = writer.lookup.field(id_, name), writer.lookup.record(id_).evidence
    words = wording.phrase(evidence.instrument, name, naming.of(evidence.subject), getattr(field, "unit", ""))
    return Markup('<tr><th scope="row"><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td></tr>').format(
        name, writer.field(id_, name, fmt), writer.interval(id_, name), codeish(words)
    )


def _models(_argument: str, _body: str, writer: Writer) -> Markup:
    """Every reward model in the store, a line each; nothing where there is none."""
    from site_builder.model import summaries

    found = summaries(writer.site, writer)
    return (
        Markup(writer.site.env.get_template("models_table.html").render(w=writer, models=found))
        if found
        else Markup("")
    )


def _instruments(argument: str, _body: str, writer: Writer) -> Markup:
    """```{instruments} graders```: the reference of one kind of subject, from the registry."""
    from site_builder.instruments import KINDS, render

    if argument not in KINDS:
        raise UsageError(f"no instruments for {argument!r}", remedy=f"one of {', '.join(KINDS)}")
    return render(argument, writer)


def _graders(argument: str, _body: str, writer: Writer) -> Markup:
    """Every grader in the store, a line each."""
    from site_builder.card import summaries

    return Markup(
        writer.site.env.get_template("graders_table.html").render(
            w=writer, graders=summaries(writer.site, writer), brief=argument == "brief"
        )
    )


def _bibtex(argument: str, _body: str, writer: Writer) -> Markup:
    """```{bibtex} id``` is how to cite a record's headline; without an id, how to cite the site."""
    from site_builder import cite

    words = writer.site.words
    if argument:
        record = writer.lookup.record(argument)
        title = f"{wording.of(record.evidence.instrument).title}, {naming.of(record.evidence.subject)}"
        entry = cite.bibtex(words, record, title, writer.lookup.headline(argument))
    else:
        entry = cite.whole(words, writer.site.clock)
    shown = Markup('<pre class="bib" tabindex="0" role="group" aria-label="BibTeX"><code>{}</code></pre>\n')
    return shown.format(entry)


_BLOCKS: dict[str, Callable[[str, str, Writer], Markup]] = {
    "bibtex": _bibtex,
    "decline": _decline,
    "figure": _figure,
    "graders": _graders,
    "instruments": _instruments,
    "models": _models,
    "pair": _pair,
    "reading": _reading,
    "scorecards": _scorecards,
    "states": _states,
    "unestablished": _unestablished,
    "works": _works,
}
