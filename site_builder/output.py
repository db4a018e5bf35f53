"""The output folder: only what changed is written, and nothing is in place before everything is ready.

Files are staged beside the folder. A first site is put in place whole; later ones file by file, each moved over the
one it replaces, and those the site no longer has are removed. An error before that leaves the old site as it was; a
kill in between leaves whole pages, and the next build finds that they are not those it remembers and puts every file
in place again.
"""

from __future__ import annotations

import os
import shutil
from hashlib import blake2b
from pathlib import Path

import msgspec

from lens.errors import UsageError


class Placed(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was put in place: what it was made from, and its size and time to know that it is still that."""

    key: str
    size: int
    time: int


class Output:
    """One build's files. `before` are those of the last build; paths are relative to the site's root."""

    def __init__(self, out: Path, before: dict[str, Placed]) -> None:
        self.out = out
        self.before = before
        self.placed: dict[str, Placed] = {}
        self._staging = out.parent / f".{out.name}.new"
        self._staged: list[str] = []
        self._folders: set[str] = set()
        shutil.rmtree(self._staging, ignore_errors=True)
        self._staging.mkdir(parents=True)

    def holds(self, path: str, key: str) -> bool:
        """Keep the file of the last build where it was made from the same; True where that is done."""
        old = self.before.get(path)
        if old is None or old.key != key or (old.size, old.time) != _stat(self.out / path):
            return False
        self.placed[path] = old
        return True

    def put(self, path: str, data: bytes, key: str = "") -> bool:
        """Write a file unless the last build wrote the same; True where it is new. `key` stands for its content.

        Two pages may bring the same file. Raises UsageError where they bring different ones of one name.
        """
        key = key or key_of(data)
        if path in self.placed:
            if self.placed[path].key != key:
                raise UsageError(f"two pages make {path} differently", remedy="draw it on both with the same options")
            return False
        if self.holds(path, key):
            return False
        file = os.open(self._stage(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # no buffer for one write
        try:
            os.write(file, data)
            status = os.fstat(file)
        finally:
            os.close(file)
        self.placed[path] = Placed(key, status.st_size, status.st_mtime_ns)
        return True

    def copy(self, path: str, source: Path, key: str) -> bool:
        """Copy a file whose content `key` stands for, unless the last build did."""
        if self.holds(path, key):
            return False
        staged = self._stage(path)
        shutil.copyfile(source, staged)
        self.placed[path] = Placed(key, *_stat(Path(staged)))
        return True

    def __contains__(self, path: object) -> bool:
        return path in self.placed

    def place(self) -> None:
        """Put everything in place and remove what the site no longer has."""
        if not self.out.exists():
            self._staging.rename(self.out)
            return
        made: set[Path] = set()
        for path in self._staged:
            target = self.out / path
            if target.parent not in made:
                target.parent.mkdir(parents=True, exist_ok=True)
                made.add(target.parent)
            (self._staging / path).replace(target)
        for gone in self._strangers():
            gone.unlink()
            for folder in gone.parents:
                if folder == self.out or any(folder.iterdir()):
                    break
                folder.rmdir()

    def discard(self) -> None:
        """Throw away what was staged and not put in place."""
        shutil.rmtree(self._staging, ignore_errors=True)

    def _strangers(self) -> list[Path]:
        """What the last build put there and this one did not; where nobody knows what it put, all other files."""
        if self.before:
            return [self.out / path for path in self.before.keys() - self.placed.keys() if (self.out / path).exists()]
        known = {self.out / path for path in self.placed}
        return [file for file in self.out.rglob("*") if file.is_file() and file not in known]

    def _stage(self, path: str) -> str:
        """Where to write a file, its folder made."""
        self._staged.append(path)
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            (self._staging / folder).mkdir(parents=True, exist_ok=True)
            self._folders.add(folder)
        return f"{self._staging}/{path}"


def key_of(data: bytes) -> str:
    """What stands for the content of a file."""
    return blake2b(data, digest_size=16).hexdigest()


def _stat(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (-1, -1)
    return (status.st_size, status.st_mtime_ns)
