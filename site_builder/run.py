"""What a run page says, drawn from whatever instruments have evidence: no list of instruments lives here."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from markupsafe import Markup

from lens.reading import Declined, Quantity
from site_builder import blocks, model, wording
from site_builder.card import Sentence, State, instruments, state

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site, Subject
    from site_builder.writer import Writer

_SENTENCES = 5  # that open a page; the others are not made, since a page quotes only what it prints
FINDINGS = 8  # told on the run's own page; the record has all
LINES = 8  # readings that stand on the run's own page; more have a page of theirs


@dataclass
class Summary:
    """A run in the index: what wrote it, what its record holds, whether it replays, what warned."""

    subject: Subject
    trainer: Markup
    holds: Markup
    replays: Markup
    warned: Markup
    marks: list[tuple[State, str]] = field(default_factory=list)


def runs(site: Site) -> list[Subject]:
    """Runs with evidence of this site's own, by name."""
    found = [one for one in site.subjects.values() if one.kind == "runs" and one.audited and one.records]
    return sorted(found, key=lambda one: one.name.lower())


def measured(subject: Subject, name: str) -> bool:
    return name in subject.records and state(subject.records[name]) == "m"


def sentences(subject: Subject, writer: Writer) -> list[Markup]:
    """What was found, in the order of the page, each sentence made only where its evidence is there."""
    candidates: tuple[Sentence, ...] = (_holds, _replays, _turned, _cancels, _warned, _moved)
    return list(islice(filter(None, (make(subject, writer) for make in candidates)), _SENTENCES))


def _ref(subject: Subject, instrument: str, name: str) -> str:
    """Where a measured field stands; "" where it wasn't measured."""
    record = subject.records.get(instrument)
    found = record.fields.get(name) if record is not None else None
    return f"{record.id}#{name}" if record is not None and isinstance(found, Quantity) else ""


def _value(subject: Subject, instrument: str, name: str) -> float:
    found = subject.records[instrument].fields[name]
    assert isinstance(found, Quantity)
    return float(found.value)


def _holds(subject: Subject, writer: Writer) -> Markup | None:
    rollouts = _ref(subject, "coverage", "rollouts")
    if not rollouts:
        return None
    if not _value(subject, "coverage", "rollouts"):
        return Markup("Its record holds {}.").format(writer.claim(f"series by step and no rollouts|{rollouts} = 0"))
    return Markup("Its record holds {} rollouts of {} steps.").format(
        writer.n(rollouts), writer.n(_ref(subject, "coverage", "steps"))
    )


def _replays(subject: Subject, writer: Writer) -> Markup | None:
    accepted = _ref(subject, "replay", "accepted")
    if not accepted:
        return None
    if not _value(subject, "replay", "accepted"):
        return Markup("{} turns its scores into its advantages, so what rests on them is declined.").format(
            writer.claim(f"No rule known here|{accepted} = 0")
        )
    return Markup("{} turns its scores into its advantages, to within {}.").format(
        writer.claim(f"A known rule|{accepted} > 0"), writer.n(_ref(subject, "replay", "residual") + "|sci1")
    )


def _turned(subject: Subject, writer: Writer) -> Markup | None:
    flips = _ref(subject, "counterfactual", "swap-gold.flips")
    if not flips:
        return None
    return Markup("A grader it was not trained on would have pushed {} of them the other way.").format(
        writer.n(f"{flips}|pct")
    )


def _cancels(subject: Subject, writer: Writer) -> Markup | None:
    share = _ref(subject, "update-partition", "cancellation.median")
    chance = _ref(subject, "update-partition", "orthogonal.median")
    if not share or not chance:
        return None
    return Markup(
        "In the median step {} of what its rollouts asked for cancels; unrelated gradients would cancel {}."
    ).format(writer.n(share), writer.n(chance))


def _moved(subject: Subject, writer: Writer) -> Markup | None:
    kl = _ref(subject, "policy-response", "kl.last")
    if kl:
        return Markup("At its end the policy stands {} nats a response from where it began.").format(writer.n(kl))
    over = _ref(subject, "policy-response", "floor-over-predicted")
    if not over or _value(subject, "policy-response", "floor-over-predicted") <= 1:
        return None
    return Markup("The smallest change that would show is {} times what an update foretells, so {}.").format(
        writer.n(f"{over}|s2"), writer.claim(f"no closure is claimed|{over} > 1")
    )


def _warned(subject: Subject, writer: Writer) -> Markup | None:
    before = [_ref(subject, "alarms", name) for name in ("warned", "warned.expected")]
    if all(before):
        return Markup("Before the change {} detectors on its series fire; without a change {} would.").format(
            writer.n(before[0]), writer.n(f"{before[1]}|d1")
        )
    fired = [_ref(subject, "alarms", name) for name in ("fired", "expected")]
    if not all(fired):
        return None
    return Markup("Of detectors on its series {} fire; without any change {} would.").format(
        writer.n(fired[0]), writer.n(f"{fired[1]}|d1")
    )


def lines(subject: Subject, writer: Writer, *names: str) -> list[tuple[str, Markup]]:
    """(title, line) of those of the named instruments that read something."""
    return [(wording.of(name).title, writer.row(subject.records[name].id)) for name in names if measured(subject, name)]


def findings(subject: Subject, writer: Writer) -> list[Markup]:
    """What reading the files brought to light, in the record's words."""
    record = subject.records.get("coverage")
    if record is None or "findings" not in record.evidence.tables:
        return []
    told = writer.lookup.table(record.id, "findings")["detail"]
    first = [at for at, detail in enumerate(told) if detail not in told[:at]]  # shards may bring the same to light
    return [writer.plain(f"{record.id}#findings/{at}/detail") for at in first[:FINDINGS]]


def boxes(subject: Subject, writer: Writer, *names: str) -> list[Markup]:
    """The declines, in place, of those of the named instruments that declined as a whole."""
    return [
        blocks.decline_of(writer, [(subject.records[name], "declined", found)])
        for name in names
        if isinstance(found := _declined(subject, name), Declined)
    ]


def _declined(subject: Subject, name: str) -> object:
    record = subject.records.get(name)
    return record.fields.get("declined") if record is not None and state(record) == "d" else None


_DRAWN = "term."


def declines(subject: Subject, writer: Writer, shown: tuple[str, ...]) -> list[Markup]:
    """What else was declined, each reason told once. Left out: instruments `shown` where they would have stood, where
    they declined as a whole, and terms of an update's effect, which their figure draws hatched and the record
    has with remedies."""
    groups: dict[tuple[str, str], list[tuple[Record, str, Declined]]] = {}
    for name in instruments(subject):
        record = subject.records.get(name)
        for field_name, found in record.fields.items() if record is not None else ():
            if record is None or not isinstance(found, Declined) or found.reason == "not_applicable":
                continue
            if (field_name == "declined" and name in shown) or field_name.startswith(_DRAWN):
                continue
            whole = f"{found.reason} {found.detail}" if field_name == "declined" else name
            groups.setdefault((found.remedy, whole), []).append((record, field_name, found))
    return [_box(writer, group) for group in groups.values()]


def _box(writer: Writer, group: list[tuple[Record, str, Declined]]) -> Markup:
    if group[0][1] == "declined":
        return model.box(writer, group)
    unlike = {found.detail: (record, name, found) for record, name, found in reversed(group)}
    record, name, _ = group[0]
    heading = wording.title(record.evidence.instrument, name)
    if len(group) > 1:
        heading = f"{heading}, and {'others' if len(group) > 2 else 'another'} like it"
    return blocks.decline_of(writer, list(reversed(unlike.values())), heading)


def first(subject: Subject) -> Record:
    """The record that stands for the run in a page's head."""
    chosen = subject.records.get("coverage")
    return chosen if chosen is not None else next(iter(subject.records.values()))


def summaries(site: Site, writer: Writer) -> list[Summary]:
    """Every run for the index, by name."""
    return [_summary(one, writer) for one in runs(site)]


def _summary(subject: Subject, writer: Writer) -> Summary:
    names = [name for name in instruments(subject) if name in subject.records]
    trainer = f"{subject.records['coverage'].id}#trainer" if measured(subject, "coverage") else ""
    return Summary(
        subject,
        writer.n(trainer) if trainer else Markup(""),
        _short(subject, writer, "coverage", "rollouts", "{} rollouts"),
        _short(subject, writer, "replay", "accepted", "{} rules fit"),
        _alarms(subject, writer),
        [(state(subject.records[name]), wording.of(name).title) for name in names],
    )


def _alarms(subject: Subject, writer: Writer) -> Markup:
    """How many fire, never without how many would where nothing changed."""
    expected = _ref(subject, "alarms", "expected")
    found = _short(subject, writer, "alarms", "fired", "{} fire")
    return Markup("{}, {} by chance").format(found, writer.n(f"{expected}|d1")) if expected else found


def _short(subject: Subject, writer: Writer, instrument: str, name: str, words: str) -> Markup:
    record = subject.records.get(instrument)
    if record is None:
        return Markup("")
    if state(record) != "m":
        return writer.declined(record.id)
    return Markup(words).format(writer.field(record.id, name)) if name in record.fields else Markup("")
