"""Flakiness: variance parts worked by hand, planted flips found, a deterministic grader bounded."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import answered, corpus, fields, planted, value

from lens.graders.corpus import Row
from lens.graders.instruments.flakiness import flakiness
from lens.reading import Quantity
from lens.stats.components import components

GOLDS = [str(number) for number in range(30)]


def test_components_of_a_table_worked_by_hand() -> None:
    scores = [[[1, 3], [3, 5]], [[5, 7], [9, 11]]]
    # cell means 2, 4, 6, 10: mean squares 50 (row), 18 (session), 2 (interaction), 2 (within)
    assert components(scores) == (12.0, 4.0, 0.0, 2.0)
    assert components(scores).generalizability == pytest.approx(12 / 14)


def test_a_deterministic_grader_flips_on_none_with_a_bound(tmp_path: Path) -> None:
    audit = planted(tmp_path, "def grade(response, gold):\n    return float(response == gold)\n", answered(GOLDS))
    wrong = [Row(at, gold + "0", gold, False) for at, gold in enumerate(GOLDS)]
    audit.corpora["crossed"] = corpus("crossed", wrong)
    found = fields(flakiness(audit))
    flips = found["flips"]
    assert isinstance(flips, Quantity)
    assert flips.interval is not None
    assert (flips.value, flips.of) == (0, 60)
    assert flips.interval.high == pytest.approx(0.0602, abs=1e-4)
    assert {value(found[f"variance.{part}"]) for part in ("session", "interaction", "residual")} == {0.0}
    assert value(found["generalizability"]) == pytest.approx(1.0)
    assert value(found["effective-group"]) == pytest.approx(8.0)


def test_a_coin_carries_nothing_of_the_answer(tmp_path: Path) -> None:
    source = "import random\ndef grade(response, gold):\n    return float(random.random() < 0.5)\n"
    found = fields(flakiness(planted(tmp_path, source, answered(GOLDS))))
    assert value(found["flips"]) >= 25
    share = found["generalizability"]
    assert value(share) == "corpus_inadequate" or value(share) < 0.3


def test_noise_of_a_known_share_is_recovered(tmp_path: Path) -> None:
    source = """
        import random
        def grade(response, gold):
            return float(gold) + random.gauss(0, 8.66)
    """
    found = fields(flakiness(planted(tmp_path, source, answered(GOLDS))))
    # variance of 0..29 is 77.5 (n−1), of the noise 75: the share is a half
    assert value(found["generalizability"]) == pytest.approx(0.5, abs=0.15)
    assert value(found["variance.residual"]) == pytest.approx(75, rel=0.35)


def test_scores_the_same_everywhere_can_show_no_share(tmp_path: Path) -> None:
    found = fields(flakiness(planted(tmp_path, "def grade(response, gold):\n    return 1.0\n", answered(GOLDS))))
    assert value(found["generalizability"]) == "corpus_inadequate"


def test_verdicts_without_numbers_have_flips_but_no_variances(tmp_path: Path) -> None:
    found = fields(flakiness(planted(tmp_path, "def grade(response, gold):\n    return 'yes'\n", answered(GOLDS))))
    assert value(found["flips"]) == 0
    assert value(found["variance.row"]) == "assumption_violated"
