"""`Store`: open a folder of evidence, look records up, write more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lens.errors import StoreError, UsageError
from measure.store import check, conflicts, ids, manifest, transaction, writer
from measure.store import trust as trusting
from measure.store.lock import locked, refused
from measure.store.manifest import Line
from measure.store.record import Record, decode, digest_of_bytes
from measure.store.writer import Item

if TYPE_CHECKING:
    import pyarrow as pa

    from measure.store.staleness import Fingerprint, Staleness

T = TypeVar("T")


class Store:
    """The evidence under one folder. Records are read when asked for, and their bytes checked every time.

    A store opened before another process wrote goes on reading: whatever doesn't fit the manifest it knows
    makes it look at the manifest again before it calls anything damaged.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._chains: dict[str, list[Line]] = {}
        self._stamp: tuple[int, int, int] | None = None
        self._library: trusting.Library | None = None
        self._locator: object = None
        self._held = False

    @classmethod
    def open(cls, root: Path) -> Store:
        """Open the store at `root`, the folder that holds `evidence/` and `manifest.jsonl`.

        What a killed writer left is finished if its batch was promised whole, else thrown away. A folder without a
        manifest is an empty store. Raises StoreError on a manifest that can't be read or misses a link.
        """
        store = cls(Path(root))
        store._refresh()
        return store

    # Looking up

    def ids(self) -> list[str]:
        """Ids of all live records, sorted."""
        return list(self._chains)

    def has(self, id: str) -> bool:
        return id in self._chains

    def __len__(self) -> int:
        return len(self._chains)

    def manifest(self) -> list[Line]:
        """The live line of every id, sorted by id."""
        return [chain[-1] for chain in self._chains.values()]

    def line(self, id: str) -> Line:
        """The live line of one id. Raises UnknownIdError naming the nearest ids."""
        return self._chain(id)[-1]

    def history(self, id: str) -> list[Line]:
        """Every line written for an id, oldest first; the last is live."""
        return list(self._chain(id))

    def record(self, id: str) -> Record:
        """The live record. Raises UnknownIdError, or StoreError naming the file where its bytes are not as written."""
        return self._retried(lambda: self._load(ids.record_path(id), self.line(id).file))

    def superseded(self, digest: str) -> Record:
        """A record by its content digest or the start of one (8 characters or more), superseded or live."""
        found = {
            line.digest: (line, line is chain[-1])
            for chain in self._chains.values()
            for line in chain
            if line.digest.startswith(digest)
        }
        if len(digest) < 8 or len(found) != 1:
            what = "no record has" if not found else f"{len(found)} records have"
            raise ids.UnknownIdError(f"{what} a digest that starts with {digest!r}", remedy="lens evidence history ID")
        line, live = next(iter(found.values()))
        if live:
            return self.record(line.id)
        files = [one.file for one in self._chain(line.id) if one.digest == line.digest]
        return self._load(ids.retired_path(line.digest), *files)

    def table_path(self, id: str, name: str) -> Path:
        """Where a live record's table lies. Raises UsageError naming the tables there are."""
        line = self.line(id)
        if name not in line.tables:
            has = ", ".join(line.tables) or "no tables"
            raise UsageError(f"{id} has no table {name!r}: it has {has}")
        return self.root / ids.table_path(id, name)

    def table(self, id: str, name: str) -> pa.Table:
        """A live record's table, its bytes checked."""
        from measure.store import tables

        def load() -> pa.Table:
            path = self.table_path(id, name)
            return tables.decode(self._bytes(ids.table_path(id, name), self.line(id).tables[name]), str(path))

        return self._retried(load)

    def nearest(self, id: str) -> list[str]:
        """Ids most like one that doesn't exist, best first."""
        return ids.nearest(id, self._chains)

    # Judging

    def check_file_digests(self) -> list[check.Finding]:
        """Every record and table, live and superseded, whose bytes are not those the manifest records."""
        with self.reading():
            return check.check_files(self.root, self._chains)

    def verify(self) -> list[check.Finding]:
        """`check_file_digests`, and everything the digests and the manifest say held against the records themselves."""
        with self.reading():
            return check.verify(self.root, self._chains)

    def conflicts(self) -> list[conflicts.Conflict]:
        """Quantities with two live values that neither `supersedes` nor `differs` settles."""
        return conflicts.conflicts(self.manifest())

    def staleness(self, id: str, fingerprint: Fingerprint | None = None) -> Staleness:
        """Whether the instrument, the subject and the inputs of a live record are still what they were."""
        from measure.store.locate import Locator
        from measure.store.staleness import staleness

        if not isinstance(self._locator, Locator):
            self._locator = Locator(self.root, self._digest)
        return staleness(self.line(id), self._locator, fingerprint)

    def trust(self, id: str) -> trusting.Trust:
        """How far a live record is to be believed; see `measure.store.trust`."""
        if self._library is None:
            self._library = trusting.Library(self._chains, self.record)
        return trusting.trust(self.line(id), self._library)

    # Writing

    def write(self, items: Iterable[Item]) -> list[str]:
        """Write a batch, all of it or none, durably; returns the ids written.

        A reading whose content digest is the live one is left as it is. Another reading of the same id supersedes
        it. Raises UsageError on ids, fields or values that can't be stored, StoreError on what the disk refuses.
        """
        if self._held:
            raise RuntimeError("a store can't be written inside its own `reading()`")
        batch = list(items)
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            with locked(self.root, exclusive=True):
                self._settle()
                self._load_manifest()
                try:
                    return writer.write(self.root, self._chains, batch)
                finally:
                    self._load_manifest()
        except OSError as error:
            raise refused(error, self.root, "nothing was lost, what was there is untouched") from error

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the shared lock: no other process changes anything while the block runs."""
        if self._held or not self.root.is_dir():
            yield
            return
        self._refresh()
        with locked(self.root, exclusive=False):
            self._load_manifest()
            self._held = True
            try:
                yield
            finally:
                self._held = False

    # Underneath

    def _refresh(self) -> None:
        """Read the manifest under the shared lock, after settling what a killed writer left."""
        if not self.root.is_dir():
            return
        try:
            with locked(self.root, exclusive=False):
                if not transaction.unfinished(self.root):
                    self._load_manifest()
                    return
            with locked(self.root, exclusive=True):
                self._settle()
                self._load_manifest()
        except OSError as error:
            raise refused(error, self.root, "the manifest wasn't read") from error

    def _settle(self) -> None:
        if not transaction.unfinished(self.root):
            return
        try:
            transaction.recover(self.root)
        except OSError as error:
            if transaction.promised(self.root):
                raise refused(error, self.root, "a write that was promised whole can't be finished here") from error

    def _load_manifest(self) -> None:
        path = self.root / transaction.MANIFEST
        try:
            status = path.stat()
        except FileNotFoundError:
            if any((self.root / "evidence").glob("*/*/*.json")):
                raise StoreError(f"{path} is missing", remedy=f"git checkout -- {path}") from None
            self._chains, self._stamp, self._library = {}, None, None
            return
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp != self._stamp:
            self._chains, self._library = manifest.parse(path.read_bytes()), None
            self._stamp = stamp

    def _changed(self) -> bool:
        """Whether another process wrote, or is writing, since the manifest was read."""
        try:
            status = (self.root / transaction.MANIFEST).stat()
        except FileNotFoundError:
            return False
        return transaction.unfinished(self.root) or self._stamp != (status.st_mtime_ns, status.st_size, status.st_ino)

    def _retried(self, load: Callable[[], T]) -> T:
        """`load()`, once more with the manifest read again where it fails because another process wrote."""
        try:
            return load()
        except (StoreError, ids.UnknownIdError):
            if self._held or not self._changed():
                raise
        self._refresh()
        return load()

    def _chain(self, id: str) -> list[Line]:
        try:
            return self._chains[id]
        except KeyError:
            near = self.nearest(id)
            raise ids.UnknownIdError(
                f"no evidence {id}" + (f": nearest are {', '.join(near)}" if near else ""),
                remedy="lens evidence ls",
            ) from None

    def _digest(self, id: str) -> str | None:
        return self._chains[id][-1].digest if id in self._chains else None

    def _load(self, path: str, *digests: str) -> Record:
        return decode(self._bytes(path, *digests), path)

    def _bytes(self, path: str, *digests: str) -> bytes:
        try:
            data = check.read_bytes(f"{self.root}/{path}")
        except OSError as error:
            raise StoreError(f"{self.root}/{path}: {error.strerror}", remedy=f"git checkout -- {path}") from error
        if digest_of_bytes(data) not in digests:
            raise StoreError(
                f"{self.root}/{path}: its bytes are not the ones the manifest records",
                remedy="lens evidence verify; git checkout brings back what was committed",
            )
        return data
