"""Canonical JSON (RFC 8785) and the digests taken over it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="sorted").encode

_LONG_OR_EXPONENT = re.compile(rb"[:,\[]-?\d(?:\d{15}|[\d.]*[eE])")
_WHOLE_FLOAT = (b".0,", b".0}", b".0]")
_WHOLE = re.compile(rb"\.0(?=[,}\]])")
_STRING_OR_WHOLE = re.compile(rb'("(?:[^"\\]|\\.)*")|\.0(?=[,}\]])')


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of anything msgspec can turn into plain JSON types.

    Raises ValueError on NaN, an infinity, an integer beyond 2**53 or text that is not Unicode. The fast path is
    msgspec's; whatever could differ from the RFC goes through rfc8785, and a property test holds the two equal.
    """
    plain = _encode(value)
    if _may_differ(plain):
        import rfc8785

        return rfc8785.dumps(msgspec.to_builtins(value, order="sorted"))
    if any(ending in plain for ending in _WHOLE_FLOAT):
        return _without_point_zero(plain)
    return plain


def _without_point_zero(plain: bytes) -> bytes:
    """Whole floats lose their `.0`; what stands in quotes stays as it is."""
    if b"\\" in plain:
        return _STRING_OR_WHOLE.sub(rb"\1", plain)
    pieces = plain.split(b'"')  # every second one is text
    pieces[::2] = [_WHOLE.sub(b"", piece) for piece in pieces[::2]]
    return b'"'.join(pieces)


def _may_differ(plain: bytes) -> bool:
    """Where msgspec's sorted JSON and RFC 8785 can part, but for the `.0` of whole floats: exponents, negative zero,
    integers beyond the safe range, null (msgspec writes NaN so), keys beyond the basic plane (sorted by UTF-16),
    bare scalars."""
    return (
        plain[:1] not in (b"{", b"[")
        or b"null" in plain
        or b"-0.0" in plain
        or _LONG_OR_EXPONENT.search(plain) is not None
        or (not plain.isascii() and max(plain) >= 0xF0)
    )


def digest(value: Any) -> str:
    """SHA-256, in hex, of the canonical JSON of `value`."""
    return hashlib.sha256(canonical(value)).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256, in hex, of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
