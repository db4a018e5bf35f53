"""Atomic batches: stage every file, sync once, promise the batch in `.pending`, rename, extend the manifest.

Before `.pending` is whole, nothing that can be read has changed, and opening the store throws the batch away. From then
on everything the batch needs is on disk, and opening the store finishes it. Callers hold the exclusive lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from lens.errors import StoreError
from measure.store import manifest

STAGING = ".staging"
PENDING = ".pending"
MANIFEST = "manifest.jsonl"


class Move(msgspec.Struct, frozen=True, array_like=True):
    """`staged` becomes `target`; what lay at `target` goes to `retired` first. All relative to the root.

    An empty `staged` only retires; an empty `retired` says that nothing lay at `target`.
    """

    staged: str
    target: str
    retired: str


class _Pending(msgspec.Struct, frozen=True):
    moves: tuple[Move, ...]
    lines: tuple[str, ...]


class Batch:
    """Files on their way into the store. `stage` them, then `commit`, or `abandon`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._moves: list[Move] = []
        self._lines: list[bytes] = []
        (root / STAGING).mkdir(parents=True)

    def stage(self, data: bytes, target: str, retired: str = "") -> None:
        """Write `data` under a temporary name; it becomes `target` when the batch is committed."""
        staged = f"{STAGING}/{len(self._moves)}"
        _write(f"{self._root}/{staged}", data)
        self._moves.append(Move(staged, target, retired))

    def retire(self, target: str, retired: str) -> None:
        """Move a file that has no successor out of the way when the batch is committed."""
        self._moves.append(Move("", target, retired))

    def line(self, line: bytes) -> None:
        """Add a line to the manifest when the batch is committed."""
        self._lines.append(line)

    def commit(self) -> None:
        """Make the batch part of the store. An error before `.pending` is whole leaves the store as it was."""
        pending = _Pending(tuple(self._moves), tuple(line.decode() for line in self._lines))
        _write(f"{self._root}/{STAGING}/{MANIFEST}", manifest.merged(_read(self._root / MANIFEST), self._lines))
        for folder in sorted({path.rpartition("/")[0] for move in self._moves for path in (move.target, move.retired)}):
            (self._root / folder).mkdir(parents=True, exist_ok=True)
        _sync_file_system(self._root)
        body = msgspec.json.encode(pending)
        _write(f"{self._root}/{PENDING}", body + b"\n" + sha256(body).hexdigest().encode() + b"\n", sync=True)
        _sync_folder(self._root)
        _apply(self._root, pending)

    def abandon(self) -> None:
        """Throw the staged files away."""
        if _whole(self._root) is None:
            _discard(self._root)


def unfinished(root: Path) -> bool:
    """Whether a writer that holds no lock any more left something behind."""
    return os.path.lexists(root / PENDING) or os.path.lexists(root / STAGING)


def recover(root: Path) -> None:
    """Finish a batch whose `.pending` is whole, throw any other away."""
    pending = _whole(root)
    if pending is None:
        _discard(root)
    else:
        _apply(root, pending)


def promised(root: Path) -> bool:
    """Whether an unfinished batch got as far as a whole `.pending`: it must then be finished before reading."""
    return _whole(root) is not None


def _whole(root: Path) -> _Pending | None:
    body, _, tail = _read(root / PENDING).partition(b"\n")
    if not tail or sha256(body).hexdigest().encode() != tail.strip():
        return None
    return msgspec.json.decode(body, type=_Pending)


def _apply(root: Path, pending: _Pending) -> None:
    """Rename everything into place and extend the manifest; safe to repeat from any point."""
    for move in pending.moves:
        _retire(root, move)
        if move.staged:
            _place(root, move)
    _extend(root, [line.encode() for line in pending.lines])
    # A journal may keep the removal of `.pending` and lose a rename; syncing in between rules that out.
    _sync_file_system(root)
    (root / PENDING).unlink()
    _discard(root)


def _retire(root: Path, move: Move) -> None:
    """Move the old file out of the way, unless that is done. Equal content retired before is kept as it is."""
    if not move.retired or (move.staged and not os.path.lexists(root / move.staged)):
        return
    target, retired = root / move.target, root / move.retired
    if os.path.lexists(target) and not os.path.lexists(retired):
        retired.parent.mkdir(parents=True, exist_ok=True)
        target.rename(retired)
    elif not move.staged:
        target.unlink(missing_ok=True)


def _place(root: Path, move: Move) -> None:
    target = f"{root}/{move.target}"
    if _renamed(f"{root}/{move.staged}", target) or os.path.lexists(target):
        return
    raise StoreError(
        f"{root}: {PENDING} promises {move.target}, but its staged file is gone",
        remedy=f"git checkout -- {root} && rm {root}/{PENDING}, then measure again",
    )


def _renamed(source: str, target: str) -> bool:
    """Rename, making the folder again where git has removed it since; False where `source` is gone."""
    for _ in range(2):
        try:
            os.rename(source, target)  # noqa: PTH104
            return True
        except FileNotFoundError:
            if not os.path.lexists(source):
                return False
            Path(target).parent.mkdir(parents=True, exist_ok=True)
    return False


def _extend(root: Path, lines: Iterable[bytes]) -> None:
    staged = root / STAGING / MANIFEST
    text = manifest.merged(_read(root / MANIFEST), lines)
    if _read(staged) != text:
        staged.parent.mkdir(exist_ok=True)
        _write(str(staged), text, sync=True)
    staged.rename(root / MANIFEST)


def _discard(root: Path) -> None:
    (root / PENDING).unlink(missing_ok=True)
    if os.path.lexists(root / STAGING):
        import shutil

        shutil.rmtree(root / STAGING)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _write(path: str, data: bytes, *, sync: bool = False) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        if sync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_file_system(root: Path) -> None:
    """One call for a whole batch: syncfs where there is one, sync elsewhere."""
    import ctypes

    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if syncfs is None:
        os.sync()
        return
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if syncfs(descriptor) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), str(root))
    finally:
        os.close(descriptor)
