"""A record as it lies on disk: the content digest, the evidence it covers, and how it was made."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from lens.canonical import digest as canonical_digest
from lens.errors import StoreError
from lens.reading import Evidence, Field, fields_of


class Made(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When, where and at what cost a reading was made: outside the content digest, so that the same
    measurement twice is the same record. `time` is ISO 8601 in UTC; seconds are wall and CPU."""

    time: str
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    calls: int = 0
    command: str = ""
    machine: dict[str, Any] = {}
    revision: str = ""


class Record(NamedTuple):
    """One stored reading, its file digest already checked."""

    id: str
    digest: str
    evidence: Evidence
    made: Made

    @property
    def fields(self) -> dict[str, Field]:
        return fields_of(self.evidence.reading)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    digest: str
    evidence: Evidence
    made: Made


_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(_File).decode


def encode(digest: str, evidence: Evidence, made: Made) -> bytes:
    """The file's bytes: sorted keys, two spaces, one value a line, so that git shows what changed."""
    return msgspec.json.format(_encode(_File(digest, evidence, made)), indent=2) + b"\n"


def decode(data: bytes, path: str) -> Record:
    """Read a record's bytes. Raises StoreError naming `path` where they are not one."""
    try:
        file = _decode(data)
    except (msgspec.DecodeError, ValueError) as error:
        raise StoreError(f"{path} is not a whole record: {error}", remedy=f"git checkout -- {path}") from error
    return Record(file.evidence.id, file.digest, file.evidence, file.made)


def content_digest(evidence: Evidence) -> str:
    """The content digest: SHA-256, in hex, of the evidence's canonical JSON. Raises ValueError on NaN and the like."""
    return canonical_digest(evidence)


def digest_of_bytes(data: bytes) -> str:
    """The file digest: SHA-256, in hex."""
    return sha256(data).hexdigest()
