"""Canonical JSON (RFC 8785) and the digests taken over it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of anything msgspec can turn into plain JSON types."""
    import rfc8785

    return rfc8785.dumps(msgspec.to_builtins(value))


def digest(value: Any) -> str:
    """SHA-256, in hex, of the canonical JSON of `value`."""
    return hashlib.sha256(canonical(value)).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256, in hex, of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
