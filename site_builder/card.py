"""What a grader card says, drawn from whatever instruments have evidence: no list of instruments lives here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from lens.about import about
from lens.reading import Declined, Quantity, Quote, Reported
from site_builder import beside, wording

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site, Subject
    from site_builder.writer import Writer

LOG = "log"  # the variant made with the training log alone
State = Literal["m", "d", "x"]  # measured, declined, not applicable
Sentence = Callable[["Subject", "Writer"], Markup | None]
_SENTENCES = 2  # that open a card; the others are not made, since a page quotes only what it prints


@dataclass(frozen=True)
class Row:
    """One instrument of the table of fields: its reading with the source, and with the log alone."""

    title: str
    full: Markup
    full_declined: bool
    log: Markup
    log_declined: bool


@dataclass(frozen=True)
class Comparison:
    """A published figure by its field's name, ours beside it, and why they differ."""

    name: str
    figure: str
    reported: Markup
    ours: Markup | None
    why: Markup


@dataclass
class Summary:
    """A grader in the index: a sentence, what it pays and refuses, kills, and how its instruments ended."""

    subject: Subject
    sentence: str
    pays: Markup
    refuses: Markup
    kills: Markup | None
    marks: list[tuple[State, str]] = field(default_factory=list)


def instruments(subject: Subject) -> list[str]:
    """Every instrument with a record of this subject, in card order; figures of others are not one."""
    log = subject.variants.get(LOG, {})
    names = {name for name in (*subject.records, *log) if name != "reported"}
    return sorted(names, key=lambda name: (wording.of(name).order, name))


def state(record: Record) -> State:
    """How a record ended as a whole."""
    reading = record.evidence.reading
    if isinstance(reading, Declined):
        return "x" if reading.reason == "not_applicable" else "d"
    return "m"


def rows(subject: Subject, writer: Writer) -> list[Row]:
    """Every instrument at two levels of access."""
    log = subject.variants.get(LOG, {})
    made = []
    for name in instruments(subject):
        full, other = subject.records.get(name), log.get(name)
        made.append(
            Row(
                wording.of(name).title,
                *_cell(full, writer, "no record"),
                *_cell(other, writer, "" if full is not None and state(full) == "x" else "not read at this access"),
            )
        )
    return made


def _cell(record: Record | None, writer: Writer, otherwise: str) -> tuple[Markup, bool]:
    if record is None:
        return Markup('<span class="quiet">{}</span>').format(otherwise), False
    if isinstance(record.evidence.reading, Declined):
        declined = record.evidence.reading.reason != "not_applicable"
        return writer.declined(record.id), declined
    return writer.row(record.id), False


def declines(subject: Subject) -> list[list[tuple[Record, str, Declined]]]:
    """Declined fields of the readings with the source, in card order; those one remedy mends stand together."""
    groups: dict[tuple[str, str, str], list[tuple[Record, str, Declined]]] = {}
    for name in instruments(subject):
        record = subject.records.get(name)
        for field_name, field_ in record.fields.items() if record is not None else ():
            if record is not None and isinstance(field_, Declined) and field_.reason != "not_applicable":
                groups.setdefault((name, field_.reason, field_.remedy), []).append((record, field_name, field_))
    return list(groups.values())


def worst(subject: Subject, instrument: str, head: str, tail: str = "") -> list[tuple[str, Quantity]]:
    """Fields `head.X` or `X.tail` of a "k of n" above zero, largest share first."""
    record = subject.records.get(instrument)
    if record is None:
        return []
    found = [
        (name, field_)
        for name, field_ in record.fields.items()
        if isinstance(field_, Quantity) and field_.of and field_.value and _fits(name, head, tail)
    ]
    return sorted(found, key=lambda pair: (-pair[1].value / (pair[1].of or 1), -(pair[1].of or 0), pair[0]))


def _fits(name: str, head: str, tail: str) -> bool:
    return (bool(head) and name.startswith(f"{head}.")) or (bool(tail) and name.endswith(f".{tail}"))


def pays(subject: Subject, writer: Writer, most: int = 3) -> Markup:
    """The wrong answers it pays most often, in one line; or that none was seen, or why nobody looked."""
    found = [("variants", name) for name, _ in worst(subject, "variants", "accept")]
    found = found or [("exploits", name) for name, _ in worst(subject, "exploits", "", "paid")]
    found = _real(subject, "false-accept") + found
    return _list(subject, writer, found[:most]) if found else _nothing(subject, writer, ("variants", "exploits"))


def refuses(subject: Subject, writer: Writer, most: int = 3) -> Markup:
    """The right answers it refuses most often, in one line; or that none was seen, or why nobody looked."""
    found = _real(subject, "false-reject") + [("variants", name) for name, _ in worst(subject, "variants", "reject")]
    return _list(subject, writer, found[:most]) if found else _nothing(subject, writer, ("variants",))


def _real(subject: Subject, name: str) -> list[tuple[str, str]]:
    """What labelled real output shows of a wrong verdict, where it shows any: it comes before answers made up."""
    record = subject.records.get("rollouts")
    field_ = record.fields.get(name) if record is not None else None
    return [("rollouts", name)] if isinstance(field_, Quantity) and field_.value else []


def _nothing(subject: Subject, writer: Writer, instruments: tuple[str, ...]) -> Markup:
    """A measured absence, a decline and an unmade measurement are three things."""
    records = [subject.records[name] for name in instruments if name in subject.records]
    if any(state(record) == "m" for record in records):
        return Markup("none seen among those tried")
    if records:
        return writer.declined(records[0].id)
    return Markup('<span class="quiet">not measured</span>')


def _list(subject: Subject, writer: Writer, found: list[tuple[str, str]]) -> Markup:
    parts = [
        Markup("{}, {}").format(_kind(name), writer.n(f"{subject.records[instrument].id}#{name}"))
        for instrument, name in found
    ]
    return Markup("; ").join(parts)


def _kind(name: str) -> str:
    """`accept.sign-flipped` and `empty.paid` without what they share."""
    if name in ("false-accept", "false-reject"):
        return "labelled real output"
    short = name.removeprefix("accept.").removeprefix("reject.").removesuffix(".paid")
    return wording.plain(short)


def sentences(subject: Subject, writer: Writer) -> list[Markup]:
    """What was found, most telling first, each sentence made only where its evidence is there."""
    candidates: tuple[Sentence, ...] = (
        _refused_in_earnest,
        _unseen_by_gold,
        _exploited,
        partial(_most, head="accept", text="Of wrong answers made from right ones, it pays {} ({})."),
        partial(_most, head="reject", text="Of right answers spelled otherwise, it refuses {} ({})."),
        _failing,
    )
    return list(islice(filter(None, (make(subject, writer) for make in candidates)), _SENTENCES))


def _refused_in_earnest(subject: Subject, writer: Writer) -> Markup | None:
    if not _real(subject, "false-reject"):
        return None
    return Markup("Of right answers in labelled real output, it refuses {}.").format(
        writer.n(f"{subject.records['rollouts'].id}#false-reject")
    )


def _unseen_by_gold(subject: Subject, writer: Writer) -> Markup | None:
    record = subject.records.get("kill-matrix")
    if record is None or not isinstance(record.fields.get("gold.rate"), Declined):
        return None
    killed = record.fields.get("gold.killed")
    if not isinstance(killed, Quantity):
        return None
    return Markup("Checked against gold answers alone, {} ways to break it would be noticed.").format(
        writer.n(f"{record.id}#gold.killed")
    )


def _exploited(subject: Subject, writer: Writer) -> Markup | None:
    record = subject.records.get("exploits")
    paid = record.fields.get("paid") if record is not None else None
    if record is None or not isinstance(paid, Quantity) or not paid.value:
        return None
    return Markup("Of answers that are wrong on purpose, it pays {}.").format(writer.n(f"{record.id}#paid"))


def _most(subject: Subject, writer: Writer, head: str, text: str) -> Markup | None:
    found = worst(subject, "variants", head)
    if not found:
        return None
    name = found[0][0]
    return Markup(text).format(writer.n(f"{subject.records['variants'].id}#{name}"), _kind(name))


def _failing(subject: Subject, writer: Writer) -> Markup | None:
    record = subject.records.get("failure-semantics")
    raised = record.fields.get("raised") if record is not None else None
    if record is None or not isinstance(raised, Quantity) or not raised.value:
        return None
    return Markup("On odd input it raises, {} probes.").format(writer.n(f"{record.id}#raised"))


def kills(subject: Subject, writer: Writer) -> Markup | None:
    """Mutants noticed by gold answers and by labelled ones."""
    record = subject.records.get("kill-matrix")
    if record is None:
        return None
    if isinstance(record.evidence.reading, Declined):
        return writer.declined(record.id)
    parts = [
        Markup("{} {}").format(writer.n(f"{record.id}#{corpus}.killed"), words)
        for corpus, words in (("gold", "by gold answers"), ("labelled", "by labelled answers"))
        if isinstance(record.fields.get(f"{corpus}.killed"), Quantity)
    ]
    return Markup(", ").join(parts) if parts else writer.row(record.id)


def summaries(site: Site, writer: Writer) -> list[Summary]:
    """Every audited grader for the index, by name."""
    return [
        Summary(
            subject,
            about(subject.kind, subject.slug),
            pays(subject, writer, 1),
            refuses(subject, writer, 1),
            kills(subject, writer),
            [(state(subject.records[n]), wording.of(n).title) for n in instruments(subject) if n in subject.records],
        )
        for subject in site.graders
    ]


def comparisons(subject: Subject, writer: Writer) -> list[Comparison]:
    """Figures others published of this subject, ours where one instrument measured the same, and why they differ."""
    made = []
    for variants in subject.variants.values():
        record = variants.get("reported")
        if record is None or not isinstance(record.evidence.reading, Reported):
            continue
        for name, quote in record.fields.items():
            if isinstance(quote, Quote):
                made.append(_comparison(subject, writer, record, name, quote))
    return sorted(made, key=lambda one: beside.order(subject.kind, one.name))


def _comparison(subject: Subject, writer: Writer, record: Record, name: str, quote: Quote) -> Comparison:
    reported = Markup("{} {}").format(writer.n(f"{record.id}#{name}"), writer.source(record.id))
    pieces = beside.find(writer.lookup, f"{subject.kind}/{subject.slug}", name)
    why = writer.said(f"{record.id}#{name}@note") if quote.note else Markup("")
    return Comparison(
        name, wording.plain(name), reported, beside.shown(writer, pieces, opens=subject.kind != "runs"), why
    )
