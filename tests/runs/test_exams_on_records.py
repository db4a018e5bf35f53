"""Exams on planted records: what is planted is what the instrument counts, and the decoy is no part of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lens.exam import Read, exams_of
from lens.planted import Made, find_family
from lens.reading import Interval, Quantity
from lens.runs.exams._counts import above, counted
from lens.runs.planted import copies, drift, parted, proxy, tilted
from lens.runs.record import Record

EXAMS = exams_of("runs")


def planted(name: str, folder: Path, dose: float, seed: int) -> Made[Record]:
    return find_family("runs", name).plant(folder, dose, seed)


def column(made: Made[Record], name: str, shape: tuple[int, ...]) -> np.ndarray:
    rows = made.subject.sql(f'SELECT "{name}" FROM rollouts ORDER BY row')
    return np.array([value for (value,) in rows], float).reshape(shape)


@pytest.mark.parametrize(
    ("name", "dose"),
    [
        ("abstention-channel~muted", 0.1),
        ("selection~reversed", 0.1),
        ("gradient-norm~stuck", 0.3),
        ("advantages~level", 0.1),
    ],
)
def test_as_many_are_counted_as_were_planted(name: str, dose: float) -> None:
    exam = EXAMS[name]
    read = exam.read(dose, 7)
    found, mark = read.quantity(exam.quantity), exam.mark(read)
    assert found is not None
    assert found.of is not None
    assert round(mark.score * found.of) == read.told["planted"] > 0
    assert (mark.flagged, mark.decoy) == (True, False)


@pytest.mark.parametrize(
    "name",
    [
        "abstention-channel~muted",
        "advantages~level",
        "best-of-n~proxy",
        "counterfactual~tilted",
        "exploit-families~pushed",
        "gradient-norm~stuck",
        "group-size~copies",
        "markers~shift",
        "policy-response~parted",
        "selection~reversed",
        "series~drift",
        "unseen-exploits~rare",
        "update-partition~aligned",
    ],
)
def test_nothing_is_found_where_nothing_is_planted(name: str) -> None:
    mark = EXAMS[name].examine(0.0, 900_001)
    assert (mark.flagged, mark.decoy, mark.low) == (False, False, None)


def test_a_family_is_paid_where_its_advantages_are_above_rounding(tmp_path: Path) -> None:
    made = planted("pushed", tmp_path, 0.3, 5)
    ((paid, of),) = made.subject.sql(
        "SELECT count(*) FILTER (advantage > 1e-6), count(*) FROM rollouts WHERE exploit = 'shortcut'"
    )
    mark = EXAMS["exploit-families~pushed"].examine(0.3, 5)
    assert mark.score == paid / of
    assert (mark.truth, mark.decoy) == (0.3, False)
    ((high,),) = made.subject.sql("SELECT min(reward) FROM rollouts WHERE exploit = 'detour'")
    assert high == 1.0


def test_what_is_unseen_is_what_was_not_drawn(tmp_path: Path) -> None:
    """Good's share of families seen once, beside the mass of those that weren't seen."""
    made = planted("rare", tmp_path, 0.3, 5)
    counts = made.subject.sql("SELECT exploit, count(*) FROM rollouts WHERE exploit <> '' GROUP BY exploit")
    mark = EXAMS["unseen-exploits~rare"].examine(0.3, 5)
    assert sum(count for _, count in counts) == 300
    assert mark.score == pytest.approx(sum(count == 1 for _, count in counts) / 300)
    rare = sum(int(name.split()[1]) >= 6 for name, _ in counts)
    assert mark.truth == pytest.approx(0.3 - 0.0005 * rare)
    assert mark.decoy is False


def test_a_shift_is_dated_and_a_blip_is_not() -> None:
    mark = EXAMS["markers~shift"].examine(2.0, 900_002)
    assert (mark.flagged, mark.decoy, mark.truth) == (True, False, 120.0)
    assert mark.score == pytest.approx(2.0, abs=0.5)


def test_signs_that_a_leaf_turns_are_known(tmp_path: Path) -> None:
    """The arc of the correlation, against signs of many made-up groups; and the count against numpy on the record."""
    rng = np.random.default_rng(3)
    style, answer = rng.standard_normal((2, 50_000, 8))
    away = [one - one.mean(axis=1, keepdims=True) for one in (style, answer)]
    turned = np.sign(math.sqrt(0.3) * away[0] + math.sqrt(0.7) * away[1]) != np.sign(away[1])
    made = planted("tilted", tmp_path, 0.3, 5)
    assert made.told["flips"] == pytest.approx(turned.mean(), abs=0.003)
    answer = column(made, "score.answer", tilted.SHAPE)
    given = column(made, "advantage", tilted.SHAPE)
    other = np.sign(answer - answer.mean(axis=2, keepdims=True)) != np.sign(given)
    mark = EXAMS["counterfactual~tilted"].examine(0.3, 5)
    assert mark.score == pytest.approx(other.mean())
    assert (mark.flagged, mark.decoy) == (True, False)


def test_the_best_of_eight_has_the_gold_that_it_has(tmp_path: Path) -> None:
    made = planted("proxy", tmp_path, 0.8, 5)
    shape = (proxy.SHAPE[1], proxy.SHAPE[2])
    reward, gold = (column(made, name, shape) for name in ("reward", "gold"))
    best = gold[np.arange(len(gold)), reward.argmax(axis=1)].mean()
    read = EXAMS["best-of-n~proxy"].read(0.8, 5)
    found = read.quantity("best-of-8.gold")
    assert found is not None
    assert found.value == pytest.approx(best)
    assert EXAMS["best-of-n~proxy"].mark(read).score == pytest.approx(best - gold.mean())


def test_the_largest_of_eight_normals_has_the_planted_mean() -> None:
    from scipy.integrate import quad
    from scipy.stats import norm

    mean, _ = quad(lambda x: x * 8 * norm.pdf(x) * norm.cdf(x) ** 7, -9, 9)
    assert pytest.approx(mean, rel=1e-9) == proxy.BEST


def test_a_change_is_that_of_the_record_s_ends(tmp_path: Path) -> None:
    reward = column(planted("drift", tmp_path, 1.0, 5), "reward", drift.SHAPE)
    mark = EXAMS["series~drift"].examine(1.0, 5)
    assert mark.score == pytest.approx(reward[-4:].mean() - reward[:4].mean())
    assert mark.truth == pytest.approx(36 / 39)


def test_copies_are_those_of_one_group(tmp_path: Path) -> None:
    made = planted("copies", tmp_path, 0.1, 5)
    mark = EXAMS["group-size~copies"].examine(0.1, 5)
    assert mark.score == pytest.approx(1 - made.told["own"] / copies.SHAPE[2])
    assert mark.truth == pytest.approx(8 - 0.7)
    assert (mark.flagged, mark.decoy) == (True, False)


def test_nats_are_those_of_two_gaussians(tmp_path: Path) -> None:
    made = planted("parted", tmp_path, 0.4, 5)
    own, reference = (column(made, name, parted.SHAPE) for name in ("logp_old", "logp_ref"))
    mark = EXAMS["policy-response~parted"].examine(0.4, 5)
    assert mark.score == pytest.approx((own - reference)[-4:].mean())
    assert (own - reference)[20:].mean() == pytest.approx(0.4, abs=0.1)
    assert (own - reference)[:20].mean() == pytest.approx(0.0, abs=0.05)


def test_gradients_along_another_s_advantage_add_up_to_nothing() -> None:
    mark = EXAMS["update-partition~aligned"].examine(0.4, 900_003)
    assert (mark.flagged, mark.decoy) == (True, False)
    assert mark.score > 0.1


def test_more_than_was_planted_is_the_decoy() -> None:
    told: dict[str, Any] = {"dose": 0.1, "planted": 2}
    mark = counted("forced")
    assert mark(Read({"forced": Quantity(3, "rollouts", "count", of=10)}, {}, told)).decoy
    assert not mark(Read({"forced": Quantity(2, "rollouts", "count", of=10)}, {}, told)).decoy
    assert mark(Read({}, {}, told)) == (0.1, 0.0, False, 0.1, None, None, False)


def test_an_interval_that_holds_the_level_is_not_above_it() -> None:
    found = Quantity(0.2, "nats", "score", interval=Interval(0.1, 0.3, "t"))
    assert above(found)
    assert not above(found, 0.1)
    assert not above(Quantity(0.2, "nats", "score"))
    assert not above(None)
