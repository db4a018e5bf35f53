"""Shared and exclusive locks on the store's folder, and clear words for what the disk refuses."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lens.errors import StoreError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSED = {errno.EROFS, errno.EACCES, errno.EPERM}


@contextmanager
def locked(root: Path, *, exclusive: bool) -> Iterator[None]:
    """Hold the lock while the block runs; waits for whoever holds it.

    The folder itself is locked, so that reading needs no file of ours on a read-only disk. Each call opens
    its own descriptor: threads exclude one another as processes do.
    """
    import fcntl

    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        except OSError as error:
            if exclusive:
                raise StoreError(
                    f"{root}: this file system can't lock a folder ({error.strerror}), so writing isn't safe",
                    remedy="keep the store on a local disk",
                ) from error
        yield
    finally:
        os.close(descriptor)


def refused(error: OSError, root: Path, what: str) -> StoreError:
    """A StoreError that says why `what` couldn't be done at `root` and what to do about it."""
    if error.errno in _FULL:
        return StoreError(f"{root}: the disk is full: {what}", remedy="free some space and run the same command again")
    if error.errno in _REFUSED:
        return StoreError(
            f"{root}: can't be written ({error.strerror}): {what}",
            remedy="use a folder you may write, with --data DIR",
        )
    return StoreError(f"{root}: {error.strerror}: {what}", remedy="check the disk, then run the same command again")
