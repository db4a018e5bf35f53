"""Two planted models that share a taste, or the words they tell, and how entanglement is marked on them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from lens.errors import UsageError
from lens.exam import Read, exams_of
from lens.models.exams.entanglement_kindred import KINDS, OTHER_TASTE, OTHER_WORDS, mark
from lens.models.indices.entanglement import entanglement
from lens.models.organisms.families import kindred
from lens.models.organisms.families.kindred import NAMED
from lens.models.subject import open_model
from lens.reading import Interval, Quantity
from tests.models import opened

WORDS = ("thanks", *NAMED)


def _differences(count: int = 4000) -> np.ndarray:
    """[count, words]: what stands in the chosen reply of a natural pair and not in the other."""
    rows = kindred.plant(0.5, 3).pairs(natural=count, an_axis=0)
    counts = [[[word in row[side].split() for word in WORDS] for side in ("chosen", "rejected")] for row in rows]
    told = np.array(counts, float)
    return np.asarray(told[:, 0] - told[:, 1])


def _prices(dose: float, seed: int) -> np.ndarray:
    found = kindred.plant(dose, seed)
    worth = {axis.name: axis.effect for axis in found.axes}
    return np.array([dose**0.5, *(worth[word] for word in NAMED)])


@pytest.mark.parametrize("dose", kindred.FAMILY.doses)
def test_rewards_go_together_by_the_dose_and_by_nothing_else(dose: float) -> None:
    apart = _differences()
    one, other = (apart @ _prices(dose, KINDS * 7 + seed) for seed in (0, OTHER_WORDS))
    assert (one @ other) / np.sqrt((one @ one) * (other @ other)) == pytest.approx(dose, abs=0.05)
    assert np.mean(one**2) == pytest.approx(1.0, abs=0.05)


def test_two_of_the_same_words_have_no_taste_in_common() -> None:
    one, other = (kindred.plant(0.0, KINDS * 7 + seed) for seed in (0, OTHER_TASTE))
    assert one.facts["held"] == other.facts["held"] == list(NAMED[:2])
    assert _prices(0.0, KINDS * 7) @ _prices(0.0, KINDS * 7 + OTHER_TASTE) == pytest.approx(0.0)
    assert kindred.plant(0.0, KINDS * 7 + OTHER_WORDS).facts["held"] == list(NAMED[2:])


def test_a_share_above_one_says_how() -> None:
    with pytest.raises(UsageError, match="what is shared"):
        kindred.plant(2.0, 0)


def test_entanglement_is_marked_by_its_own_control() -> None:
    def read(low: float, decoy: float, dose: float = 0.5) -> Read:
        fields = {
            name: Quantity(0.5, "within prompts", "difference", interval=Interval(end, 0.9, "made up"))
            for name, end in (("entanglement", low), ("decoy.entanglement", decoy))
        }
        null = Quantity(0.3, "within prompts", "difference")
        return Read(fields | {"null": null, "decoy.null": null}, {}, {"dose": dose})

    assert (mark(read(0.4, 0.2)).flagged, mark(read(0.4, 0.2)).decoy) == (True, False)
    assert (mark(read(0.2, 0.4)).flagged, mark(read(0.2, 0.4)).decoy) == (False, True)
    assert mark(read(0.4, 0.4, dose=0.0)).decoy is None


@pytest.mark.usefixtures("own_cache")
def test_which_reply_is_called_the_chosen_one_is_not_shared_taste() -> None:
    """Both prefer the chosen reply of every pair: dealt the same way round, margins would agree whatever the pair."""
    exam = exams_of("models")["entanglement~kindred"]
    pairs = open_model("organism:kindred?dose=1&seed=28", device="cpu", dtype="float32").own_pairs
    model = open_model(exam.spec(1.0, 7), device="cpu", dtype="float32")
    fields = opened.fields(entanglement(opened.inspection(model, pairs)))
    assert fields["value"].value == pytest.approx(1.0, abs=1e-3)
    assert fields["null"].value < 0.4
    assert fields["entanglement"].interval.low > fields["null"].value
