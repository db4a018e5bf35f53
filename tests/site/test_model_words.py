"""Every field an instrument writes of a reward model has a sentence of its own, and no wording stands without one."""

from __future__ import annotations

import model_evidence
import pytest

from lens.instrument import registry
from lens.reading import fields_of
from site_builder import wording

MODELS = set(registry("models"))


def test_every_instrument_has_words() -> None:
    assert set(wording.wordings()) >= MODELS


@pytest.mark.parametrize("item", model_evidence.items(), ids=lambda item: item[0].id)
def test_every_field_is_told_in_words(item: model_evidence.Item) -> None:
    evidence = item[0]
    for name, field in fields_of(evidence.reading).items():
        if name == "declined" or name.endswith(".mode") or "." in name.partition(".")[2].partition(".")[2]:
            continue
        said = wording.phrase(evidence.instrument, name, "it", getattr(field, "unit", ""))
        fallback = (f"{getattr(field, 'unit', '')}: {wording.plain(name)}, it", f"{wording.plain(name)}, it")
        if evidence.instrument != "agreement":
            assert said not in fallback, name


def test_what_a_model_declines_for_is_told_of_a_model() -> None:
    assert wording.needs("access_insufficient", "grader.forward", "models") == "needs the model itself"
    assert wording.needs("access_insufficient", "grader.query") == "needs a callable"
    assert wording.access(("grader.backward", "gold.record")) == "the model’s weights; recorded scores can’t give it"
    assert wording.access(("grader.record", "gold.record")) == "scores that somebody recorded"
