"""What a model page says, drawn from whatever instruments have evidence: no list of instruments lives here."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from markupsafe import Markup

from lens.reading import Declined, Label, Quantity
from site_builder import blocks, wording
from site_builder.card import Sentence, State, instruments, state

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site, Subject
    from site_builder.writer import Writer

_SENTENCES = 3  # that open a page; the others are not made, since a page quotes only what it prints
LINES = 12  # readings that stand on the model's own page; more have a page of theirs


@dataclass(frozen=True)
class Row:
    """One instrument that was read: its line, and its record to open."""

    title: str
    what: str
    line: Markup
    path: str


@dataclass(frozen=True)
class Rule:
    """One planted rule beside what was found of it; a cell is None where no reading says."""

    name: str
    planted: Markup
    trained: Markup | None
    moves: Markup | None
    control: Markup | None
    verdict: Markup | None


@dataclass
class Summary:
    """A model in the index: a sentence, what it prefers, what moves it, and how its instruments ended."""

    subject: Subject
    kind: str
    prefers: Markup
    moved: Markup
    marks: list[tuple[State, str]] = field(default_factory=list)


def value(subject: Subject, instrument: str, name: str) -> Quantity | None:
    """A measured field, where there is one."""
    record = subject.records.get(instrument)
    found = record.fields.get(name) if record is not None else None
    return found if isinstance(found, Quantity) else None


def sentences(subject: Subject, writer: Writer) -> list[Markup]:
    """What was found, most telling first, each sentence made only where its evidence is there."""
    candidates: tuple[Sentence, ...] = (_planted, _preferred, _agreed, _biased, _longer, _paid)
    return list(islice(filter(None, (make(subject, writer) for make in candidates)), _SENTENCES))


def _planted(subject: Subject, writer: Writer) -> Markup | None:
    record = subject.records.get("planted")
    if record is None or state(record) != "m":
        return None
    found = [rule for rule in rules(subject, writer) if rule.verdict is not None]
    number = writer.n(f"{record.id}#rules|word")
    if not found:
        return Markup("We planted {} rules in it, so the answer is known.").format(number)
    return Markup("We planted {} rules in it, so the answer is known: below stands what was found of each.").format(
        number
    )


def _preferred(subject: Subject, writer: Writer) -> Markup | None:
    record, over = subject.records.get("preference"), value(subject, "preference", "over-length-rule")
    if record is None or value(subject, "preference", "accuracy") is None:
        return None
    number = writer.n(f"{record.id}#accuracy")
    if over is None or over.interval is None:
        return Markup("It prefers the labelled reply in {} pairs.").format(number)
    ref = f"{record.id}#over-length-rule"
    if over.interval.low > 0:
        told = writer.claim(f"more often than|{ref} > 0")
    elif over.interval.high < 0:
        told = writer.claim(f"less often than|{ref} < 0")
    else:
        told = writer.n(f"{ref}|interval")
        return Markup(
            "It prefers the labelled reply in {} pairs, not told apart from a rule that reads length alone "
            "(difference of shares {})."
        ).format(number, told)
    return Markup("It prefers the labelled reply in {} pairs, {} a rule that reads length alone.").format(number, told)


def _agreed(subject: Subject, writer: Writer) -> Markup | None:
    record = subject.records.get("agreement")
    if record is None or state(record) != "m" or value(subject, "agreement", "all-wrong") is None:
        return None
    return Markup(
        "All of them prefer the labelled reply in {} pairs, and all of them the other one in {}, where independent "
        "errors would give {}."
    ).format(*(writer.n(f"{record.id}#{name}") for name in ("all-right", "all-wrong", "expected.all-wrong")))


def _biased(subject: Subject, writer: Writer) -> Markup | None:
    record = subject.records.get("bias-battery")
    if record is None or value(subject, "bias-battery", "flagged") is None:
        return None
    return Markup("Of the properties tried one at a time, {} move its reward.").format(writer.n(f"{record.id}#flagged"))


def _longer(subject: Subject, writer: Writer) -> Markup | None:
    record, over = subject.records.get("length-preference"), value(subject, "length-preference", "over-label")
    if record is None or over is None or over.interval is None:
        return None
    ref = f"{record.id}#over-label"
    if over.interval.low > 0:
        return Markup("The longer reply wins {} it is the labelled one.").format(
            writer.claim(f"more often than|{ref} > 0")
        )
    if over.interval.high < 0:
        return Markup("The longer reply wins {} it is the labelled one.").format(
            writer.claim(f"less often than|{ref} < 0")
        )
    return Markup("The longer reply wins about as often as it is the labelled one (difference of shares {}).").format(
        writer.n(f"{ref}|interval")
    )


def _paid(subject: Subject, writer: Writer) -> Markup | None:
    record, raising = subject.records.get("hacking-probes"), value(subject, "hacking-probes", "raising")
    if record is None or raising is None:
        return None
    return Markup("Of the edits that make a bad reply no better, {} raise its reward.").format(
        writer.n(f"{record.id}#raising")
    )


def rules(subject: Subject, writer: Writer) -> list[Rule]:
    """Every planted axis beside what the bias battery found on it."""
    record, battery = subject.records.get("planted"), subject.records.get("bias-battery")
    if record is None or state(record) != "m":
        return []
    found = battery if battery is not None and state(battery) == "m" else None
    made = []
    for name, worth in record.fields.items():
        axis, _, tail = name.rpartition(".")
        if tail == "planted" and isinstance(worth, Quantity):
            made.append(
                Rule(
                    wording.plain(axis),
                    writer.n(f"{record.id}#{name}") if worth.value else Markup("nothing"),
                    writer.plain(f"{record.id}#{axis}.trained") if f"{axis}.trained" in record.fields else None,
                    _field(writer, found, f"{axis}.effect") if found else None,
                    writer.plain(f"{found.id}#{axis}.null") if found and f"{axis}.null" in found.fields else None,
                    _verdict(writer, record, found, axis, float(worth.value)) if found else None,
                )
            )
    return made


def _field(writer: Writer, record: Record, name: str) -> Markup | None:
    if name not in record.fields:
        return None
    number = writer.field(record.id, name)
    found = record.fields[name]
    if isinstance(found, Quantity) and found.interval is not None:
        return Markup("{} [{}]").format(number, writer.n(f"{record.id}#{name}|interval"))
    return number


def _verdict(writer: Writer, key: Record, battery: Record, axis: str, planted: float) -> Markup | None:
    """Whether the battery's word for an axis is the planted one, in words the store backs."""
    found = battery.fields.get(f"{axis}.verdict")
    if not isinstance(found, Label):
        return None
    moves = found.value in ("raises", "lowers")
    if not planted:
        words = "not planted, and flagged" if moves else "not planted, not flagged"
    elif found.value == ("raises" if planted > 0 else "lowers"):
        words = "found"
    elif moves:
        words = "found the wrong way round"
    else:
        words = "missed" if _learned(key, battery, axis) else "planted and not learned, not flagged"
    return writer.claim(f"{words}|{battery.id}#{axis}.verdict = {found.value}")


def _learned(key: Record, battery: Record, axis: str) -> bool:
    """Whether training left the rule in the model: its own check moves by a tenth of the reward's spread."""
    trained, scale = key.fields.get(f"{axis}.trained"), battery.fields.get("scale")
    if not isinstance(trained, Quantity) or not isinstance(scale, Quantity):
        return True
    return abs(trained.value) >= 0.1 * scale.value


def rows(subject: Subject, writer: Writer) -> list[Row]:
    """Every instrument that read something, in a line; those that declined stand with what would measure them."""
    return [
        Row(wording.of(name).title, wording.of(name).what, writer.row(record.id), f"evidence/{record.id}/")
        for name, record in read(subject).items()
    ]


def read(subject: Subject) -> dict[str, Record]:
    """The records that are no decline as a whole, in order."""
    names = [name for name in instruments(subject) if _is(subject, name, "m")]
    return {name: subject.records[name] for name in names}


def left_out(subject: Subject) -> list[str]:
    """Titles of the instruments that do not apply to this kind of model."""
    return [wording.of(name).title for name in instruments(subject) if _is(subject, name, "x")]


def _is(subject: Subject, name: str, wanted: State) -> bool:
    record = subject.records.get(name)
    return record is not None and state(record) == wanted


def declines(subject: Subject, writer: Writer) -> list[Markup]:
    """What was declined, those that one reason and one remedy cover in one box."""
    groups: dict[tuple[str, str, str], list[tuple[Record, str, Declined]]] = {}
    for name in instruments(subject):
        record = subject.records.get(name)
        for field_name, found in record.fields.items() if record is not None else ():
            if record is not None and isinstance(found, Declined) and found.reason != "not_applicable":
                whole = found.detail if field_name == "declined" else name
                groups.setdefault((found.reason, found.remedy, whole), []).append((record, field_name, found))
    return [box(writer, group) for group in groups.values()]


def box(writer: Writer, group: list[tuple[Record, str, Declined]]) -> Markup:
    """One box: fields of one instrument by name, several instruments that declined as a whole by their titles."""
    record, name, found = group[0]
    titles = list(dict.fromkeys(wording.of(one.evidence.instrument).title for one, _, _ in group))
    if len(titles) == 1 or name != "declined":
        return blocks.decline_of(writer, group)
    words = wording.needs(found.reason, found.needs, record.evidence.subject.kind)
    return Markup(
        writer.site.env.get_template("decline_many.html").render(
            w=writer, record=record, field=found, title=words, names=titles
        )
    )


def members(site: Site, subject: Subject) -> list[Subject]:
    """The models of a panel that have pages of their own."""
    record = subject.records.get("agreement")
    if record is None or state(record) != "m":
        return []
    slugs = dict.fromkeys(slug for name in record.fields if name.endswith(".same") for slug in name.split(".")[:2])
    found = {one.slug: one for one in models(site)}
    return [found[slug] for slug in slugs if slug in found]


def first(subject: Subject) -> Record:
    """The record that stands for the model in a page's head: what it prefers, else the first that read anything."""
    chosen = subject.records.get("preference")
    if chosen is not None and state(chosen) == "m":
        return chosen
    return next(iter(read(subject).values()), next(iter(subject.records.values())))


def summaries(site: Site, writer: Writer) -> list[Summary]:
    """Every measured model for the index: planted ones first, then by name."""
    made = [_summary(one, writer) for one in models(site)]
    order = {"planted": 0, "a network": 1, "recorded scores": 2, "recorded side by side": 3, "published figures": 5}
    return sorted(made, key=lambda one: (order.get(one.kind, 4), one.subject.name.lower()))


def models(site: Site) -> list[Subject]:
    """Reward models with evidence of this site's own, by name."""
    found = [one for one in site.subjects.values() if one.kind == "models" and one.audited and one.records]
    return sorted(found, key=lambda one: one.name.lower())


def kind(subject: Subject) -> str:
    """What can be seen of a model, in a word or two."""
    if _is(subject, "planted", "m"):
        return "planted"
    if _is(subject, "agreement", "m"):
        return "recorded side by side"
    if not read(subject):
        return "published figures"
    return "a network" if _is(subject, "native-parity", "m") else "recorded scores"


def _summary(subject: Subject, writer: Writer) -> Summary:
    names = [name for name in instruments(subject) if name in subject.records]
    return Summary(
        subject,
        kind(subject),
        _short(subject, writer, "preference", ("accuracy",)) or _short(subject, writer, "agreement", ("all-right",)),
        _short(subject, writer, "bias-battery", ("flagged",))
        or _short(subject, writer, "length-preference", ("over-label",)),
        [(state(subject.records[name]), wording.of(name).title) for name in names],
    )


_SAID = {
    "accuracy": "{} as labelled",
    "all-right": "{} as labelled by all",
    "flagged": "{} properties",
    "over-label": "longer replies by {} of pairs over the labels",
}


def _short(subject: Subject, writer: Writer, instrument: str, names: tuple[str, ...]) -> Markup:
    record = subject.records.get(instrument)
    if record is None or state(record) != "m":
        return Markup("")
    for name in names:
        if name in record.fields:
            number = writer.field(record.id, name)
            if isinstance(record.fields[name], Declined):
                return number
            return Markup(_SAID[name]).format(number)
    return Markup("")
