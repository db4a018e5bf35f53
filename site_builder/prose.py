"""What a record says in words and small facts, each under a name: `id@scope`, `id@input.0.rows`, `id#field@detail`.

Pages quote these whole, inside `data-said`, so that the read-back can compare every character.

    of a record   scope citation locator statement differs supersedes command version seed digest fingerprint
                  spec licence time date calls seconds python revision parameter.NAME varied.NAME
                  input.N.name|role|rows|digest|locator|licence
    of a field    detail needs has remedy note unit reason method level bound
    of an instrument, `instrument:KIND/NAME@quantity`    quantity unit cost declines source version what use
    of the store, `subject:KIND/SLUG@read`               read read-log
                  `published:KIND@counts`                counts

`id@trust` is worked out from the whole store, by `Lookup.said`.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from lens.reading import Declined, Field, Measured, Quantity
from site_builder.derive import BadReference
from site_builder.number import render

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.lookup import Lookup

_READING = ("scope", "citation", "locator", "statement")
_EVIDENCE = ("differs", "supersedes", "version", "seed")
_SUBJECT = ("fingerprint", "spec", "licence")
_MADE = ("command", "time", "calls", "revision")
FIELD = ("detail", "needs", "has", "remedy", "note", "unit", "reason", "method", "level", "bound")
INSTRUMENT = ("quantity", "unit", "cost", "declines", "source", "version", "what", "use")
_INPUT = ("name", "role", "rows", "digest", "locator", "licence")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def of_record(record: Record, name: str) -> str:
    """The text under `name`; empty where the record leaves it open. Raises BadReference for an unknown name."""
    evidence = record.evidence
    head, _, rest = name.partition(".")
    if name in _READING:
        return _text(getattr(evidence.reading, name, ""))
    if name in _EVIDENCE:
        return _text(getattr(evidence, name))
    if name in _SUBJECT:
        return _text(getattr(evidence.subject, name))
    if name in _MADE:
        return _text(getattr(record.made, name))
    if name == "digest":
        return record.digest
    if name == "date":
        return day(record.made.time)
    if name == "python":
        return _text(record.made.machine.get("python", ""))
    if name == "seconds":
        return render(Quantity(record.made.seconds, unit="s", kind="duration"), html=True)
    if head == "input":
        index, _, part = rest.partition(".")
        if index.isdigit() and int(index) < len(evidence.inputs) and part in _INPUT:
            return _text(getattr(evidence.inputs[int(index)], part))
    if head == "parameter" and rest in evidence.parameters:
        return _text(evidence.parameters[rest])
    if head == "varied" and rest in evidence.varied:
        return _text(evidence.varied[rest])
    raise BadReference(f"{record.id}@{name} is not something a record says")


def of_field(field: Field, name: str) -> str:
    """The text under `name` of one field; empty where it has none. Raises BadReference for an unknown name."""
    if name not in FIELD:
        raise BadReference(f"@{name} is not something a field says", remedy=", ".join(FIELD))
    if name == "bound":
        return bound(field) if isinstance(field, Declined) else ""
    if name in ("method", "level"):
        interval = field.interval if isinstance(field, Quantity) else None
        if interval is None:
            return ""
        if name == "method":
            return interval.method
        return render(Quantity(interval.level, unit="", kind="proportion"), "pct", html=True)
    return _text(getattr(field, name, ""))


def of_instrument(body: str, name: str) -> str:
    """What the registry, or the wording, says of one instrument. Raises BadReference for an unknown one or name."""
    from lens.instrument import find
    from site_builder import wording

    kind, _, instrument = body.partition("/")
    try:
        found = find(kind, instrument)
    except KeyError:
        found = None
    if found is None or name not in INSTRUMENT:
        raise BadReference(f"instrument:{body}@{name} is not something the registry says")
    return _text(getattr(wording.of(instrument), name) if name in ("what", "use") else getattr(found, name))


def of_store(lookup: Lookup, body: str, name: str) -> str:
    """What the store as a whole says: counts of its records. Raises BadReference for an unknown body or name."""
    head, _, rest = body.partition(":")
    if head == "published" and name == "counts":
        from site_builder.printed import counts

        return counts(lookup, rest)
    if head == "subject" and name in ("read", "read-log"):
        return _read(lookup, rest, name.removeprefix("read").removeprefix("-"))
    raise BadReference(f"{body}@{name} is not something the store says")


def _read(lookup: Lookup, subject: str, variant: str) -> str:
    """How many of the instruments that apply to a subject read it at one access."""
    found = [lookup.record(id_).evidence for id_ in lookup.store.ids() if id_.startswith(f"{subject}/")]
    readings = [one.reading for one in found if one.variant == variant and one.instrument != "reported"]
    apply = [one for one in readings if not (isinstance(one, Declined) and one.reason == "not_applicable")]
    read = sum(isinstance(one, Measured) for one in apply)
    return render(Quantity(read, unit="", kind="count", of=len(apply)), html=True)


def bound(field: Declined) -> str:
    """A decline's bound in words, or nothing."""
    return "" if field.bound is None else render(field.bound, "unit", html=True)


def day(time: str) -> str:
    """`29 November 2026` from an ISO 8601 time."""
    if not time:
        return ""
    when = datetime.fromisoformat(time)
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        kind = "size" if isinstance(value, int) else "score"
        return render(Quantity(value, unit="", kind=kind), html=True)  # type: ignore[arg-type]
    if isinstance(value, list | tuple):
        return ", ".join(_text(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(one)}" for key, one in sorted(value.items()))
    return str(value)
