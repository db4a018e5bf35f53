"""The rule: estimates and their tests, Holm over the family, and each outcome for what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from study_specs import coins, hypothesis

from lens.stats.holm import holm
from lens.studies.adjudicate import Verdict, adjudicate
from lens.studies.science import sciences
from lens.studies.spec import parse
from lens.studies.statistics import Estimate, Unread, estimate


def spaced(mean: float, n: int, spread: float = 1.0) -> list[float]:
    """n values of exactly this mean and standard deviation."""
    values = np.linspace(-1.0, 1.0, n)
    return list(mean + spread * values / values.std(ddof=1))


def judged(arms: dict[str, list[float | None]], *said: dict[str, Any], **changes: Any) -> list[Verdict]:
    """Outcomes of hypotheses about heights in arms."""
    plain = coins(*said, arm=[{"name": arm, "units": len(column) or 8} for arm, column in arms.items()], **changes)
    units = {arm: [{"height": value} for value in column] for arm, column in arms.items()}
    return adjudicate(parse(plain), sciences()["coin"], units)


def outcome(heavy: list[float | None], light: list[float | None] | None = None, **changes: Any) -> tuple[str, str]:
    arms = {"light": spaced(0.0, 12) if light is None else light, "heavy": heavy}
    (verdict,) = judged(arms, hypothesis(**changes))  # type: ignore[arg-type]
    return verdict.outcome, verdict.why


def known(statistic: Any, *arms: list[float]) -> Estimate:
    found = estimate(statistic, arms)
    assert isinstance(found, Estimate)
    return found


# Statistics


def test_a_share_is_tested_by_the_binomial() -> None:
    found = known("share", [1.0] * 9 + [0.0])
    assert found.value == 0.9
    assert (found.k, found.n) == (9, 10)
    assert found.over(0.5) == pytest.approx(11 / 1024)
    assert found.under(0.5) == pytest.approx(1023 / 1024)
    assert found.interval.low == pytest.approx(0.5958, abs=1e-4)  # Wilson 1927


def test_a_mean_is_tested_by_student() -> None:
    found = known("mean", spaced(1.0, 10, spread=2.0))
    half = 2.2622 * 2.0 / 10**0.5
    assert found.interval.low == pytest.approx(1.0 - half, abs=1e-3)
    assert found.over(1.0 - half) == pytest.approx(0.025, abs=1e-4)


def test_a_ratio_has_fiellers_interval_which_inverts_its_test() -> None:
    found = known("ratio", spaced(4.0, 12, 0.5), spaced(2.0, 12, 0.3))
    assert found.value == pytest.approx(2.0)
    assert found.over(found.interval.low) == pytest.approx(0.025, abs=1e-6)
    assert found.under(found.interval.high) == pytest.approx(0.025, abs=1e-6)


def test_a_ratio_whose_denominator_may_be_nought_is_none() -> None:
    assert estimate("ratio", [spaced(4.0, 12), spaced(0.1, 12)]) == Unread("the interval of its denominator holds 0")


def test_an_auc_of_arms_apart_has_an_interval_that_inverts_its_test() -> None:
    found = known("auc", spaced(9.0, 20), spaced(0.0, 20))
    assert found.value == found.interval.high == 1.0
    assert 0.8 < found.interval.low < 0.95
    assert found.over(found.interval.low) == pytest.approx(0.025, abs=1e-6)


def test_a_trend_rises_or_falls() -> None:
    rising = [spaced(2.0 * dose, 8) for dose in range(4)]
    assert known("trend", *rising).over(0.5) < 1e-6
    assert known("trend", *reversed(rising)).under(0.5) < 1e-6
    assert known("trend", *rising).over(0.4) == 1.0  # it answers to no rise alone


@pytest.mark.parametrize(
    ("arms", "why"),
    [
        ([spaced(1.0, 7)], "7 clusters: under 8 there is no interval"),
        ([[]], "it has no units"),
        ([[2.5] * 12], "zero variance: all 12 units read 2.5"),
    ],
)
def test_what_has_no_estimate(arms: list[list[float]], why: str) -> None:
    found = estimate("mean", arms)
    assert isinstance(found, Unread)
    assert found.why == why


def test_one_class_only() -> None:
    assert estimate("auc", [spaced(1.0, 9), []]) == Unread("one class only: an arm has no units")


# Outcomes


def test_confirmed_beyond_the_threshold() -> None:
    assert outcome(spaced(2.0, 12))[0] == "confirmed"


def test_refuted_on_the_other_side() -> None:
    assert outcome(spaced(0.1, 12, 0.2)) == ("refuted", "it lies clear of where it was predicted to")


def test_inconclusive_where_the_interval_straddles_the_threshold() -> None:
    assert outcome(spaced(0.9, 12))[0] == "inconclusive"


def test_refuted_by_its_kill_rule_though_the_interval_straddles() -> None:
    assert outcome(spaced(0.4, 12), kill={"comparator": "below", "threshold": 0.45}) == (
        "refuted",
        "its kill rule holds",
    )


def test_a_kill_rule_on_the_interval() -> None:
    assert outcome(spaced(0.9, 12), kill={"comparator": "holds", "threshold": 1.0})[0] == "refuted"
    assert outcome(spaced(2.0, 12), kill={"comparator": "holds", "threshold": 1.0})[0] == "confirmed"


def test_void_where_the_control_passes_the_same_rule() -> None:
    assert outcome(spaced(2.0, 12), spaced(1.9, 12)) == (
        "void",
        "its control passes the same rule: what was seen is not what was claimed",
    )


def test_inconclusive_where_the_control_fails_but_is_not_told_apart() -> None:
    assert outcome(spaced(1.3, 12), spaced(1.0, 12)) == (
        "inconclusive",
        "it lies where it was predicted to, and is not told apart from its control",
    )


def test_a_control_that_never_varies_is_no_void() -> None:
    assert outcome(spaced(2.0, 12), [0.0] * 12)[0] == "confirmed"


def test_void_where_subjects_vanished() -> None:
    assert outcome([*spaced(2.0, 11), None]) == (
        "void",
        "the metric can't be read: 1 of 12 subjects of heavy vanished or declined",
    )


def test_void_without_variance() -> None:
    assert outcome([2.0] * 12) == ("void", "the metric can't be read: zero variance: all 12 units read 2")


def test_within_a_margin_is_shown_and_never_concluded_from_a_failed_test() -> None:
    inside = {"comparator": "within", "threshold": 2.0, "margin": 0.5, "smallest": 2.0}
    assert outcome(spaced(2.0, 40, 0.5), **inside)[0] == "confirmed"
    assert outcome(spaced(2.0, 12, 2.0), **inside)[0] == "inconclusive"
    assert outcome(spaced(4.0, 12, 0.5), **inside)[0] == "refuted"


# Holm


def test_holm_of_the_textbook() -> None:
    """Four hypotheses of p .01, .04, .03, .005: the first and the last are rejected at .05, the others not."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_joins_the_family() -> None:
    """p = .0249 alone confirms, and beside another of the kind; of three, none does."""
    arms: dict[str, list[float | None]] = {"light": list(spaced(-3.0, 12)), "heavy": list(spaced(1.249, 12))}
    alone = judged(arms, hypothesis())[0]
    assert alone.p == pytest.approx(0.0249, abs=3e-4)
    assert alone.outcome == "confirmed"
    two = judged(arms, hypothesis(), hypothesis("again"))
    assert [one.outcome for one in two] == ["confirmed", "confirmed"]
    assert two[0].holm == pytest.approx(2 * alone.p)
    three = judged(arms, hypothesis(), hypothesis("again"), hypothesis("once-more"))
    assert [one.outcome for one in three] == ["inconclusive"] * 3
    assert three[0].holm == pytest.approx(3 * alone.p)


def test_a_void_hypothesis_stays_in_the_family() -> None:
    arms: dict[str, list[float | None]] = {"light": [-1.0] * 12, "heavy": list(spaced(1.26, 12))}
    void = hypothesis("void", "height.light", control=f"{hypothesis()['metric']}")
    both = judged(arms, hypothesis(), void)
    assert [one.outcome for one in both] == ["confirmed", "void"]
    assert both[0].holm == pytest.approx(2 * both[0].p)
