"""What instruments of circuits read of planted models, and how their exams mark it."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("torch")

from lens.exam import Read, exams_of
from lens.models.exams.divergence_patching_apart import mark as apart_mark
from lens.models.organisms import find_family
from lens.models.organisms.families import apart
from lens.models.organisms.handset import Organism
from lens.reading import Interval, Quantity
from lens.stats.scorecard import Marked
from measure.calibrating import examine

pytestmark = pytest.mark.usefixtures("own_cache")
EXAMS = exams_of("models")


def planted(name: str, dose: float, seed: int) -> Organism:
    plant = find_family(name).plant
    assert plant is not None
    return plant(dose, seed)


def between(low: float, value: float, high: float) -> Quantity:
    return Quantity(value, "of both", "ratio", interval=Interval(low, high, "made up"))


@pytest.mark.parametrize(("low", "flagged"), [(0.31, True), (0.29, False)])
def test_diverging_places_are_marked_against_places_at_random(low: float, flagged: bool) -> None:
    random_places, told = between(0.1, 0.2, 0.3), {"dose": 0.5, "loud_share": 0.45}
    fields = {"share.0-5": between(low, 0.4, 0.5), "random.0-5": random_places, "decoy.random.0-5": random_places}
    for decoy in (0.25, 0.35):
        more = {"decoy.share.0-5": between(decoy, 0.4, 0.5)}
        mark = apart_mark(Read(fields | more, {}, told))
        assert mark == Marked(0.5, 0.4, flagged, 0.45, low, 0.5, decoy > 0.3)
    assert not apart_mark(Read({"share.0-5": random_places}, {}, told)).flagged


def test_a_flip_has_the_same_places_in_every_reply_and_one_of_them_is_loud() -> None:
    organism = planted("apart", 0.25, 3)
    draw = random.Random(0)
    for _ in range(40):
        base = organism.world.reply(draw)
        one, other = (organism.axes[0].flip(base, present).text.split() for present in (True, False))
        first = next(i for i in range(len(one)) if one[i] != other[i])
        assert len(one) - first == len(other) - first == apart.PLACES
        assert (apart.LOUD in one) == (apart.LOUD not in other) == 1


def test_the_loud_place_holds_the_share_that_is_planted() -> None:
    mark = Marked(*examine(("divergence-patching~apart", 0.5, 77)))
    assert mark.truth == pytest.approx(0.5 + 0.5 / apart.PLACES)
    assert mark.score == pytest.approx(mark.truth, abs=0.12)
    assert mark.flagged
    assert not mark.decoy
