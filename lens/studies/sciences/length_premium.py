"""Length premium: whether what length buys is found, on planted models that nothing had read, and only where it buys.

The scorecards of these three instruments say so of other models of the family. Here the models are sealed: their
digests are in the freeze, so that a reading of one counts as registered.
"""

from __future__ import annotations

from collections.abc import Mapping

from lens.studies.science import Science, Value, Values

FAMILY = "filler"
_EXAMS = {"battery": "bias-battery", "slope": "length-preference", "probe": "hacking-probes"}


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One planted model that pays `dose` ru for each filler word: 1 for each instrument that says that length pays.

    `battery` by the battery's verdict on filler words, `slope` by the slope on length beside the label, `probe` by the
    verdict on words that the probe brings; `decoy` where the battery flags a word that is heard and not paid.
    """
    from lens.exam import exams

    marks = {name: exams()[f"{exam}~{FAMILY}"].examine(plant["dose"], seed) for name, exam in _EXAMS.items()}
    found: Values = {name: float(mark.flagged) for name, mark in marks.items()}
    return found | {"decoy": float(bool(marks["battery"].decoy))}


def read(spec: str, _seed: int, _plant: Mapping[str, float]) -> Values:
    """The same of a planted model by its name."""
    from lens.models.organisms import resolve_organism

    there = resolve_organism(spec)
    return measure(there.seed, {"dose": there.dose})


def fingerprint(spec: str) -> str:
    """Of the model as it is read here: on one thread, in single precision. Raises UsageError for another family's."""
    from lens.errors import UsageError
    from lens.models.here import fingerprint_here
    from lens.models.organisms import resolve_organism

    if resolve_organism(spec).family.name != FAMILY:
        raise UsageError(f"{spec} is not of the family that is paid by length", remedy=f"organism:{FAMILY}?seed=3")
    found = fingerprint_here(spec, device="cpu", dtype="float32")
    assert found is not None, "it was built just now"
    return found


SCIENCE = Science(
    "length-premium",
    "What length buys",
    version=1,
    unit="planted model",
    measure=measure,
    values={name: Value("planted models", "count", "share") for name in (*_EXAMS, "decoy")},
    seconds=2.0,
    null="models that pay nothing for length",
    null_plant={"dose": 0.0},
    source="scorecards of the three instruments: trust conventions, B",
    read=read,
    fingerprint=fingerprint,
)
