"""Seeds that nobody chose: SHA-256 of a digest and a number."""

from __future__ import annotations

import hashlib


def seed_of(digest: str, number: int) -> int:
    """The seed of subject `number`: the first 32 bits of SHA-256(digest ‖ number).

    >>> seed_of("00" * 32, 0) == seed_of("00" * 32, 0) != seed_of("00" * 32, 1)
    True
    """
    return int.from_bytes(hashlib.sha256(f"{digest}|{number}".encode()).digest()[:4], "big")


def subjects_of(digest: str) -> str:
    """The fingerprint of all subjects built from a freeze: nothing could read them before it."""
    return hashlib.sha256(f"{digest}|subjects".encode()).hexdigest()
