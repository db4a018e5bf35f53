"""Where files are: packaged ones, published corpora, and what is kept because it was dear to get."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).parent
_FOLDERS = ("templates", "data", "content")


def resource(name: str) -> Path:
    """The path of `templates/...`, `data/...` or `content/...`, in a wheel or a checkout.

    Raises FileNotFoundError naming both places looked at.
    """
    if name.split("/", 1)[0] not in _FOLDERS:
        raise FileNotFoundError(f"{name}: resources lie under {', '.join(_FOLDERS)}")
    for base in (_PACKAGE / "_resources", _PACKAGE.parent):
        if (path := base / name).exists():
            return path
    raise FileNotFoundError(f"{name}: looked in {_PACKAGE / '_resources'} and {_PACKAGE.parent}")


def shared_folder() -> Path:
    """Where published corpora lie: `$EVIDENCE_LENS_SHARED`, or `shared` beside the working directory."""
    return Path(os.environ.get("EVIDENCE_LENS_SHARED") or Path.cwd().parent / "shared")


def cache_folder() -> Path:
    """`$EVIDENCE_LENS_CACHE`, or `~/.cache/evidence-lens`."""
    return Path(os.environ.get("EVIDENCE_LENS_CACHE") or Path.home() / ".cache" / "evidence-lens")
