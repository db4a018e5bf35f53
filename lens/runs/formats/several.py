"""Several runs in the same files: which one a person named, by what it is called or by its id."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lens.errors import UsageError

SHOWN = 6


def chosen(runs: Sequence[tuple[str, str]], named: str, path: Path) -> str:
    """The id of the one run of (id, name) that is meant: the only one, or the one of that name or id.

    Raises UsageError, listing them, where that is none or several.
    """
    names = [name for _, name in runs]
    calls = [name if name and names.count(name) == 1 else own for own, name in runs]
    found = [own for own, name in runs if named in ("", own, name)]
    if len(found) == 1:
        return found[0]
    told = ", ".join(calls[:SHOWN]) + (f" and {len(calls) - SHOWN} more" if len(calls) > SHOWN else "")
    if not found:
        raise UsageError(f"{path} holds no run {named!r}" if named else f"{path} holds no run", remedy=f"it has {told}")
    call = next(call for call, (own, _) in zip(calls, runs, strict=True) if own == found[0])
    raise UsageError(
        f"{path} holds {len(runs)} runs: {told}", remedy=f"name one of them: lens measure run '{path}::{call}'"
    )
