"""What a scorecard's page says besides its fields: the card drawn, and what the instrument misses, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from lens.reading import Field, Label, Quantity
from lens.stats.scorecard import POWER
from site_builder import links, wording

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.writer import Writer

INSTRUMENT = "scorecard"
_FAILED = {  # a criterion that doesn't hold, and the numbers that say so
    "false-positives": "It flags where nothing is planted: {false-positives|count}, {false-positives|pctinterval}. "
    "At most one in twenty may be.",
    "auc": "By the size of the reading, the largest dose is not told from none: AUC {top}, {top|pctinterval}.",
    "rises-with-dose": "What it reads does not rise with the dose.",
    "coverage": "{coverage|count} intervals hold what was planted, {coverage|pctinterval}. Nineteen in twenty should.",
    "decoys": "It flags the decoy too: {decoys|count}, {decoys|pctinterval}. At most one in twenty may be.",
}


def section(writer: Writer, record: Record) -> Markup:
    """The top of a scorecard's page; empty for a record that is none, or has no dose as a field."""
    if record.evidence.instrument != INSTRUMENT or not _starting(record, "dose"):
        return Markup("")
    template = writer.site.env.get_template("scorecard.html")
    return Markup(
        template.render(
            title=title(record),
            drawn=writer.figure("dose-curve", record.id),
            verdict=_verdict(writer, record),
            misses=_failed(writer, record) + _misses(writer, record),
            others=_others(writer, record),
        )
    )


def table(writer: Writer) -> Markup:
    """Every scorecard in a line: whether it passed, its false alarms, the smallest dose it found. A card's own page has
    the sheets of its numbers."""
    held = [id_ for id_ in writer.site.store.ids() if id_.partition("~")[0].endswith(f"/{INSTRUMENT}")]
    cards = sorted((writer.lookup.record(id_) for id_ in held), key=title)
    rows = Markup("").join(_row(writer, card) for card in cards)
    return Markup(
        "<details><summary>Every scorecard</summary>"
        '<div class="scroll" tabindex="0" role="group" aria-label="Scorecards"><table class="stack"><thead><tr>'
        '<th scope="col">examination</th><th scope="col">passed</th><th scope="col">false alarms</th>'
        '<th scope="col">smallest dose found</th></tr></thead><tbody>{}</tbody></table></div></details>\n'
    ).format(rows)


def _row(writer: Writer, card: Record) -> Markup:
    there = isinstance(card.fields["smallest-dose"], Quantity)
    smallest = (
        writer.plain(f"{card.id}#smallest-dose|unit") if there else writer.declined(card.id, "smallest-dose", "none")
    )
    return Markup(
        '<tr><th scope="row">{}</th><td data-label="passed">{}</td><td data-label="false alarms">{}</td>'
        '<td data-label="smallest dose">{}</td></tr>'
    ).format(
        writer.page_link(links.evidence(card.id), title(card)),
        writer.plain(f"{card.id}#passed"),
        writer.plain(f"{card.id}#false-positives"),
        smallest,
    )


def title(record: Record) -> str:
    """What its page is called, which no other card's is."""
    given = record.evidence.parameters
    name = wording.plain(record.evidence.subject.name)
    part = f", {wording.plain(given['part'])}" if "part" in given else ""
    return f"{name[:1].upper()}{name[1:]}{part}, examined on the family {given.get('family', '')}"


def _verdict(writer: Writer, record: Record) -> Markup:
    """Whether it passed, and what follows."""
    passed = writer.plain(f"{record.id}#passed")
    if "limit" in record.fields:
        blind = writer.plain(f"{record.id}#limit")
        return Markup("Passed: {}. It calibrates nothing, and shows what is not seen: {}.").format(passed, blind)
    match record.fields["passed"]:
        case Label(value="yes"):
            return Markup("Passed: {}. Every criterion of a calibration holds.").format(passed)
        case Label(value="provisional"):
            few = writer.said(f"{record.id}#passed@note")
            text = "Passed: {}. No criterion fails, and there was too little to pass on: {}. Readings stay exploratory."
            return Markup(text).format(passed, few)
    return Markup("Passed: {}. Readings of this version stay exploratory.").format(passed)


def _failed(writer: Writer, record: Record) -> list[Markup]:
    """Each criterion that does not hold, and of what there was too little besides."""
    said = []
    top = list(_starting(record, "auc"))[-1:]
    for name, template in _FAILED.items():
        if _word(record.fields.get(f"holds.{name}")) == "no":
            told = writer.sentence(record.id, template.replace("{top", f"{{auc.{top[0]}") if top else template)
            said += [told] if told else []
    passed = record.fields["passed"]
    if isinstance(passed, Label) and passed.note and passed.value == "no":
        said.append(Markup("Too few: {}.").format(writer.said(f"{record.id}#passed@note")))
    return said


def _misses(writer: Writer, record: Record) -> list[Markup]:
    """Doses that are flagged too seldom, what the card can't tell, and beyond which sizes it says nothing."""
    id_ = record.id
    doses = _starting(record, "dose")
    low = [tag for tag in doses if (power := record.fields.get(f"power.{tag}")) and _share(power) < POWER]
    said = []
    if low:
        each = Markup(", ").join(
            Markup("{} at {}").format(
                writer.plain(f"{id_}#power.{tag}|count"), writer.plain(f"{id_}#dose.{tag}" + "|unit" * (tag == low[-1]))
            )
            for tag in low
        )
        said.append(Markup("Found less than nine times in ten: {}.").format(each))
    if isinstance(record.fields.get("smallest-dose"), Quantity):
        smallest = writer.plain(f"{id_}#smallest-dose|unit")
        why = "a rule may be there and not be named" if low else "nothing was planted, and a rule may not be named"
        said.append(Markup("Smaller than {}, {}.").format(smallest, why))
    else:
        never = len(low) == len(doses)
        why = "no dose of the series is" if never else "the largest dose of the series is not"
        said.append(Markup("That it names nothing says little: {} found nine times in ten.").format(why))
    if "decoys" not in record.fields:
        said.append(Markup("No decoy was planted: whether it names a feature of another kind is not told here."))
    said += _coverage(writer, record)
    return said + _range(writer, record)


def _range(writer: Writer, record: Record) -> list[Markup]:
    """Beyond which sizes and doses the card says nothing."""
    of = _word(record.fields.get("range.of"))
    if not of:
        return []
    given = {name: writer.plain(f"{record.id}#range.{name}") for name in ("of", "low", "high")}
    read = ["* is any name"] * ("*" in of) + ["bars: whatever its sign"] * of.startswith("|")
    told = f" ({'; '.join(read)})" if read else ""
    ends = "reached {high}. A larger reading"
    if not of.startswith("|"):
        ends = "was read from {low} to {high}. A reading beyond either end"
    text = (
        f"In the series <code>{{of}}</code>{{told}} {ends}, or of a planted subject at a larger dose, is not "
        "calibrated by this card, and says so."
    )
    return [Markup(text).format(told=told, **given)]


def _coverage(writer: Writer, record: Record) -> list[Markup]:
    if "coverage" not in record.fields:
        why = "it claims none for what is marked, or what is planted has another unit"
        return [Markup("Whether its interval holds what it should is not judged: {}.").format(why)]
    if "holds.coverage" not in record.fields:
        held = writer.plain(f"{record.id}#coverage|count")
        return [
            Markup("Coverage is provisional: {} intervals hold what was planted, too few to judge by.").format(held)
        ]
    return []


def _others(writer: Writer, record: Record) -> list[tuple[Markup, str]]:
    """Cards of the same instrument on other families, with what they show it not to see."""
    found = writer.site.subjects[f"project/{record.evidence.subject.slug}"]
    cards = [one for some in found.variants.values() for name, one in some.items() if name == INSTRUMENT]
    return [
        (writer.page_link(links.evidence(one.id), one.evidence.variant), _word(one.fields.get("limit")))
        for one in sorted(cards, key=lambda one: one.id)
        if one.id != record.id
    ]


def _starting(record: Record, head: str) -> list[str]:
    """Doses by name, the smallest first."""
    tags = [name.removeprefix(f"{head}.") for name in record.fields if name.startswith(f"{head}.")]
    return sorted(tags, key=lambda tag: _size(record.fields.get(f"dose.{tag}")))


def _size(field: Field | None) -> float:
    return float(field.value) if isinstance(field, Quantity) else 0.0


def _share(field: Field) -> float:
    return field.value / field.of if isinstance(field, Quantity) and field.of else 0.0


def _word(field: Field | None) -> str:
    return field.value if isinstance(field, Label) else ""
