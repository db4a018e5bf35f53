"""Protocol buffers as they lie in a file: numbers of fields and their bytes, without a schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LONGEST_VARINT = 10  # bytes of a whole number of 64 bits


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """(number, value) of each field in order: a whole number, or the bytes of anything else.

    Raises ValueError where the bytes are no protocol buffer.

    >>> list(fields(bytes.fromhex("089601" "12026869")))
    [(1, 150), (2, b'hi')]
    """
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        size, at = (8, at) if kind == 1 else (4, at) if kind == 5 else _varint(data, at)
        if kind not in (1, 2, 5) or at + size > len(data):
            raise ValueError("not a protocol buffer")
        yield tag >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place, byte in enumerate(data[at : at + LONGEST_VARINT]):
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value, at + place + 1
    raise ValueError("not a protocol buffer")
