"""A criterion that stands twice is found, independent ones are their null, and Welch's bound holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from lens.models.indices.coherence import closest, coherence, coherence_index, size
from lens.reading import Declined, Measured
from lens.stats.within import correlations
from tests.models.rules import RuleModel, inspect, pairs_of


def _differences(k: int, count: int = 400, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, k))


def test_a_duplicate_reads_one_in_other_units_too() -> None:
    x = _differences(4)
    x[:, 3] = -2.5 * x[:, 1]
    assert coherence(correlations(x)).largest == pytest.approx(1.0)
    assert coherence(correlations(x)).rank == 3
    rows, picked = closest(x, range(400))
    assert size(rows.sum(axis=0)) == pytest.approx(1.0)
    assert set(picked) == {(1, 3)}


def test_independent_criteria_read_nothing_where_the_in_sample_largest_reads_more() -> None:
    found, naive = [], []
    for seed in range(30):
        x = _differences(8, 80, seed)
        found.append(float(size(closest(x, range(80))[0].sum(axis=0))))
        naive.append(coherence(correlations(x)).largest)
    assert abs(np.mean(found)) < 0.06
    assert np.mean(naive) > 0.2


@pytest.mark.parametrize(("k", "d"), [(6, 3), (5, 2), (12, 4), (3, 5)])
def test_welch_is_a_floor_only_where_criteria_outnumber_dimensions(k: int, d: int) -> None:
    x = _differences(d) @ np.random.default_rng(1).normal(size=(d, k))
    found = coherence(correlations(x))
    assert found.rank == min(k, d)
    assert found.largest >= found.floor - 1e-9
    assert found.floor == (pytest.approx(((k - d) / (d * (k - 1))) ** 0.5) if k > d else 0.0)


def test_the_bound_is_met_by_three_directions_of_a_plane() -> None:
    angles = 2 * np.pi * np.arange(3) / 3
    rows = np.stack([np.cos(angles), np.sin(angles)])
    found = coherence(rows.T @ rows)
    assert found.largest == pytest.approx(found.floor) == pytest.approx(0.5)


@dataclass(frozen=True)
class _Criterion:
    weight: float


@dataclass(frozen=True)
class _Rubric(RuleModel):
    """A reward that is the sum of criteria named by letters they count."""

    letters: str = "abc"
    criteria: tuple[_Criterion, ...] = (_Criterion(1.0),) * 3

    def objectives(self, texts: Any) -> dict[str, list[float]]:
        replies = ["".join(map(chr, text.ids[text.response :])) for text in texts]
        return {
            f"{at} {letter}": [float(reply.count(letter)) for reply in replies]
            for at, letter in enumerate(self.letters)
        }


def _read(letters: str, count: int = 60):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(5)
    texts = ["".join(rng.choice(list("abcd"), 12)) for _ in range(2 * count)]
    pairs = pairs_of([(f"q{i}", texts[2 * i], texts[2 * i + 1], "") for i in range(count)])
    return coherence_index(
        inspect(_Rubric(lambda *_: 0.0, letters=letters, criteria=(_Criterion(1.0),) * len(letters)), pairs, draws=300)
    ).reading


def test_the_reading_of_a_rubric_that_asks_twice() -> None:
    reading = _read("aba")
    assert isinstance(reading, Measured)
    assert reading.fields["largest"].value == pytest.approx(1.0)
    assert reading.fields["closest"].value == "0 a and 2 a"
    assert (reading.fields["agreed"].value, reading.fields["dimensions"].value) == (5, 2)
    assert reading.fields["verdict"].value == "redundant"
    assert reading.fields["floor"].value <= 1


def test_declines() -> None:
    assert isinstance(_read("ax"), Declined)
    assert isinstance(_read("ab", count=12), Declined)
    assert isinstance(
        coherence_index(inspect(RuleModel(lambda *_: 0.0), pairs_of([("q", "a", "b", "")]))).reading, Declined
    )
