"""TensorBoard event files: scalars by tag and step. Framing and the three fields needed are read here.

A record is its length (8 bytes, little-endian), a masked CRC-32C of that, the bytes, and a masked CRC-32C of those. An
event is a protocol buffer: field 2 the step, field 5 a summary of values with field 1 the tag, field 2 a plain float,
field 8 a tensor whose fields 5 (float), 6 (double) or 4 (bytes) hold one number.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.writer import Writer

NAMES = "events.out.tfevents.*"
LARGEST = 256 << 20  # bytes of one record


def recognise(source: Source) -> str:
    found = _events(source)
    return found[0].name if found else ""


def files(source: Source) -> list[Path]:
    return _events(source)


def read(source: Source, writer: Writer) -> None:
    """Scalars without the `train/` that Hugging Face's callback puts before them; a torn last record ends its file."""
    writer.trainer = "TensorBoard"
    for path in _events(source):
        for event in _records(path, writer):
            step, values = _event(event, path)
            writer.series(step, {tag.removeprefix("train/"): value for tag, value in values})
    writer.lacks("rollouts", "event files hold numbers by step", "give the trainer's own output folder")


def _events(source: Source) -> list[Path]:
    return source.files(NAMES) or (source.files(f"**/{NAMES}") if source.path.is_dir() else [])


def _records(path: Path, writer: Writer) -> Iterator[bytes]:
    with path.open("rb") as stream:
        number = 0
        while head := stream.read(12):
            number += 1
            (size,) = struct.unpack("<Q", head[:8]) if len(head) == 12 else (0,)
            if len(head) == 12 and (size > LARGEST or _masked(head[:8]) != struct.unpack("<I", head[8:])[0]):
                raise UsageError(f"{path}: record {number} is damaged: its length fails its checksum")
            body = stream.read(size + 4)
            if len(head) < 12 or len(body) < size + 4:
                writer.torn(path, number)
                return
            if _masked(body[:-4]) != struct.unpack("<I", body[-4:])[0]:
                raise UsageError(f"{path}: record {number} is damaged: it fails its checksum", remedy="copy it again")
            yield body[:-4]


def _event(data: bytes, path: Path) -> tuple[int, list[tuple[str, float]]]:
    step, values = 0, []
    for field, value in _fields(data, path):
        if field == 2:
            step = int(value)
        elif field == 5:
            for _, one in (pair for pair in _fields(value, path) if pair[0] == 1):
                tag, number = "", None
                for part, held in _fields(one, path):
                    if part == 1:
                        tag = held.decode("utf-8", "replace")
                    elif part == 2 and isinstance(held, bytes) and len(held) == 4:
                        number = struct.unpack("<f", held)[0]
                    elif part == 8:
                        number = _tensor(held, path)
                if number is not None:
                    values.append((tag, float(number)))
    return step, values


def _tensor(data: bytes, path: Path) -> float | None:
    """The one number of a tensor; None where it holds another count or kind."""
    kind, held = 1, b""
    for field, value in _fields(data, path):
        if field == 1:
            kind = int(value)
        elif field in (4, 5, 6):
            held = value if isinstance(value, bytes) else b""
    size, code = {1: (4, "<f"), 2: (8, "<d")}.get(kind, (0, ""))
    return struct.unpack(code, held)[0] if size and len(held) == size else None


def _fields(data: bytes, path: Path) -> Iterator[tuple[int, Any]]:
    """(number, value) of a protocol buffer's fields: whole numbers, or the bytes of anything else."""
    at = 0
    try:
        while at < len(data):
            tag, at = _varint(data, at)
            kind = tag & 7
            if kind == 0:
                value: Any
                value, at = _varint(data, at)
            else:
                size, at = (8, at) if kind == 1 else (4, at) if kind == 5 else _varint(data, at)
                if kind not in (1, 2, 5) or at + size > len(data):
                    raise IndexError
                value, at = data[at : at + size], at + size
            yield tag >> 3, value
    except IndexError:
        raise UsageError(f"{path}: an event is no protocol buffer", remedy="is it TensorBoard's?") from None


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


@cache
def _table() -> tuple[int, ...]:
    """CRC-32C (Castagnoli), reflected."""
    made = []
    for number in range(256):
        for _ in range(8):
            number = (number >> 1) ^ (0x82F63B78 if number & 1 else 0)
        made.append(number)
    return tuple(made)


def _masked(data: bytes) -> int:
    crc, table = 0xFFFFFFFF, _table()
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


ADAPTER = Adapter(
    name="tensorboard",
    title="TensorBoard",
    layout="events.out.tfevents.*",
    versions="TensorBoard 2",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=70,
)
