"""Subjects as they are on this machine now: what staleness compares with what was measured."""

from __future__ import annotations

from functools import cache

from lens.errors import LensError
from measure.store import Line, Store
from measure.store.staleness import Fingerprint


def fingerprints(store: Store) -> Fingerprint:
    """The fingerprint now of the subject that a line of `store` is about; None where it isn't here.

    Nothing is downloaded, built, loaded or run. Each subject is looked at once.
    """

    grader, run = cache(_grader), cache(_run)

    @cache
    def model(spec: str, device: str, dtype: str) -> str | None:
        from lens.models.here import fingerprint_here

        try:
            return fingerprint_here(spec, device=device, dtype=dtype)
        except (LensError, ImportError):
            return None

    def now(line: Line) -> str | None:
        if line.parts.kind == "graders":
            return grader(line.parts.slug, line.spec)
        if line.parts.kind == "runs":
            return run(line.spec)
        how = store.record(line.id).evidence.parameters
        if line.parts.kind == "models" and {"device", "dtype"} <= set(how):
            return model(line.spec, how["device"], how["dtype"])
        return None

    return now


def _grader(slug: str, spec: str) -> str | None:
    from lens.graders.adapter import adapters
    from lens.graders.subject import resolve

    known = adapters().get(slug)
    try:
        return resolve(slug if known and known.spec == spec else spec, offline=True).fingerprint
    except LensError:
        return None


def _run(spec: str) -> str | None:
    from lens.runs.opening import fingerprint_here

    try:
        return fingerprint_here(spec)
    except (LensError, ValueError):  # not here; or the words of a path that no longer exists
        return None
