"""The sciences: each finds what was planted, and says nothing where nothing was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lens.errors import UsageError
from lens.resource import resource
from lens.studies.science import sciences
from lens.studies.spec import Spec, parse, read
from lens.studies.vacuity import nulls
from measure.store import Store
from measure.studies.freezing import freeze
from measure.studies.subjects import by_arm, measure, tried

SPECS = sorted(resource("content/studies").glob("*.toml"))
DEAR = 5.0  # seconds a subject, beyond which a science is held to what it makes of a reading, not to readings
CHEAP = [path for path in SPECS if sciences()[read(path).science].seconds < DEAR]
TRIED = 0.5  # seconds a null subject, beyond which the freeze alone has tried that nothing is vacuous
BUILT = [  # pilots of what is named are few; freezes tried them
    path for path in CHEAP if not read(path).named and sciences()[read(path).science].seconds < TRIED
]


def values(name: str, plant: dict[str, float], count: int, value: str) -> np.ndarray:
    found = [sciences()[name].measure(seed, plant)[value] for seed in range(count)]
    return np.array(found, float)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_published_spec_is_of_a_science_and_its_fields(path: Any) -> None:
    spec = read(path)
    made = sciences()[spec.science].fields(spec.arms)
    assert spec.id == path.stem
    for one in spec.hypothesis:
        assert one.metric == f"project/{spec.slug}/{spec.science}#{one.field}"
        assert {one.field, one.control_field} <= made.keys()


@pytest.mark.parametrize("name", sorted(sciences()))
def test_a_science_reads_the_same_subject_the_same(name: str) -> None:
    science = sciences()[name]
    spec = next((read(path) for path in CHEAP if read(path).science == name), None)
    if spec is None:
        pytest.skip("no published study is of it, or a subject takes too long")
    plant = spec.arm[0].plant if spec.arm else science.null_plant or {}
    first = science.measure(7, plant)
    assert first == science.measure(7, plant)
    assert first.keys() == science.values.keys()


# Topology


def test_circles_are_flagged_and_rankings_are_not() -> None:
    assert values("topology", {"share": 0.3}, 20, "flagged").mean() > 0.9
    assert values("topology", {"share": 0.0}, 40, "flagged").mean() < 0.2


def test_the_public_threshold_passes_judges_who_rank() -> None:
    """A ranking judge's votes read well above .03, so a flag at .03 says nothing."""
    assert values("topology", {"share": 0.0}, 40, "public").mean() > 0.8


def test_a_judge_who_ranks_surely_is_left_alone_as_well() -> None:
    assert values("topology", {"share": 0.0, "spread": 4.0}, 40, "flagged").mean() < 0.2


def test_the_excess_of_a_judge_who_ranks_is_about_nought() -> None:
    excess = values("topology", {"share": 0.0}, 60, "excess")
    assert abs(excess.mean()) < 3 * excess.std(ddof=1) / 60**0.5 + 0.005


# Capacity


def test_an_untrained_trunk_keeps_all_of_its_interference() -> None:
    assert set(values("capacity", {"width": 8.0, "steps": 0.0}, 3, "kept")) == {1.0}


def test_training_clears_a_trunk_that_has_room() -> None:
    assert values("capacity", {"width": 16.0}, 3, "kept").max() < 0.01
    assert values("capacity", {"width": 4.0}, 3, "kept").min() > 0.2


def test_a_fall_with_width_can_not_be_frozen(tmp_path: Path) -> None:
    """Untrained trunks show it too: random directions are nearer to orthogonal where there is more room."""
    plain = read(resource("content/studies/capacity.toml")).plain
    one = dict(plain["hypothesis"][0]) | {
        "metric": "project/study-capacity/capacity#interference.fall",
        "control": "project/study-capacity/capacity#kept.thirty-two",
        "comparator": "above",
        "threshold": 2.0,
        "smallest": 3.0,
        "kill": {"comparator": "holds", "threshold": 1.0},
    }
    spec = parse(plain | {"hypothesis": [one], "family": ["clears"], "pilot": 8})
    with pytest.raises(UsageError, match="clears is vacuous: re-initialised models, it is confirmed in 200 of 200"):
        freeze(Store.open(tmp_path / "data"), spec, workers=1, show=False)


# Decompiling


def test_the_held_out_tacit_share_is_the_planted_one() -> None:
    assert abs(values("decompiling", {"tacit": 0.2}, 30, "error").mean()) < 0.03
    for tacit in (0.2, 0.5):
        assert values("decompiling", {"tacit": tacit}, 5, "insample").mean() < -0.05
    assert 2.5 < values("decompiling", {"tacit": 0.2}, 10, "kept").mean() < 4.0


def test_a_reward_that_is_all_rubric_has_no_tacit_part() -> None:
    assert values("decompiling", {"tacit": 0.0}, 3, "error").max() < 1e-9


# Thermodynamics


def pulled(monkeypatch: pytest.MonkeyPatch, drifts: list[float]) -> dict[str, float | None]:
    """A made-up run: each feature is paid more than the one before it, their spreads alternate, and they drift so."""
    from lens.studies.sciences import thermodynamics

    rng, names = np.random.default_rng(0), list(thermodynamics.FEATURES)
    sizes = np.array([1.0, 3.0] * 4)
    values = rng.standard_normal((800, 8))
    before = {name: (values[:, at] * sizes[at]).tolist() for at, name in enumerate(names)}
    before |= {"prompt": [at // 8 for at in range(800)], "reward": (values @ np.arange(-3.5, 4.5)).tolist()}
    after = {name: [drifts[at] * sizes[at]] * 2 for at, name in enumerate(names)}
    monkeypatch.setattr(thermodynamics, "_features", lambda seed: (before, after))
    return thermodynamics.measure(1, {})


def test_drifts_in_the_order_of_the_pull(monkeypatch: pytest.MonkeyPatch) -> None:
    found = pulled(monkeypatch, [at - 3.5 for at in range(8)])
    assert found["order"] == pytest.approx(1.0)
    assert found["gain"] == pytest.approx(1.0 - (found["spread"] or 0.0))
    assert found["chance"] != found["order"]


def test_drifts_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pulled(monkeypatch, [3.5 - at for at in range(8)])["order"] == pytest.approx(-1.0)


def test_a_reward_that_never_differs_inside_a_prompt_orders_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from lens.studies.sciences import thermodynamics

    before: dict[str, list[float]] = {name: [0.0, 1.0] * 8 for name in thermodynamics.FEATURES}
    before |= {"prompt": [at // 2 for at in range(16)], "reward": [1.0] * 16}
    monkeypatch.setattr(thermodynamics, "_features", lambda seed: (before, before))
    assert set(thermodynamics.measure(1, {}).values()) == {None}


def test_features_of_a_reply() -> None:
    from lens.studies.sciences.thermodynamics import FEATURES

    assert {name: count("60,611") for name, count in FEATURES.items()} == {
        "characters": 6, "commas": 1, "numbers": 2, "digits": 3, "repeats": 1, "first": 6, "even": 0, "longest": 3,
    }  # fmt: skip


# All of them


def shuffled(spec: Spec) -> dict[str, float]:
    """How often each hypothesis is confirmed on null studies."""
    science = sciences()[spec.science]
    units = tried(spec, "0" * 64, science.null_plant)
    found = nulls(spec, science, by_arm(spec, units, [measure(unit) for unit in units]), seed=0)
    return {name: one.confirmed / one.n for name, one in found.items()}


@pytest.mark.parametrize("path", BUILT, ids=lambda path: path.stem)
def test_no_published_hypothesis_is_vacuous(path: Any) -> None:
    assert max(shuffled(read(path)).values()) < 0.06
