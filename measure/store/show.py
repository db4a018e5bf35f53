"""One record in full, for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from lens.reading import Declined, Field, Measured, Quantity, Reported, Schematic
from measure.store.record import Record
from measure.store.staleness import Fingerprint, Staleness
from measure.store.store import Store
from measure.store.text import shown
from measure.store.trust import Trust


def lines(store: Store, record: Record, field: str, fingerprint: Fingerprint) -> Iterator[str]:
    """The record, or one field of it, a line at a time."""
    yield f"{record.id}{'#' * bool(field)}{field}"
    if field:
        yield from (f"  {line}" for line in _field(record.fields[field]))
        yield ""
    else:
        width = max(len(name) for name in record.fields)
        yield from (f"  {name:<{width}}  {shown(one)}" for name, one in record.fields.items())
        yield ""
        yield from _about(record)
    trust, state = _judged(store, record, fingerprint)
    live = "live" if state is not None else "superseded"
    yield f"  record      sha256:{record.digest} ({live}), {record.made.time}"
    if trust is not None and state is not None:
        yield f"  trust       {trust.level}: {trust.why}"
        yield f"  now         {' '.join((state.state.replace('-', ' '), *(f'({why})' for why in state.why)))}"


def as_plain(store: Store, record: Record, field: str, fingerprint: Fingerprint) -> dict[str, Any]:
    """The record, or one field of it, as plain types."""
    trust, state = _judged(store, record, fingerprint)
    judged = {
        "live": state is not None,
        "trust": trust._asdict() if trust is not None else None,
        "staleness": state._asdict() if state is not None else None,
    }
    if field:
        return {"id": record.id, "digest": record.digest, "field": field, "reading": record.fields[field], **judged}
    return {"id": record.id, "digest": record.digest, "evidence": record.evidence, "made": record.made, **judged}


def _judged(store: Store, record: Record, fingerprint: Fingerprint) -> tuple[Trust | None, Staleness | None]:
    """Trust and staleness of a live record; a superseded one has neither."""
    if store.line(record.id).digest != record.digest:
        return None, None
    return store.trust(record.id), store.staleness(record.id, fingerprint)


def _field(field: Field) -> Iterator[str]:
    yield shown(field)
    plain = msgspec.to_builtins(field)
    for name, value in plain.items():
        if name not in ("is", "value", "of", "unit", "interval", "detail", "reason", "printed", "bound"):
            yield f"{name:<10}  {value}"
    if isinstance(field, Declined) and field.bound is not None:
        yield f"bound       {shown(field.bound)}"
    if isinstance(field, Quantity) and field.interval is not None:
        yield f"level       {field.interval.level}"


def _about(record: Record) -> Iterator[str]:
    evidence, made = record.evidence, record.made
    match evidence.reading:
        case Measured(scope=scope):
            yield f"  scope       {scope}"
        case Reported(citation=citation, locator=locator):
            yield f"  reported    {citation}, {locator}"
        case Declined(remedy=remedy):
            yield f"  remedy      {remedy}"
        case Schematic(statement=statement):
            yield f"  drawing     {statement}"
    yield f"  subject     {evidence.subject.name}, {evidence.subject.spec or evidence.subject.fingerprint}"
    yield f"  instrument  {evidence.instrument} version {evidence.version}"
    for name, value in (
        ("access", " ".join(evidence.access)),
        ("varied", ", ".join(f"{name}: {value}" for name, value in evidence.varied.items())),
        ("parameters", msgspec.json.encode(evidence.parameters).decode() if evidence.parameters else ""),
        ("seed", "" if evidence.seed is None else str(evidence.seed)),
        ("supersedes", evidence.supersedes),
        ("differs", evidence.differs),
        ("tables", ", ".join(evidence.tables)),
        ("parents", ", ".join(evidence.parents)),
        ("made by", made.command),
        ("cost", f"{made.calls} calls, {made.cpu_seconds} CPU s, {made.seconds} s"),
    ):
        if value:
            yield f"  {name:<10}  {value}"
    for one in evidence.inputs:
        rows = "" if one.rows is None else f", {one.rows} rows"
        yield f"  input       {one.role} {one.name}{rows}: sha256:{one.digest[:16]} {one.locator}"
