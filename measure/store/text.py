"""A field in words at full precision: for the manifest, listings and diffs. Pages round; this never does."""

from __future__ import annotations

from hashlib import sha256

from lens.reading import Declined, Field, Label, Quantity, Quote

_LONGEST = 80


def said(field: Field) -> str:
    """`5 of 374 mutants`, `0.0134 killed`, a label's words, a quote as printed; empty for a decline."""
    match field:
        case Quantity():
            of = "" if field.of is None else f" of {field.of}"
            return f"{field.value!r}{of} {field.unit}".rstrip()
        case Label():
            return _short(field.value)
        case Quote():
            return _short(f"{field.printed} {field.unit}".rstrip())
        case Declined():
            return ""


def shown(field: Field) -> str:
    """`said`, with the interval and, for a decline, its reason and detail."""
    match field:
        case Quantity(interval=interval) if interval is not None:
            return f"{said(field)} [{interval.low!r}, {interval.high!r}] {interval.method}"
        case Declined():
            return f"declined: {field.reason}: {field.detail}"
        case Label():
            return field.value
        case _:
            return said(field)


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[:40]}… sha256:{sha256(text.encode()).hexdigest()[:16]}"
