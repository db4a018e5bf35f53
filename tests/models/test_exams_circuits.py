"""What instruments of circuits and dictionaries read of planted models, and how their exams mark it."""

from __future__ import annotations

import random

import numpy as np
import pytest

pytest.importorskip("torch")

from lens.exam import Read, exams_of
from lens.models.exams.circuit_overlap_joint import mark as joint_mark
from lens.models.exams.divergence_patching_apart import mark as apart_mark
from lens.models.exams.sparse_autoencoder_held import mark as held_mark
from lens.models.organisms import find_family
from lens.models.organisms.families import apart, held, joint
from lens.models.organisms.handset import Organism, rewards
from lens.reading import Declined, Field, Interval, Label, Quantity
from lens.stats.overlap import jaccard
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


@pytest.mark.parametrize(("low", "flagged"), [(0.31, True), (0.29, False)])
def test_an_overlap_is_marked_against_permuted_places(low: float, flagged: bool) -> None:
    high = Quantity(0.3, "-", "ratio")
    fields = {"between": between(low, 0.4, 0.5), "null.high": high, "decoy.null.high": high}
    for decoy in (0.2, 0.35):
        more = {"decoy.between": between(decoy, 0.4, 0.5)}
        mark = joint_mark(Read(fields | more, {}, {"dose": 0.5}))
        assert (mark.score, mark.flagged, mark.decoy) == (0.4, flagged, decoy > 0.3)
        assert mark.low is None


@pytest.mark.parametrize(("dose", "seed"), [(0.0, 77), (0.5, 78), (1.0, 79)])
def test_two_circuits_overlap_as_planted(dose: float, seed: int) -> None:
    """Or less: in half of the pairs one of a kind's two words may stand more often than the other."""
    mark = Marked(*examine(("circuit-overlap~joint", dose, seed)))
    overlap = planted("joint", dose, seed).facts["overlap"]
    assert overlap - 0.3 < mark.score < overlap + 0.05
    assert mark.flagged == (dose > 0)
    assert not mark.decoy


def test_all_is_shared_at_the_top_and_what_chance_brings_without_a_dose() -> None:
    assert planted("joint", 1.0, 4).facts["overlap"] == pytest.approx(1.0)
    drawn = np.random.default_rng(0)
    chance = []
    for _ in range(400):
        one, other = (
            sum(drawn.permutation([1.0] * joint.WRITERS + [0.0] * (len(joint.PLACES) - joint.WRITERS)) for _ in "ab")
            for _ in "ab"
        )
        chance.append(jaccard(one, other))
    found = [planted("joint", 0.0, seed).facts["overlap"] for seed in range(60)]
    assert np.mean(found) == pytest.approx(np.mean(chance), abs=3.5 * np.std(chance) / 60**0.5)


def test_places_are_heads_and_mlps_alike() -> None:
    kinds = [site.kind for seed in range(20) for site in planted("joint", 0.0, seed).sites]
    assert kinds.count("mlp") / len(kinds) == pytest.approx(1 / 5, abs=0.08)


@pytest.mark.parametrize("kind", ["head", "mlp"])
def test_a_place_that_writes_a_word_is_missed_when_it_is_gone(kind: str) -> None:
    """Of one word of either kind alone: a quarter of what it is paid."""
    organism, site = next(
        (organism, site)
        for organism in (planted("joint", 1.0, seed) for seed in range(20))
        for site in organism.sites
        if site.kind == kind and "one 0" in site.does and "one 1" not in site.does
        if kind == "mlp" or (site.layer, site.index) != joint.TELLS
    )
    if kind == "head":
        organism.chassis.o[site.layer, site.index] = 0.0
    else:
        organism.chassis.down[site.layer] = 0.0
    rows = [row for row in organism.pairs(natural=0, an_axis=8) if row["axis"] in ("one", "other")]
    found = rewards(organism.chassis, [row["prompt"] + text for row in rows for text in _both(row)])
    assert set(np.round(np.subtract(found[0::2], found[1::2]), 3)) == {1 - 1 / joint.WRITERS, 1.0}


def test_a_dictionary_holds_the_share_of_margins_that_is_planted() -> None:
    """Over many natural pairs, told by words alone: the held word's part of squared margins is the dose."""
    for dose in (0.5, 0.9):
        rows = planted("held", dose, 3).pairs(natural=4000, an_axis=0)
        told = [[reply.split().count(word) for word in ("thanks", "indeed")] for row in rows for reply in _both(row)]
        apart = np.subtract(told[0::2], told[1::2]) * held.worths(dose)
        lost = apart[:, 1] ** 2 / np.mean(apart.sum(axis=1) ** 2)
        assert 1 - lost.mean() == pytest.approx(dose, abs=0.03)


def _both(row: dict[str, str]) -> tuple[str, str]:
    return row["chosen"], row["rejected"]


def test_a_held_word_is_read_and_written_as_it_stands_in_the_stream() -> None:
    organism = planted("held", 0.9, 3)
    made, rows = held.dictionary(organism), held.streams(organism)
    chassis = organism.chassis
    for number, word in enumerate(held.HELD):
        sums = rows @ made.decoder[number]
        assert made.codes(rows)[:, number].tolist() == pytest.approx(sums.tolist(), abs=1e-3)
        assert made.decoder[number].numpy() == pytest.approx(chassis.axis(chassis.feature(f"sum of {word}")), abs=1e-6)
    assert not made.codes(rows)[:, len(held.HELD) :].any()


def test_a_random_dictionary_is_about_the_mean_stream() -> None:
    organism = planted("held", 0.0, 3)
    made = held.dictionary(organism)
    assert (made.features, made.k) == (held.FEATURES, held.ACTIVE)
    assert made.centre.numpy() == pytest.approx(held.streams(organism).mean(0).numpy(), abs=1e-5)


def test_a_dictionary_is_marked_by_the_feature_it_names() -> None:
    fields: dict[str, Field] = {"kept": between(0.7, 0.8, 0.9), "top": Label("feature 0")}
    assert held_mark(Read(fields, {}, {"dose": 0.8})) == Marked(0.8, 0.8, True, 0.8, 0.7, 0.9, False)
    assert held_mark(Read(fields | {"top": Label("feature 1")}, {}, {"dose": 0.8})).decoy
    refused = held_mark(Read(fields | {"top": Declined("assumption_violated", "-", "-")}, {}, {"dose": 0.0}))
    assert (refused.flagged, refused.low, refused.decoy) == (False, None, None)


def test_what_is_kept_is_what_is_held() -> None:
    mark = Marked(*examine(("sparse-autoencoder~held", 0.97, 77)))
    assert mark.score == pytest.approx(0.97, abs=0.02)
    assert mark.flagged
    assert not mark.decoy
