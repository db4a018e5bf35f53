"""Studies whose predictions are frozen before anybody has named what they are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from study_specs import coins, hypothesis

from lens.errors import UsageError
from lens.reading import Declined
from lens.studies.seeds import seed_of
from lens.studies.spec import parse
from measure.commands.study import command
from measure.store import Store
from measure.studies.classes import classed
from measure.studies.freezing import freeze, name
from measure.studies.running import freeze_of, run

HOME = "project/study-coins/sealed-coin"


def named(kind: str = "model", **changes: Any) -> dict[str, Any]:
    """Coins that somebody names: one that is thrown many times, or many."""
    said = hypothesis(metric="height.heavy", control=f"{HOME}#height.light", threshold=0.5)
    said["metric"] = f"{HOME}#height.heavy"
    arms = [
        {"name": "light", "units": 16, "plant": {"mean": 0.0, "thrown": 0.01}},
        {"name": "heavy", "units": 16, "plant": {"mean": 2.0, "thrown": 1.0}},
    ]
    return coins(said, science="sealed-coin", named=kind, arm=arms, **changes)


def coin(folder: Path, height: float, at: int = 0) -> str:
    path = folder / f"{at}-{height:g}.txt"
    path.write_text(str(height))
    return str(path)


def frozen(root: Path, plain: dict[str, Any], subjects: list[str]) -> Store:
    store = Store.open(root / "data")
    spec = parse(plain)
    freeze(store, spec, workers=1, show=False)
    if subjects:
        freeze(store, name(store, spec, subjects), workers=1, show=False)
    return store


def test_without_a_subject_its_reading_waits_with_the_command(tmp_path: Path) -> None:
    store = frozen(tmp_path, named(), [])
    reading = store.record(HOME).evidence.reading
    assert isinstance(reading, Declined)
    assert (reading.reason, "--subject MODEL" in reading.remedy) == ("not_run", True)
    spec, record = freeze_of(store, "coins")
    assert classed(store, spec).name == "not run"
    with pytest.raises(UsageError, match="coins waits for a reward model"):
        run(store, spec, record, workers=1, show=False)


def test_a_later_version_waits_beside_the_first(tmp_path: Path) -> None:
    store = frozen(tmp_path, named(), [])
    freeze(store, parse(named(version=2, amends="it asks again")), workers=1, show=False)
    first, second = store.record(HOME).evidence, store.record(f"{HOME}~v2").evidence
    assert [len(store.history(one.id)) for one in (first, second)] == [1, 1]
    assert first.inputs != second.inputs


def test_a_named_subject_is_sealed_and_every_unit_drawn_on_it_from_the_freeze(tmp_path: Path) -> None:
    there = coin(tmp_path, 3.0)
    store = frozen(tmp_path, named(), [there])
    spec, record = freeze_of(store, "coins")
    assert (spec.version, spec.subject[0].spec) == (2, there)
    run(store, spec, record, workers=1, show=False)
    units = store.table(f"{HOME}~v2", "units").to_pydict()
    assert units["seed"] == [seed_of(record.digest, at) for at in range(32)]
    assert set(units["subject"]) == {there}
    assert len(set(units["height"])) == 32
    assert classed(store, spec).name == "sealed"
    assert store.trust(f"{HOME}~v2").level == "adjudicated"
    assert isinstance(store.record(HOME).evidence.reading, Declined)


def test_what_was_tried_before_it_was_named_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = frozen(tmp_path, named(), [])
    monkeypatch.setenv("COINS", str(tmp_path / "count"))
    freeze(store, name(store, parse(named()), [coin(tmp_path, 3.0)]), workers=1, show=False)
    first, second = (store.record(f"project/study-coins/freeze{version}").fields for version in ("", "~v2"))
    assert first["heavy.power"] == second["heavy.power"]
    assert not (tmp_path / "count").exists()


def test_another_subject_is_another_version_and_the_same_one_is_not(tmp_path: Path) -> None:
    one, other = coin(tmp_path, 3.0), coin(tmp_path, 4.0)
    store = frozen(tmp_path, named(), [one])
    spec = parse(named())
    assert name(store, spec, [one]).version == 2
    assert name(store, spec, [other]).version == 3


def test_each_of_many_runs_is_a_unit_of_its_arm(tmp_path: Path) -> None:
    runs = [f"heavy={coin(tmp_path, 2 + at / 15, at)}" for at in range(16)]
    runs += [f"light={coin(tmp_path, at / 15, 20 + at)}" for at in range(16)]
    store = frozen(tmp_path, named("runs"), runs)
    spec, record = freeze_of(store, "coins")
    assert spec.arms == {"light": 16, "heavy": 16}
    (verdict,) = run(store, spec, record, workers=1, show=False)
    assert verdict.outcome == "confirmed"
    assert classed(store, spec).name == "sealed"


@pytest.mark.parametrize(
    ("kind", "subjects", "said"),
    [
        ("runs", ["heavy=1"], "arm light takes 16 runs or more, and 0 are named"),
        ("model", ["1", "2"], "it is of one model, and 2 are named"),
        ("", ["1"], "builds its subjects: it takes none"),
    ],
)
def test_subjects_that_do_not_fit_are_refused(tmp_path: Path, kind: str, subjects: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        name(Store.open(tmp_path / "data"), parse(named(kind) if kind else coins()), subjects)


def typed(root: Path, *words: str) -> Result:
    return CliRunner().invoke(command, [*words, "--data", str(root / "data"), "--content", str(root / "content")])


def test_running_every_study_leaves_out_those_that_wait(tmp_path: Path) -> None:
    store = frozen(tmp_path, named(), [])
    freeze(store, parse(coins(id="others", hypothesis=[others()])), workers=1, show=False)
    done = typed(tmp_path, "run", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["others"]


def others() -> dict[str, Any]:
    home = "project/study-others/coin#"
    return hypothesis(metric="height.heavy") | {
        "metric": f"{home}height.heavy",
        "control": f"{home}height.light",
    }
