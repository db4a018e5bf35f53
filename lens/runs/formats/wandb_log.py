"""What wandb itself keeps of a run: `run-<id>.wandb`, of offline runs and of those it synced.

After 7 bytes of header come blocks of 32 KiB, in them pieces of records: a CRC-32 of kind and bytes, a length, a kind
(1 whole, 2 first, 3 middle, 4 last), the bytes. A record is a protocol buffer: field 2 history, 5 a configuration, 17
the run with its own in field 4. Their items have a key (field 1, or parts of one in field 2) and a value as JSON (16).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from lens.errors import UsageError
from lens.runs.formats.files import json_bytes
from lens.runs.formats.protobuf import fields
from lens.runs.writer import Writer

HEADER = b":W&B\xe1\xbe\x00"
BLOCK = 32_768
HISTORY, CONFIG, RUN = 2, 5, 17
WHOLE, FIRST, MIDDLE, LAST = 1, 2, 3, 4


def rows(path: Path, writer: Writer) -> Iterator[tuple[str, dict[str, Any]]]:
    """("history", its numbers by name) and ("config", what it sets), as they were written.

    Raises UsageError naming the file, and the byte, for a piece that fails its checksum; a file cut short ends there.
    """
    for at, record in _records(path, writer):
        try:
            yield from _told(record, f"{path}: byte {at}")
        except (ValueError, TypeError, AttributeError):
            raise UsageError(
                f"{path}: the record at byte {at} is none of wandb's", remedy="copy the file again"
            ) from None


def _told(record: bytes, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, value in fields(record):
        if number == HISTORY:
            yield "history", dict(_items(value, where))
        elif number in (CONFIG, RUN):
            held = [value] if number == CONFIG else [one for field, one in fields(value) if field == 4]
            for one in held:
                yield "config", dict(_items(one, where))


def _items(data: bytes, where: str) -> Iterator[tuple[str, Any]]:
    for number, item in fields(data):
        if number == 1:
            parts = [(field, value) for field, value in fields(item)]
            key = ".".join(value.decode("utf-8", "replace") for field, value in parts if field in (1, 2))
            value = next((value for field, value in parts if field == 16), b"null")
            yield key, json_bytes(value, f"{where}: {key}")


def _records(path: Path, writer: Writer) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as stream:
        if stream.read(len(HEADER)) != HEADER:
            raise UsageError(f"{path} is no wandb log of a version that is read here", remedy="wandb sync it")
        held, began = bytearray(), 0
        for at, kind, piece in _pieces(stream, path, writer):
            if kind in (WHOLE, FIRST):
                held, began = bytearray(piece), at
            elif kind in (MIDDLE, LAST) and held:
                held += piece
            else:
                raise UsageError(f"{path}: a record is broken at byte {at}", remedy="copy the file again")
            if kind in (WHOLE, LAST):
                yield began, bytes(held)
                held = bytearray()
        if held:
            writer.torn(path, began)


def _pieces(stream: BinaryIO, path: Path, writer: Writer) -> Iterator[tuple[int, int, bytes]]:
    while True:
        at = stream.tell()
        if (left := BLOCK - at % BLOCK) < 7:
            stream.read(left)
            continue
        head = stream.read(7)
        if not head.strip(b"\0"):
            return
        crc, size, kind = struct.unpack("<IHB", head) if len(head) == 7 else (0, 0, 0)
        piece = stream.read(size)
        if len(head) < 7 or len(piece) < size:
            writer.torn(path, at)
            return
        if zlib.crc32(bytes([kind]) + piece) != crc:
            raise UsageError(f"{path}: the piece at byte {at} fails its checksum", remedy="copy the file again")
        yield at, kind, piece
