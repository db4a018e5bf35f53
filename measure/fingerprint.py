"""Subjects as they are on this machine now: what staleness compares with what was measured."""

from __future__ import annotations

from lens.errors import LensError
from measure.store import Line


def fingerprint_here(line: Line) -> str | None:
    """The fingerprint now of the subject a line is about; None where it isn't here. Nothing is downloaded or run."""
    if line.parts.kind != "graders":
        return None
    from lens.graders.adapter import adapters
    from lens.graders.subject import resolve

    known = adapters().get(line.parts.slug)
    try:
        return resolve(line.parts.slug if known and known.spec == line.spec else line.spec, offline=True).fingerprint
    except LensError:
        return None
