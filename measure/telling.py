"""Readings told on a terminal, and remedies written for the subject at hand."""

from __future__ import annotations

from typing import Any

import msgspec

from lens.reading import Declined, Label, Measured, Quantity, Reading, fields_of


def said(reading: Reading) -> str:
    """A reading in a few words: its headline, or why it declined. Rounded for a terminal; the record is not."""
    if isinstance(reading, Declined):
        return f"declined, {reading.reason}: {reading.detail}"
    fields = fields_of(reading)
    headline = getattr(reading, "headline", next(iter(fields)))
    match fields[headline]:
        case Quantity(value=value, of=of, unit=unit, interval=interval):
            told = f"{value:.4g}" + (f" of {of}" if of is not None else "") + f" {unit}"
            told += f" [{interval.low:.3g}, {interval.high:.3g}]" if interval and interval.low < interval.high else ""
        case Declined(reason=reason, detail=detail):
            told = f"declined, {reason}: {detail}"
        case Label(value=value):
            told = value
        case other:
            told = other.printed
    return f"{headline}: {told}"


def named(reading: Reading, subject: str) -> Reading:
    """The reading with the subject's own name in its remedies, which instruments write as SUBJECT."""

    def mended(field: Any) -> Any:
        if isinstance(field, Declined) and "SUBJECT" in field.remedy:
            return msgspec.structs.replace(field, remedy=field.remedy.replace("SUBJECT", subject))
        return field

    if isinstance(reading, Measured):
        return Measured(
            {name: mended(field) for name, field in reading.fields.items()}, reading.headline, reading.scope
        )
    return mended(reading)  # type: ignore[no-any-return]
