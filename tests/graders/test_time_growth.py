"""Growth exponents: exact on made-up times, right on graders of known cost, and the public quadratic one."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import answered, fields, planted

from lens.graders.instruments.time_growth import time_growth
from lens.reading import Declined, Label, Quantity
from lens.stats.growth import growth

GOLDS = ["7", "8"]


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0, 3.0])
def test_a_power_law_gives_its_power_and_an_interval_of_no_width(power: float) -> None:
    sizes = [1000, 2000, 4000, 8000]
    fit = growth(sizes, [3e-6 * size**power for size in sizes])
    assert fit.exponent == pytest.approx(power, abs=1e-9)
    assert fit.interval.low == pytest.approx(power, abs=1e-6)


def test_three_points_are_too_few() -> None:
    with pytest.raises(ValueError, match="under 4"):
        growth([1, 2, 3], [1, 2, 3])


def test_a_quadratic_search_is_found_and_named(tmp_path: Path) -> None:
    source = r"""
        import re
        def grade(response, gold):
            return float(bool(re.findall(r"<answer>(.*?)</answer>", response, re.DOTALL)))
    """
    found = fields(time_growth(planted(tmp_path, source, answered(GOLDS))))
    worst = found["worst.exponent"]
    assert isinstance(worst, Quantity)
    assert 1.8 < worst.value < 2.2
    assert found["worst.family"] == Label("unclosed-answer-tag")
    closed = found["closed-answer-tag.exponent"]
    assert isinstance(closed, Quantity)
    assert closed.value < 1.4


def test_a_family_that_never_ends_declines_and_is_the_worst(tmp_path: Path) -> None:
    source = r"""
        import time
        def grade(response, gold):
            if "{{" in response:
                time.sleep(2.5)
            return 1.0
    """
    found = fields(time_growth(planted(tmp_path, source, answered(GOLDS))))
    refused = found["open-brace.exponent"]
    assert isinstance(refused, Declined)
    assert refused.reason == "budget_exceeded"
    assert found["worst.exponent"] == refused
    assert found["worst.family"] == Label("open-brace", "too long to fit an exponent")
