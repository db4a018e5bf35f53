"""What can be frozen, and each thing that can't, named for what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from study_specs import HOME, coins, hypothesis

from lens.errors import UsageError
from lens.reading import Quantity
from lens.studies.power import power
from lens.studies.science import sciences
from lens.studies.spec import parse, read
from lens.studies.vacuity import Null, nulls
from measure.store import Record, Store
from measure.studies.freezing import freeze


def frozen(root: Path, *said: dict[str, Any], **changes: Any) -> Record:
    return freeze(Store.open(root / "data"), parse(coins(*said, **changes)), workers=1, show=False)


def refused(root: Path, *said: dict[str, Any], **changes: Any) -> str:
    with pytest.raises(UsageError) as caught:
        frozen(root, *said, **changes)
    assert Store.open(root / "data").ids() == []
    return str(caught.value)


def value(record: Record, name: str) -> float:
    field = record.fields[name]
    assert isinstance(field, Quantity)
    return field.value


def test_a_freeze_keeps_the_spec_whole(tmp_path: Path) -> None:
    record = frozen(tmp_path)
    assert record.id == "project/study-coins/freeze"
    assert parse(record.evidence.parameters["spec"]) == parse(coins())
    assert value(record, "heavy.power") > 0.9
    assert value(record, "heavy.null") <= 3
    assert value(record, "hypotheses") == 1


def test_the_same_spec_again_writes_nothing(tmp_path: Path) -> None:
    first = frozen(tmp_path)
    assert frozen(tmp_path).digest == first.digest
    assert len(Store.open(tmp_path / "data").history(first.id)) == 1


def test_two_freezes_of_one_id(tmp_path: Path) -> None:
    first = frozen(tmp_path)
    with pytest.raises(UsageError, match="study coins is frozen already, version 1, and says something else"):
        frozen(tmp_path, prediction="They don't.")
    second = frozen(tmp_path, prediction="They don't.", version=2, amends="the prediction")
    assert second.id == "project/study-coins/freeze~v2"
    assert first.digest in {one.digest for one in second.evidence.inputs}


def test_a_later_version_needs_the_first(tmp_path: Path) -> None:
    assert "amends version 1, which isn't frozen" in refused(tmp_path, version=2, amends="the first")
    assert "says in `amends` what changed" in refused(tmp_path, version=2)


# Refusals


def test_a_metric_no_instrument_produces(tmp_path: Path) -> None:
    assert "no instrument produces project/study-coins/coin#weight.heavy" in refused(
        tmp_path, hypothesis(metric="weight.heavy")
    )
    assert "no instrument produces project/study-coins/coin#height.thin, the control of heavy" in refused(
        tmp_path, hypothesis(control=f"{HOME}height.thin")
    )
    assert "no science is called 'alchemy'" in refused(tmp_path, science="alchemy")


@pytest.mark.parametrize("control", [None, ""])
def test_a_missing_control(tmp_path: Path, control: str | None) -> None:
    assert "hypothesis 'heavy' has no control" in refused(tmp_path, hypothesis(control=control))


def test_its_own_control(tmp_path: Path) -> None:
    assert "heavy is its own control" in refused(tmp_path, hypothesis(control=f"{HOME}height.heavy"))


def test_a_power_below_four_fifths(tmp_path: Path) -> None:
    assert "heavy has power 0." in refused(tmp_path, hypothesis(smallest=0.7))


def test_a_hypothesis_confirmed_where_labels_are_shuffled(tmp_path: Path) -> None:
    """Half of all coins fall heads, whatever they are called."""
    arms = [{"name": arm, "units": 60, "plant": {"mean": -1.0}} for arm in ("light", "heavy")]
    said = hypothesis(metric="heads.heavy", threshold=0.1, smallest=0.4)
    assert "heavy is vacuous: arms' labels shuffled, it is confirmed in 200 of 200 null studies" in refused(
        tmp_path, said, arm=arms
    )


def test_a_tautology_by_identity(tmp_path: Path) -> None:
    said = hypothesis(metric="level.heavy", control=f"{HOME}level.light")
    assert "heavy is a tautology: level is 1 on every subject of the pilot" in refused(tmp_path, said)


def test_a_tautology_by_range(tmp_path: Path) -> None:
    said = hypothesis(metric="size.heavy", control=f"{HOME}height.light", threshold=-0.5)
    assert "heavy is a tautology: every size lies between 0 and 1" in refused(tmp_path, said)


def test_a_tautology_of_how_subjects_are_built(tmp_path: Path) -> None:
    """A coin's height is its mean and its own chance: two means apart, on every seed."""
    said = hypothesis(metric="height.more", control=f"{HOME}height.light", smallest=2.0)
    assert "the difference of heavy and light is 2 on every seed of the pilot" in refused(tmp_path, said)


def test_fewer_than_eight_clusters(tmp_path: Path) -> None:
    arms = [{"name": "light", "units": 30}, {"name": "heavy", "units": 7, "plant": {"mean": 2.0}}]
    assert "heavy stands on 7 of heavy: under 8 clusters there is no interval" in refused(tmp_path, arm=arms)


def test_a_metric_that_declines(tmp_path: Path) -> None:
    arms = [{"name": "light", "units": 30}, {"name": "heavy", "units": 30, "plant": {"mean": 2.0, "lost": 0.95}}]
    assert "height declines on too many subjects of the pilot" in refused(tmp_path, arm=arms)


def test_a_scorecard_that_is_not_in_the_store(tmp_path: Path) -> None:
    cited = "project/kill-matrix/scorecard~planted"
    assert f"it cites {cited}, which isn't in the store" in refused(tmp_path, cites=[cited])


def test_another_unit_than_the_sciences(tmp_path: Path) -> None:
    assert "the unit of coin is the coin, not the toss" in refused(tmp_path, unit="toss")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"family": []}, "its family must name every hypothesis once"),
        ({"alpha": 0.2}, "alpha is 0.2: above 0 and at most .05"),
        ({"arm": []}, "it has no subjects"),
        ({"subject": [{"spec": "a"}]}, "either built after the freeze"),
        ({"id": "Coins 1"}, "not lower-case words joined by hyphens"),
        ({"hypotheses": []}, "unknown field `hypotheses`"),
    ],
)
def test_what_is_off_in_a_spec(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(coins(**changes))
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"smallest": 0.4}, "is not on the predicted side"),
        ({"metric": "height"}, "not id#field"),
        ({"margin": 0.1}, "a margin belongs to `within`"),
        ({"comparator": "within"}, "`within` needs one"),
        ({"kill": None}, "missing required field `kill`"),
    ],
)
def test_what_is_off_in_a_hypothesis(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(
            coins({"name": "heavy"} | hypothesis() | changes if None not in changes.values() else hypothesis(**changes))
        )
    assert why in str(caught.value)


def test_a_spec_that_is_no_toml(tmp_path: Path) -> None:
    path = tmp_path / "coins.toml"
    path.write_text("id = coins")
    with pytest.raises(UsageError, match="is not TOML"):
        read(path)
    with pytest.raises(UsageError, match="No such file"):
        read(tmp_path / "none.toml")


# What they are judged by


def test_power_is_the_tests_own() -> None:
    """A t test of 30 units a standard deviation apart from the threshold; and one that lies on it."""
    spec, science = parse(coins(hypothesis(smallest=1.0))), sciences()["coin"]
    pilot = {"heavy": [-1.5, -1.0, -0.5, -0.2, 0.2, 0.5, 1.0, 1.5], "light": [0.0] * 8}
    (one,) = spec.hypothesis
    assert 0.7 < power(spec, science, one, pilot, seed=0) < 0.95  # t test of .53 sd, n = 30
    (close,) = parse(coins(hypothesis(smallest=0.501))).hypothesis
    assert power(spec, science, close, pilot, seed=0) < 0.08


def test_power_of_a_share_is_the_binomials() -> None:
    """30 coins, more heads than half at alpha .05: from 21 on, which chance .8 gives in 94 of 100."""
    said = hypothesis(metric="heads.heavy", control=f"{HOME}heads.light", smallest=0.8)
    spec = parse(coins(said))
    assert power(spec, sciences()["coin"], spec.hypothesis[0], {}, seed=0) == pytest.approx(0.939, abs=0.04)


def test_a_null_study_is_confirmed_as_often_as_alpha_says() -> None:
    """All arms alike, with the truth on the threshold: one side of a two-sided test."""
    spec, science = parse(coins(hypothesis(threshold=0.0))), sciences()["coin"]
    units = {
        arm: [science.measure(seed + at, {}) for seed in range(400)] for at, arm in ((0, "light"), (9000, "heavy"))
    }
    found = nulls(spec, science, units, seed=0)["heavy"]
    assert found.n == 200
    assert found.confirmed < 25


def test_a_vacuous_share_of_null_studies_is_told_from_alpha() -> None:
    assert not Null(10, 200).vacuous(0.05)
    assert Null(20, 200).vacuous(0.05)
    assert not Null(0, 200).vacuous(0.05)


@pytest.mark.parametrize(
    ("unit", "units"),
    [("coin", "coins"), ("planted judge", "planted judges"), ("trunk under four heads", "trunks under four heads")],
)
def test_several_of_a_unit(unit: str, units: str) -> None:
    assert parse(coins(unit=unit)).units == units
