"""Is the store what its manifest says? The quick check compares bytes, the full one compares meaning too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from lens.errors import StoreError
from measure.store import ids, tables
from measure.store.manifest import Line, line_of
from measure.store.record import Record, content_digest, decode, digest_of_bytes


class Finding(NamedTuple):
    """One thing wrong with one file of the store; `path` is relative to its root."""

    path: str
    id: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


class Kept(NamedTuple):
    """One record on disk, with the lines that name it: one, unless content superseded twice is kept once."""

    path: str
    tables: dict[str, str]
    lines: tuple[Line, ...]

    def files(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Every file and the digests its bytes may have."""
        yield self.path, frozenset(line.file for line in self.lines)
        for name, path in self.tables.items():
            yield path, frozenset(line.tables[name] for line in self.lines)


def kept(chains: dict[str, list[Line]]) -> Iterator[Kept]:
    """Every record the manifest says is on disk, live ones and superseded ones."""
    for id, (*past, live) in chains.items():
        yield Kept(ids.record_path(id), {name: ids.table_path(id, name) for name in live.tables}, (live,))
        for digest in dict.fromkeys(line.digest for line in past):
            lines = tuple(line for line in past if line.digest == digest)
            paths = {name: ids.retired_path(digest, name) for name in lines[0].tables}
            yield Kept(ids.retired_path(digest), paths, lines)


def read_bytes(path: str) -> bytes:
    """A file's bytes in as few calls as it takes."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data = os.read(descriptor, 1 << 16)
        if len(data) < 1 << 16:
            return data
        pieces = [data]
        while piece := os.read(descriptor, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def check_files(root: Path, chains: dict[str, list[Line]]) -> list[Finding]:
    """Files the manifest names that are missing, unreadable, or whose bytes have another digest."""
    found = []
    for record in kept(_doubtful(root, chains)):
        for path, digests in record.files():
            what = _wrong(f"{root}/{path}", digests)
            if what:
                found.append(Finding(path, record.lines[0].id, what))
    return found


def _doubtful(root: Path, chains: dict[str, list[Line]]) -> dict[str, list[Line]]:
    """All but the records written once, without tables, of up to 64 KiB, that are as written: nearly every record.

    One loop that calls nothing of ours, since it runs for every record there is before a claim is looked at.
    """
    doubtful = {}
    for id, chain in chains.items():
        line = chain[0]
        if len(chain) == 1 and not line.tables:
            try:
                descriptor = os.open(f"{root}/evidence/{id}.json", os.O_RDONLY)
                try:
                    if sha256(os.read(descriptor, 1 << 16)).hexdigest() == line.file:
                        continue
                finally:
                    os.close(descriptor)
            except OSError:
                pass
        doubtful[id] = chain
    return doubtful


def _wrong(path: str, digests: frozenset[str]) -> str:
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        return "is in the manifest but not on disk"
    except OSError as error:
        return f"can't be read: {error.strerror}"
    return "" if digest_of_bytes(data) in digests else "its bytes are not the ones the manifest records"


def verify(root: Path, chains: dict[str, list[Line]]) -> list[Finding]:
    """All of `check_files`; then content digests, the manifest held against every record, and files nobody names."""
    found = check_files(root, chains)
    broken = {finding.path for finding in found}
    named: set[str] = set()
    for record in kept(chains):
        paths = [path for path, _ in record.files()]
        named.update(paths)
        if not broken.intersection(paths):
            found += _meaning(root, record)
    found += [Finding(path, "", "is on disk but not in the manifest") for path in _on_disk(root) if path not in named]
    return found


def _meaning(root: Path, kept: Kept) -> Iterator[Finding]:
    """What a record whose bytes are in order says, against its own digest, its line and its tables."""
    data = read_bytes(f"{root}/{kept.path}")
    line = next(line for line in kept.lines if line.file == digest_of_bytes(data))
    try:
        record = decode(data, kept.path)
    except StoreError as error:
        yield Finding(kept.path, line.id, error.message)
        return
    evidence = record.evidence
    if content_digest(evidence) != record.digest:
        yield Finding(kept.path, line.id, "its content is not what its digest says")
    if line_of(evidence, record.digest, line.file, line.tables, line.follows) != line:
        yield Finding("manifest.jsonl", line.id, f"its line doesn't say what {kept.path} says")
    if set(evidence.tables) != set(line.tables):
        yield Finding("manifest.jsonl", line.id, f"its line names other tables than {kept.path}")
        return
    for name, path in kept.tables.items():
        yield from _table(root, path, record, name)


def _table(root: Path, path: str, record: Record, name: str) -> Iterator[Finding]:
    try:
        table = tables.decode(read_bytes(f"{root}/{path}"), path)
    except StoreError as error:
        yield Finding(path, record.id, error.message)
        return
    if tables.content(table, path) != record.evidence.tables[name]:
        yield Finding(path, record.id, "its rows are not what the record's digest of them says")


def _on_disk(root: Path) -> Iterator[str]:
    for top in ("evidence", "superseded"):
        for folder, _, names in os.walk(root / top):
            inside = os.path.relpath(folder, root)
            yield from (f"{inside}/{name}" for name in sorted(names) if not name.startswith("."))
