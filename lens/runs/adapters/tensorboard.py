"""TensorBoard event files: scalars by tag and step, and the configuration that Hugging Face's callback puts in as text.

A record is its length (8 bytes, little-endian), a masked CRC-32C of that, the bytes, and a masked CRC-32C of those. An
event is a protocol buffer: field 2 the step, field 5 a summary of values with field 1 the tag, field 2 a plain float,
field 8 a tensor whose fields 5 (float), 6 (double) or 4 (bytes) hold one number, or 8 a text.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import trl
from lens.runs.formats.files import json_bytes
from lens.runs.formats.logged import Logged
from lens.runs.formats.protobuf import fields
from lens.runs.writer import Writer

NAMES = "events.out.tfevents.*"
ARGUMENTS = "args/text_summary"  # the trainer's, as JSON
LARGEST = 1 << 20  # bytes of a record that may hold scalars; images and graphs are passed over
FLOAT, DOUBLE, TEXT = 1, 2, 7


def recognise(source: Source) -> str:
    found = _events(source)
    return found[0].name if found else ""


def files(source: Source) -> list[Path]:
    """Raises UsageError where the folder holds the events of several runs."""
    found = _events(source)
    folders = sorted({one.parent for one in found})
    if len(folders) > 1:
        raise UsageError(
            f"{source.path} holds events in {len(folders)} folders: {', '.join(one.name for one in folders[:4])}",
            remedy=f"lens measure run {folders[0]}; of one run that was resumed, copy them into one folder",
        )
    return found


def read(source: Source, writer: Writer) -> None:
    """Scalars under the trainer's names; a torn last record ends its file.

    Raises UsageError, naming file and record, for one that fails its checksum.
    """
    writer.trainer = "TensorBoard"
    log = Logged()
    texts: dict[str, bytes] = {}
    for path in _events(source):
        for number, event in _records(path, writer):
            try:
                _event(event, log, texts)
            except (ValueError, OverflowError, AttributeError, TypeError):
                raise UsageError(f"{path}: record {number} is no event", remedy="is it TensorBoard's?") from None
    logged = json_bytes(texts[ARGUMENTS], f"{writer.base}: {ARGUMENTS}") if ARGUMENTS in texts else {}
    writer.config = trl.config(source) or (logged if isinstance(logged, dict) else {})
    trl.series_only(log, writer)
    log.write(writer)
    writer.lacks("rollouts", "event files hold numbers by step", "give the trainer's own output folder")


def _events(source: Source) -> list[Path]:
    return source.files(NAMES) or (source.files(f"**/{NAMES}") if source.path.is_dir() else [])


def _records(path: Path, writer: Writer) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as stream:
        number = 0
        while head := stream.read(12):
            number += 1
            (size,) = struct.unpack("<Q", head[:8]) if len(head) == 12 else (0,)
            if len(head) == 12 and _masked(head[:8]) != struct.unpack("<I", head[8:])[0]:
                raise UsageError(f"{path}: record {number} is damaged: its length fails its checksum")
            if size > LARGEST and _passed(stream, size + 4):
                continue
            body = stream.read(size + 4) if size <= LARGEST else b""
            if len(head) < 12 or len(body) < size + 4:
                writer.torn(path, number)
                return
            if _masked(body[:-4]) != struct.unpack("<I", body[-4:])[0]:
                raise UsageError(f"{path}: record {number} is damaged: it fails its checksum", remedy="copy it again")
            yield number, body[:-4]


def _passed(stream: BinaryIO, size: int) -> bool:
    """Go on behind so many bytes; false where the file ends before."""
    here = stream.tell()
    end = stream.seek(0, 2)
    stream.seek(min(here + size, end))
    return here + size <= end


def _event(data: bytes, log: Logged, texts: dict[str, bytes]) -> None:
    event = dict(fields(data))
    for number, value in fields(event.get(5, b"")):
        if number == 1:
            held = dict(fields(value))
            tag = held.get(1, b"").decode("utf-8", "replace")
            one = struct.unpack("<f", held[2])[0] if len(held.get(2, b"")) == 4 else _tensor(held.get(8, b""))
            if isinstance(one, float):
                log.add(event.get(2, 0), tag, one)
            elif one is not None:
                texts[tag] = one


def _tensor(data: bytes) -> float | bytes | None:
    """The one number or text of a tensor; None where it holds another count or kind."""
    held = dict(fields(data))
    kind, packed = held.get(1, FLOAT), held.get(4) or held.get(5) or held.get(6) or b""
    if kind == TEXT:
        text = held.get(8)
        return text if isinstance(text, bytes) else None
    size, code = {FLOAT: (4, "<f"), DOUBLE: (8, "<d")}.get(kind, (0, ""))
    return float(struct.unpack(code, packed)[0]) if size and len(packed) == size else None


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
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=70,
)
