"""Every instrument here on every kind of model: it reads or declines, and what it says holds together."""

from __future__ import annotations

from typing import Any

import pytest

from lens.access import Access
from lens.instrument import registry
from lens.models.inspection import Inspection
from lens.models.pairs import Pair, Pairs
from lens.reading import Declined, Measured, Quantity, Result
from tests.models import opened, subjects

TEXT_ONLY = ("bias-battery", "hacking-probes", "distortion", "misalignment-cascade")
INSIDE = ("concepts", "erasure", "steering", "sparse-autoencoder", "geometry", "term-conflict")
OTHERS = ("multi-objective", "intransitivity", "dynamics")
KINDS = ("llama", "gpt2", "ensemble", "armorm", "judge")
UNREAD = {
    "gpt2": INSIDE,
    "ensemble": tuple(name for name in INSIDE if name != "geometry"),
    "armorm": tuple(name for name in INSIDE if name != "term-conflict"),
}


def _matched() -> Pairs:
    made = []
    for i in range(24):
        text = " ".join(opened.WORDS[(i * k) % 17] for k in (1, 3, 5)) + ". so it is. yes. no."
        made += [
            Pair(2 * i, f"q{i}: ", f"{text} thanks", text, "thanks"),
            Pair(2 * i + 1, f"q{i}: ", f"well {text}", text, "well"),
        ]
    return Pairs("matched", tuple(made), "matched")


def _model(kind: str) -> Any:
    return opened.model(kind) if kind in ("llama", "gpt2") else subjects.model(kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*TEXT_ONLY, *INSIDE, *OTHERS])
def test_reads_or_declines(name: str, kind: str) -> None:
    model = _model(kind)
    inspection = Inspection(model, _matched(), Access.parse(model.grants()), draws=100, sample=24)
    found = registry("models")[name].run(inspection)
    reading, tables = found if isinstance(found, Result) else Result(found)
    if name in UNREAD.get(kind, ()):
        assert isinstance(reading, Declined)
        assert reading.reason == "not_applicable"
        return
    if name in TEXT_ONLY:
        assert isinstance(reading, Measured), reading
    if isinstance(reading, Declined):
        assert name not in TEXT_ONLY
        return
    controls = {field.control for field in reading.fields.values() if isinstance(field, Quantity) and field.control}
    assert controls <= set(reading.fields)
    for columns in tables.values():
        assert len({len(column) for column in columns.values()}) == 1


def test_recorded_scores_are_read_for_bias_alone() -> None:
    for name in (*TEXT_ONLY, *INSIDE, *OTHERS):
        missing = Access.parse("grader.record gold.record").missing(registry("models")[name].needs)
        assert bool(missing) != (name in ("bias-battery", "distortion", "intransitivity"))
