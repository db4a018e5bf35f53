"""Folders in the cache, each under the digest of what made it, and each there whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lens.errors import UsageError
from lens.resource import cache_folder


def place(name: str, key: str) -> Path:
    """`organisms/NAME-KEY` of the cache, whether it is there or not."""
    return cache_folder() / "organisms" / f"{name}-{key[:16]}"


def whole(folder: Path, make: Callable[[Path], None]) -> Path:
    """`folder`; where it isn't there yet, filled by `make` beside its place and then put there in one move.

    Raises UsageError where it can't be written.
    """
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-"))
        try:
            make(new)
            new.chmod(0o755)
            with suppress(OSError):  # somebody else finished first: theirs is the same
                new.rename(folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise UsageError(
            f"can't write {folder}: {error}",
            remedy="name a folder with room that you may write to in EVIDENCE_LENS_CACHE",
        ) from None
    return folder
