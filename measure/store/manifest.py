"""`manifest.jsonl`: one line for every record ever written, never changed, only added to.

A line names the line it follows for the same id by that line's SHA-256, so lines of different ids
commute: git's union merge of two branches is a valid manifest. Lines are sorted whenever the file is
written, and a link that leads nowhere is an error. Conflicts and staleness read this file alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from operator import attrgetter
from typing import NamedTuple

import msgspec

from lens.canonical import digest as content_digest
from lens.errors import StoreError
from lens.reading import Evidence, fields_of
from measure.store import ids
from measure.store.text import said


class LineInput(NamedTuple):
    """An input as the manifest keeps it: enough to look for it again and compare."""

    name: str
    digest: str
    locator: str


class Line(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One record written. `digest` is over what was measured, `file` and `tables` over bytes on disk.

    `subject` is the fingerprint; `fields` holds each field's value in words, empty where it declined;
    `varied` is the digest of what was varied, empty when nothing was.
    """

    id: str
    digest: str
    file: str
    follows: str = ""
    reading: str = "measured"
    version: int = 1
    subject: str = ""
    spec: str = ""
    varied: str = ""
    fields: dict[str, str] = {}
    inputs: tuple[LineInput, ...] = ()
    parents: tuple[str, ...] = ()
    supersedes: str = ""
    differs: str = ""
    tables: dict[str, str] = {}

    @property
    def parts(self) -> ids.Parts:
        return ids.parts(self.id)


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Line)


def line_of(evidence: Evidence, digest: str, file: str, tables: dict[str, str], follows: str) -> Line:
    """The line that says `evidence` was written. `tables` maps table name to file digest."""
    return Line(
        evidence.id,
        digest,
        file,
        follows,
        type(evidence.reading).__name__.lower(),
        evidence.version,
        evidence.subject.fingerprint,
        evidence.subject.spec,
        content_digest(evidence.varied) if evidence.varied else "",
        {name: said(field) for name, field in sorted(fields_of(evidence.reading).items())},
        tuple(LineInput(one.name, one.digest, one.locator) for one in evidence.inputs),
        evidence.parents,
        evidence.supersedes,
        evidence.differs,
        dict(sorted(tables.items())),
    )


def encode(line: Line) -> bytes:
    """The line's bytes, without the newline."""
    return _encode(line)


def link(line: Line) -> str:
    """What the next line for the same id names in `follows`."""
    return sha256(encode(line)).hexdigest()


def merged(text: bytes, lines: Iterable[bytes]) -> bytes:
    """The manifest's bytes with `lines` added: sorted, each once."""
    kept = {one for one in text.split(b"\n") if one}
    kept.update(lines)
    return b"".join(one + b"\n" for one in sorted(kept))


def parse(text: bytes) -> dict[str, list[Line]]:
    """Every id's lines, oldest first. Raises StoreError on a line that can't be read or a broken chain."""
    try:
        lines = _decoder.decode_lines(text)
    except (msgspec.DecodeError, ValueError) as error:
        raise _unreadable(text) from error
    by_id: dict[str, list[Line]] = {}
    for line in sorted(lines, key=attrgetter("id")):
        if line.id in by_id:
            by_id[line.id].append(line)
        else:
            by_id[line.id] = [line]
    for id, found in by_id.items():
        if len(found) > 1 or found[0].follows:
            by_id[id] = _chain(id, found)
    return by_id


def _chain(id: str, lines: list[Line]) -> list[Line]:
    """Lines of one id in the order their links give."""
    after: dict[str, tuple[str, Line]] = {}
    for line in lines:
        key = link(line)
        if after.setdefault(line.follows, (key, line))[0] != key:
            raise StoreError(
                f"manifest.jsonl: two lines for {id} follow the same one: it was measured on two branches",
                remedy=f"keep the line whose `file` is the SHA-256 of evidence/{id}.json, delete the other",
            )
    chain: list[Line] = []
    at = ""
    while at in after:
        at, line = after.pop(at)
        chain.append(line)
    if after:
        orphan = next(iter(after))
        raise StoreError(
            f"manifest.jsonl: a line for {id} follows line {orphan[:12]}, which is missing",
            remedy="git log -p -- data/manifest.jsonl shows where it went; restore the line",
        )
    return chain


def _unreadable(text: bytes) -> StoreError:
    for number, raw in enumerate(text.split(b"\n"), start=1):
        try:
            if raw:
                _decoder.decode(raw)
        except (msgspec.DecodeError, ValueError) as error:
            return StoreError(
                f"manifest.jsonl, line {number}: {error}",
                remedy="git checkout -- data/manifest.jsonl, or settle the merge that left it so",
            )
    return StoreError("manifest.jsonl can't be read")
