"""Canonical JSON (RFC 8785) and the digests taken over it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="sorted").encode

# Where msgspec's sorted JSON and RFC 8785 can part: a float with an exponent or a whole value, an integer beyond
# the safe range, null (msgspec writes NaN so), and keys beyond the basic plane, which sort by UTF-16 there.
_MAY_DIFFER = re.compile(rb"(?:^|[:,\[])(?:null|-?[\d.]+[eE]|-?\d{16}|-?[\d.]*\.0(?:[,}\]]|$))|[\xf0-\xff]")


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of anything msgspec can turn into plain JSON types.

    Raises ValueError on NaN, an infinity, an integer beyond 2**53 or text that is not Unicode. The fast path is
    msgspec's; whatever could differ from the RFC goes through rfc8785, and a property test holds the two equal.
    """
    plain = _encode(value)
    if _MAY_DIFFER.search(plain) is None:
        return plain
    import rfc8785

    return rfc8785.dumps(msgspec.to_builtins(value, order="sorted"))


def digest(value: Any) -> str:
    """SHA-256, in hex, of the canonical JSON of `value`."""
    return hashlib.sha256(canonical(value)).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256, in hex, of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
