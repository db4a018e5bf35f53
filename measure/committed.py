"""Whether git already holds a file, and before what: the order in which a freeze and what it is for were committed."""

from __future__ import annotations

import subprocess
from pathlib import Path


def under_git(path: Path) -> bool:
    """Whether a file lies in a git work tree that does not ignore it."""
    return (
        _git(path.parent, "rev-parse", "--is-inside-work-tree") == "true"
        and _git(path.parent, "check-ignore", "-q", path.name) is None
    )


def committed(path: Path) -> bool:
    """Whether the last commit holds the file as it is."""
    return (
        _git(path.parent, "ls-files", "--error-unmatch", path.name) is not None
        and _git(path.parent, "status", "--porcelain", "--", path.name) == ""
    )


def before(path: Path, revision: str) -> bool | None:
    """Whether the commit that brought the file is `revision` or an ancestor of it; None where git can't tell."""
    brought = (_git(path.parent, "log", "--format=%H", "--diff-filter=A", "--", path.name) or "").split()
    revision = revision.rstrip("+")
    if not brought or not revision or _git(path.parent, "cat-file", "-e", f"{revision}^{{commit}}") is None:
        return None
    return _git(path.parent, "merge-base", "--is-ancestor", brought[-1], revision) is not None


def _git(folder: Path, *words: str) -> str | None:
    """What git says; None where it fails or isn't there."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
