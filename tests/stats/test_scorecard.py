"""Scorecards on scores whose truth is planted: what passes, what doesn't, and what is missing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lens.stats.auc import auc
from lens.stats.jonckheere import jonckheere
from lens.stats.scorecard import Marked, rate, scorecard, smallest_dose

DOSES = (0.0, 0.5, 1.0, 2.0, 4.0)


def card_of(*, effect: float = 1.0, bias: float = 0.0, decoys: float = 0.0, width: float = 1.96, seed: int = 0):
    """An instrument that reads `effect` · dose + bias with unit noise, flags at 1.96 and claims ± width."""
    draw = np.random.default_rng(seed)
    marked = []
    for dose in DOSES:
        for _ in range(60 if dose == 0 else 35):
            read = effect * 2 * dose + bias + draw.normal()
            decoy = bool(draw.random() < decoys) if dose else None
            marked.append(Marked(dose, read, read > 1.96, 2 * dose, read - width, read + width, decoy))
    return scorecard(marked)


def test_an_instrument_that_works_passes() -> None:
    card = card_of()
    assert card.passed
    assert card.failed == ()
    assert card.criteria == dict.fromkeys(("false-positives", "auc", "rises-with-dose", "coverage", "decoys"), True)
    assert card.smallest_dose == 2.0
    assert card.power[0.5].share < 0.9 < card.power[2.0].share
    assert card.false_positives is not None
    assert card.false_positives.n == 60


@pytest.mark.parametrize(
    ("options", "failed"),
    [
        ({"effect": 0.0}, {"auc", "rises-with-dose", "coverage"}),
        ({"bias": 1.5}, {"false-positives", "coverage"}),
        ({"decoys": 0.3}, {"decoys"}),
        ({"width": 0.5}, {"coverage"}),
        ({"width": 9.0}, {"coverage"}),
    ],
)
def test_an_instrument_that_does_not_is_failed_for_it(options: dict[str, float], failed: set[str]) -> None:
    card = card_of(**options)
    assert set(card.failed) == failed
    assert not card.passed


def test_decoys_and_intervals_are_told_dose_by_dose_and_the_span_is_of_all_scores() -> None:
    planted = [(0.0, None, 1.0), (1.0, False, 9.0), (1.0, True, 1.0), (2.0, True, 1.0), (2.0, True, 2.0)]
    card = scorecard([Marked(dose, high - 3, True, 1.0, 0.0, high, decoy) for dose, decoy, high in planted])
    assert {dose: (one.k, one.n) for dose, one in card.decoy.items()} == {1.0: (1, 2), 2.0: (2, 2)}
    assert {dose: (one.k, one.n) for dose, one in card.covered.items()} == {0.0: (1, 1), 1.0: (2, 2), 2.0: (2, 2)}
    assert card.span == (-2.0, 6.0)
    assert sum(one.k for one in card.decoy.values()) == (card.decoys.k if card.decoys else None)
    bare = scorecard([Marked(0.0, 1.0, False), Marked(1.0, 2.0, True)])
    assert (bare.decoy, bare.covered, bare.span) == ({}, {}, (1.0, 2.0))


def test_too_few_organisms_are_missing_and_never_passed() -> None:
    marked = [Marked(0.0, i / 10, False) for i in range(10)] + [Marked(1.0, 5.0 + i, True) for i in range(10)]
    card = scorecard(marked)
    assert card.missing == (
        "10 organisms at dose 0, of 60",
        "1 positive doses, of 4",
        "10 organisms at dose 1, of 20",
    )
    assert card.failed == ("false-positives",)  # none of 10, but 28 % can't be ruled out
    assert not card.passed


def test_an_instrument_that_claims_no_interval_is_not_judged_on_one() -> None:
    strong = [Marked(dose, dose + i / 100, dose > 0) for dose in DOSES for i in range(60)]
    card = scorecard(strong)
    assert card.coverage is None
    assert card.passed
    claimed = [m._replace(truth=0.0, low=-9.0, high=9.0) if i < 100 else m for i, m in enumerate(strong)]
    assert scorecard(claimed).missing == ("100 intervals, of 200",)


def test_three_of_sixty_false_positives_pass_and_four_do_not() -> None:
    for k, passes in ((3, True), (4, False)):
        none = [Marked(0.0, i / 60, i < k) for i in range(60)]
        some = [Marked(dose, dose + i / 100, True) for dose in DOSES[1:] for i in range(20)]
        assert scorecard(none + some).passed is passes


def test_the_smallest_dose_is_the_one_from_which_power_holds() -> None:
    def power(*shares: float):
        return {dose: rate([i < 20 * share for i in range(20)]) for dose, share in zip(DOSES[1:], shares, strict=True)}

    assert smallest_dose(power(0.2, 0.9, 1.0, 1.0)) == 1.0
    assert smallest_dose(power(0.95, 0.5, 0.95, 1.0)) == 2.0
    assert smallest_dose(power(0.9, 0.9, 0.9, 0.5)) is None


def test_auc_is_the_share_of_pairs_in_order() -> None:
    draw = np.random.default_rng(0)
    high, low = draw.normal(1.0, 1.0, 40), draw.normal(0.0, 1.0, 60)
    found = auc(high.tolist(), low.tolist(), seed=1)
    assert found.value == pytest.approx(np.mean(high[:, None] > low[None, :]))
    assert found.interval.low < found.value < found.interval.high
    hanley = 0.046  # Hanley and McNeil 1982 for an area of .76 with 40 and 60
    assert (found.interval.high - found.interval.low) / 3.92 == pytest.approx(hanley, abs=0.015)
    assert auc([2.0, 3.0], [0.0, 1.0], seed=0).interval.low == 1.0
    with pytest.raises(ValueError, match="two groups"):
        auc([], [1.0], seed=0)


def test_jonckheere_is_the_permutation_test() -> None:
    groups = [[1.0, 3.0, 2.0], [2.0, 4.0, 4.0], [3.0, 5.0, 6.0]]
    sizes = [len(group) for group in groups]
    values = [value for group in groups for value in group]

    def rises(some: list[float]) -> float:
        cut = list(itertools.accumulate(sizes, initial=0))
        split = [some[a:b] for a, b in itertools.pairwise(cut)]
        return sum((x < y) + 0.5 * (x == y) for a, b in itertools.combinations(split, 2) for x in a for y in b)

    draw = np.random.default_rng(0)
    null = np.array([rises(list(draw.permutation(values))) for _ in range(4000)])
    found = jonckheere(groups)
    assert found.share == rises(values) / 27
    exact = (null > rises(values)).mean() + 0.5 * (null == rises(values)).mean()
    assert found.p == pytest.approx(exact, abs=0.004)
    assert jonckheere(groups[::-1]).p > 0.98


def test_jonckheere_refuses_what_has_no_trend() -> None:
    with pytest.raises(ValueError, match="at least 2 doses"):
        jonckheere([[1.0]])
    with pytest.raises(ValueError, match="NaN"):
        jonckheere([[1.0], [float("nan")]])
