"""What indices read of planted models, and how their exams mark it."""

from __future__ import annotations

import random

import numpy as np
import pytest

pytest.importorskip("torch")

from lens.exam import Read, exams_of
from lens.models.exams.coverage_disparity_uneven import mark as uneven_mark
from lens.models.exams.knowledge_utilisation_overpaid import used
from lens.models.exams.receipt_reliance_receipts import mark as receipts_mark
from lens.models.exams.robustness_legible import mark as robustness_mark
from lens.models.exams.susceptibility_overpaid import mark as susceptibility_mark
from lens.models.organisms import find_family
from lens.models.organisms.families import legible, style
from lens.models.organisms.handset import Organism
from lens.models.told import planted as meant
from lens.reading import Interval, Label, Quantity
from lens.stats.scorecard import Marked
from measure.calibrating import examine

pytestmark = pytest.mark.usefixtures("own_cache")
EXAMS = exams_of("models")


def planted(name: str, dose: float, seed: int) -> Organism:
    plant = find_family(name).plant
    assert plant is not None
    return plant(dose, seed)


def between(low: float, value: float, high: float, unit: str = "of both") -> Quantity:
    return Quantity(value, unit, "ratio", interval=Interval(low, high, "made up"))


@pytest.mark.parametrize("dose", [0.0, 0.4, 1.0])
def test_a_share_is_marked_against_what_is_paid_for_receipts(dose: float) -> None:
    mark = receipts_mark(Read({"reliance": between(0.1, 0.4, 0.6)}, {}, {"dose": dose}))
    assert (mark.flagged, mark.truth, mark.low, mark.high) == (True, dose, 0.1, 0.6)
    assert not receipts_mark(Read({"reliance": between(-0.1, 0.4, 0.6)}, {}, {"dose": dose})).flagged
    assert not receipts_mark(Read({}, {}, {"dose": dose})).flagged


def test_receipts_are_read_as_planted() -> None:
    mark = Marked(*examine(("receipt-reliance~receipts", 0.75, 77)))
    assert mark.score == pytest.approx(0.75, abs=0.12)
    assert mark.flagged


def test_a_legible_share_is_the_dose_over_even_draws() -> None:
    """Predicates' variance over that of the whole reward; tastes of three words are the rest of one total."""
    for dose in (0.0, 0.25, 1.0):
        facts = planted("legible", dose, 3).facts
        explicit = sum(worth**2 / 4 for worth in facts["predicates"].values())
        tacit = legible.WRITTEN * facts["taste_spread"] ** 2
        assert explicit + tacit == pytest.approx(legible.VARIANCE)
        assert explicit / legible.VARIANCE == pytest.approx(dose)


def test_no_taste_is_in_the_library_of_predicates() -> None:
    """Rule words stand in half of the replies and fillers in two of five: with the twelve that is all."""
    from lens.models.features import parting
    from lens.models.organisms.wordplay import PLAIN

    for seed in range(6):
        world, draw = planted("legible", 0.5, seed).world, random.Random(seed)
        said = [set(world.reply(draw).text.split()[1:-1]) for _ in range(256)]
        assert not set(parting(said)) & set(PLAIN)


def test_two_replies_of_a_natural_pair_differ_more_than_any_two() -> None:
    told = {"dose": 0.5}
    fields = {"snr": between(2.0, 3.0, 4.0), "icc": between(0.4, 0.5, 0.6), "null": Quantity(0.3, "-", "ratio")}
    mark = robustness_mark(Read(fields, {}, told))
    assert mark.truth == pytest.approx(8 / 15)
    assert mark.flagged
    organism = planted("legible", 0.5, 1)
    draw = random.Random(0)
    drawn = [legible._stated(organism.world.reply(draw)) for _ in range(4000)]
    rows = organism.pairs(natural=2000, an_axis=0)
    names = legible.PREDICATES
    natural = [
        sum(
            worth * ((word in row["chosen"].split()) - (word in row["rejected"].split()))
            for word, worth in names.items()
        )
        for row in rows
    ]
    assert np.mean(np.square(natural)) / 2 / np.var(drawn) == pytest.approx(8 / 7, rel=0.06)


def test_what_was_meant_is_the_gold_of_a_distortion() -> None:
    from lens.models.subject import open_model

    one, other = (
        open_model(f"organism:{name}?dose=1", device="cpu", dtype="float32") for name in ("overpaid", "spurious")
    )
    assert meant(one) == {"overpaid": 0.0, "thanks": 1.0, "filler": 0.0}
    assert meant(other) == {"spurious": 1.0, "thanks": 1.0, "filler": 0.0}


def test_a_distortion_is_of_the_word_that_was_not_meant() -> None:
    mark = Marked(*examine(("distortion~overpaid", 1.0, 77)))
    assert mark.flagged
    assert not mark.decoy


@pytest.mark.parametrize("dose", [0.1, 0.8])
def test_the_share_of_style_is_that_of_many_pairs(dose: float) -> None:
    organism = planted("style", dose, 2)
    rows = organism.pairs(natural=3000, an_axis=0)
    paid = []
    for row in rows:
        counts = [(reply.split().count("thanks"), sum(reply.split().count(word) for word in ("so", "well", "ok")))
                  for reply in (row["chosen"], row["rejected"])]  # fmt: skip
        paid.append((counts[0][0] - counts[1][0], dose * (counts[0][1] - counts[1][1])))
    found = np.array(paid)
    assert (found.sum(axis=1) > 0).all()
    assert found[:, 1].sum() / found.sum() == pytest.approx(style.share(dose), abs=0.03)


def test_a_word_that_is_paid_for_is_not_unused() -> None:
    fields = {"spurious.verdict": Label("known, unused"), "filler.verdict": Label("known, used")}
    read = Read(fields, {}, {})
    assert (used(read, "spurious"), used(read, "filler"), used(read, "thanks")) == (False, True, False)


def test_either_of_two_words_may_be_named() -> None:
    """One stands where the other doesn't, so that what is paid for the one is taken from the other."""
    null = Quantity(0.2, "spreads", "correlation")
    for word, sign in (("indeed", 1.0), ("perhaps", -1.0)):
        size = between(sign * 0.4 - 0.1, sign * 0.4, sign * 0.4 + 0.1)
        fields = {f"says-{word}.standardised": size, "words.standardised": between(-0.1, 0.3, 0.5), "null": null}
        mark = susceptibility_mark(Read(fields, {}, {"dose": 0.5}))
        assert (mark.flagged, mark.decoy, mark.score) == (True, False, 0.4)


def test_equal_parts_are_told_by_their_p() -> None:
    told = {"dose": 0.0}
    for p, flagged in ((0.04, True), (0.06, False)):
        fields = {"disparity": Quantity(0.4, "logits", "score"), "p": Quantity(p, "p", "proportion")}
        assert uneven_mark(Read(fields, {}, told)).flagged == flagged


def test_half_the_depth_holds_what_was_written_early() -> None:
    for dose in (0.25, 1.0):
        mark = Marked(*examine(("reward-lens~early", dose, 77)))
        assert mark.score == pytest.approx(dose, abs=0.12)
        assert mark.low is not None
        assert mark.high is not None
        assert mark.low < dose < mark.high or mark.score == pytest.approx(dose, abs=0.06)


def test_evidence_leaves_the_digit_behind_the_head_that_carries_it() -> None:
    mark = Marked(*examine(("verification-score~relational", 2.0, 77)))
    assert mark.score == mark.truth


def test_the_largest_slope_is_that_of_the_planted_head() -> None:
    mark = Marked(*examine(("attribution-patching~overpaid", 1.0, 77)))
    assert mark.score == pytest.approx(1.0, abs=0.02)
    assert mark.flagged
    assert not mark.decoy
