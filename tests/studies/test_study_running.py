"""From freeze to outcome: subjects built from its digest, resumed where they stopped, and called what they are."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from study_specs import HOME, coins, hypothesis

from lens.errors import StoreError, UsageError
from lens.reading import Declined, Evidence, Label, Measured, Quantity, Subject
from lens.studies.seeds import seed_of
from lens.studies.spec import Spec, parse
from measure.commands.study import command
from measure.store import Made, Record, Store
from measure.studies.classes import classed
from measure.studies.freezing import freeze
from measure.studies.running import freeze_of, run

TOML = """\
id = "coins"
title = "Coins"
question = "Do heavy coins lie high?"
prediction = "They do."
refuted-by = "A mean below a half."
science = "coin"
unit = "coin"
family = ["heavy"]

[[arm]]
name = "light"
units = 30
plant = { mean = 0.0 }

[[arm]]
name = "heavy"
units = 30
plant = { mean = 2.0 }

[[hypothesis]]
name = "heavy"
says = "heavy coins lie high"
metric = "project/study-coins/coin#height.heavy"
comparator = "above"
threshold = 0.5
control = "project/study-coins/coin#height.light"
smallest = 1.5
kill = { comparator = "below", threshold = 0.0 }
"""


def ran(root: Path, plain: dict[str, Any] | None = None) -> tuple[Store, Spec, Record]:
    """A study frozen and run."""
    store = Store.open(root / "data")
    freeze(store, parse(plain or coins()), workers=1, show=False)
    spec, record = freeze_of(store, "coins")
    run(store, spec, record, workers=1, show=False)
    return store, spec, record


def outcome(store: Store, name: str = "heavy") -> tuple[str, str]:
    field = store.record("project/study-coins/adjudication").fields[f"{name}.outcome"]
    assert isinstance(field, Label)
    return field.value, field.note


def typed(root: Path, *words: str) -> Result:
    folders = ("--data", str(root / "data"))
    return CliRunner().invoke(command, [*words, *folders], catch_exceptions=True)


# From freeze to outcome


def test_a_study_from_freeze_to_outcome(tmp_path: Path) -> None:
    store, spec, record = ran(tmp_path)
    assert outcome(store) == ("confirmed", "it lies where it was predicted to, and its control does not")
    height = store.record("project/study-coins/coin").fields["height.heavy"]
    assert isinstance(height, Quantity)
    assert height.value == pytest.approx(2.0, abs=0.5)
    assert height.control == "height.light"
    table = store.table("project/study-coins/coin", "units")
    assert table["seed"].to_pylist() == [seed_of(record.digest, at) for at in range(60)]
    assert classed(store, spec).name == "prospective"
    assert store.trust("project/study-coins/coin").level == "adjudicated"


def test_a_refuted_prediction_is_kept_as_a_confirmed_one_is(tmp_path: Path) -> None:
    """The arms' truth is nought, whatever was thought."""
    arms = [{"name": "light", "units": 90}, {"name": "heavy", "units": 90, "plant": {"mean": 0.0}}]
    store, _, _ = ran(tmp_path, coins(arm=arms))
    assert outcome(store)[0] == "refuted"
    assert store.trust("project/study-coins/coin").level == "adjudicated"


def test_running_again_is_legal_and_writes_nothing(tmp_path: Path) -> None:
    store, spec, record = ran(tmp_path)
    before = store.line("project/study-coins/coin").digest
    run(store, spec, record, workers=1, show=False)
    assert len(store.history("project/study-coins/coin")) == 1
    assert store.line("project/study-coins/coin").digest == before


def test_subjects_that_vanish_make_it_void(tmp_path: Path) -> None:
    arms = [{"name": "light", "units": 30}, {"name": "heavy", "units": 30, "plant": {"mean": 2.0, "lost": 0.2}}]
    store, _, _ = ran(tmp_path, coins(arm=arms))
    verdict, why = outcome(store)
    assert verdict == "void"
    assert "of 30 subjects of heavy vanished or declined" in why
    field = store.record("project/study-coins/coin").fields["height.heavy"]
    assert isinstance(field, Declined)
    assert field.reason == "void"


# A study interrupted half-way


def test_a_stopped_study_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.open(tmp_path / "data")
    freeze(store, parse(coins()), workers=1, show=False)
    spec, record = freeze_of(store, "coins")
    monkeypatch.setenv("COINS", str(tmp_path / "read"))
    monkeypatch.setenv("COINS_END", "25")
    with pytest.raises(KeyboardInterrupt):
        run(store, spec, record, workers=1, show=False)
    assert not store.has("project/study-coins/coin")
    assert not store.has("project/study-coins/adjudication")
    monkeypatch.delenv("COINS_END")
    run(store, spec, record, workers=1, show=False)
    seeds = (tmp_path / "read").read_text().split()
    assert len(seeds) == 61  # the one at which it died is read again, and no other
    assert len(set(seeds)) == 60
    assert outcome(store)[0] == "confirmed"


# Named for what it is


def test_a_run_without_a_freeze(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="study coins isn't frozen"):
        freeze_of(Store.open(tmp_path / "data"), "coins")


def test_an_edited_freeze(tmp_path: Path) -> None:
    ran(tmp_path)
    path = tmp_path / "data/evidence/project/study-coins/freeze.json"
    path.write_text(path.read_text().replace("They do.", "They might."))
    with pytest.raises(StoreError, match="its bytes are not the ones the manifest records"):
        freeze_of(Store.open(tmp_path / "data"), "coins")


def test_an_edited_spec(tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "studies").mkdir(parents=True)
    spec = content / "studies/coins.toml"
    spec.write_text(TOML)
    assert typed(tmp_path, "freeze", str(spec), "--workers", "1").exit_code == 0
    spec.write_text(TOML.replace("threshold = 0.5", "threshold = 0.1"))
    stopped = typed(tmp_path, "run", "coins", "--content", str(content))
    assert f"{spec} was edited after it was frozen: hypothesis" in str(stopped.exception)
    assert (
        "edited after it was frozen: hypothesis" in typed(tmp_path, "show", "coins", "--content", str(content)).output
    )


def test_measured_without_the_freeze(tmp_path: Path) -> None:
    store, spec, _ = ran(tmp_path)
    record = store.record("project/study-coins/coin")
    free = msgspec.structs.replace(record.evidence, inputs=())
    store.write([(free, {"units": store.table(record.id, "units").to_pydict()}, record.made)])
    found = classed(store, spec)
    assert found.name == "not registered"
    assert found.why.endswith("it was measured without it")
    assert store.trust(record.id).level == "exploratory"


def test_other_subjects_than_the_freeze_gives(tmp_path: Path) -> None:
    store, spec, _ = ran(tmp_path)
    record = store.record("project/study-coins/coin")
    table = store.table(record.id, "units").to_pydict()
    table["seed"][3] += 1
    store.write([(msgspec.structs.replace(record.evidence, seed=1), {"units": table}, record.made)])
    assert classed(store, spec).name == "retrospective"


def test_a_science_that_changed_its_version(tmp_path: Path) -> None:
    store, spec, record = ran(tmp_path)
    science = record.evidence.parameters["science"]
    older = msgspec.structs.replace(
        record.evidence, parameters=record.evidence.parameters | {"science": science | {"version": 0}}
    )
    store.write([(older, {}, record.made)])
    with pytest.raises(UsageError, match="coin is at version 1, and coins was frozen with 0"):
        run(store, spec, store.record(record.id), workers=1, show=False)


def git(folder: Path, *words: str) -> str:
    whose = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(["git", "-C", str(folder), *whose, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_freeze_that_is_not_committed(tmp_path: Path) -> None:
    """In a git work tree the freeze is committed first, and the order is told from commits."""
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-qm", "Nothing", "--allow-empty")
    nothing = git(tmp_path, "rev-parse", "HEAD")
    with pytest.raises(UsageError, match="the freeze of coins isn't committed"):
        ran(tmp_path)
    git(tmp_path, "add", "data")
    git(tmp_path, "commit", "-qm", "Freeze")
    store, _, _ = ran(tmp_path)
    assert "order: self-attested" in typed(tmp_path, "show", "coins").output
    _measured_at(store, git(tmp_path, "rev-parse", "HEAD"), seed=1)
    assert "order: the freeze is an ancestor commit of the measurement" in typed(tmp_path, "show", "coins").output
    _measured_at(store, nothing, seed=2)
    told = typed(tmp_path, "show", "coins").output
    assert "class: not registered: the freeze is in no ancestor of the commit it was measured at" in told


def _measured_at(store: Store, revision: str, seed: int) -> None:
    """The reading as if it had been made at another commit."""
    record = store.record("project/study-coins/coin")
    tables = {"units": store.table(record.id, "units").to_pydict()}
    made = msgspec.structs.replace(record.made, revision=revision)
    store.write([(msgspec.structs.replace(record.evidence, seed=seed), tables, made)])


def test_a_scorecard_that_is_no_longer_what_was_cited(tmp_path: Path) -> None:
    card = Evidence(
        "scorecard",
        1,
        Subject("project", "coin", "coin", "c" * 64),
        Measured({"passed": Label("yes")}, "passed", "coins"),
        variant="mint",
    )
    store = Store.open(tmp_path / "data")
    store.write([(card, {}, Made("2026-11-30T00:00:00Z"))])
    freeze(store, parse(coins(cites=[card.id])), workers=1, show=False)
    store.write([(msgspec.structs.replace(card, seed=1), {}, Made("2026-11-30T00:00:01Z"))])
    spec, record = freeze_of(store, "coins")
    with pytest.raises(UsageError, match=f"coins rests on {card.id}, which isn't in the store as it was frozen"):
        run(store, spec, record, workers=1, show=False)
    assert not store.has("project/study-coins/coin")


# Sealed and retrospective


def sealed(root: Path, count: int = 12) -> dict[str, Any]:
    """Coins that lie in files."""
    for at in range(count):
        (root / f"{at}.coin").write_text(str(2.0 + at / 10))
    home = "project/study-coins/sealed-coin#"
    said = hypothesis(metric="", spread=0.5) | {
        "metric": f"{home}height.sealed",
        "control": f"{home}height.light",
    }
    subjects = [{"spec": str(root / f"{at}.coin")} for at in range(count)]
    for at in range(8):
        (root / f"light{at}.coin").write_text(str(at / 10 - 0.4))
        subjects.append({"spec": str(root / f"light{at}.coin"), "arm": "light"})
    return coins(said, science="sealed-coin", arm=[], subject=subjects)


def test_sealed_subjects(tmp_path: Path) -> None:
    store, spec, record = ran(tmp_path, sealed(tmp_path))
    assert outcome(store)[0] == "confirmed"
    assert classed(store, spec).name == "sealed"
    assert store.trust("project/study-coins/sealed-coin").level == "adjudicated"
    assert len([one for one in record.evidence.inputs if one.role == "subject"]) == 20


def test_a_subject_seen_before_its_freeze(tmp_path: Path) -> None:
    plain = sealed(tmp_path)
    other = ran(tmp_path / "other", coins())[0].record("project/study-coins/coin")
    seen = msgspec.structs.replace(
        other.evidence,
        inputs=(),
        subject=msgspec.structs.replace(other.evidence.subject, slug="seen", fingerprint=_digest(tmp_path / "3.coin")),
    )
    store = Store.open(tmp_path / "data")
    store.write([(seen, {}, other.made)])
    store, spec, _ = ran(tmp_path, plain)
    found = classed(store, spec)
    assert found.name == "retrospective"
    assert found.why == f"predicted after the data existed: project/seen/coin reads {tmp_path / '3.coin'}"
    assert store.trust("project/study-coins/sealed-coin").level == "exploratory"


def test_a_sealed_subject_that_vanished(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    freeze(store, parse(sealed(tmp_path)), workers=1, show=False)
    (tmp_path / "4.coin").unlink()
    spec, record = freeze_of(store, "coins")
    run(store, spec, record, workers=1, show=False)
    assert outcome(store) == ("void", "the metric can't be read: 1 of 12 subjects of sealed vanished or declined")


def test_a_sealed_subject_that_is_not_there_to_be_sealed(tmp_path: Path) -> None:
    plain = sealed(tmp_path)
    (tmp_path / "4.coin").unlink()
    with pytest.raises(UsageError, match="isn't there"):
        freeze(Store.open(tmp_path / "data"), parse(plain), workers=1, show=False)


def test_sealed_subjects_without_a_stated_spread(tmp_path: Path) -> None:
    plain = sealed(tmp_path)
    plain["hypothesis"][0].pop("spread")
    with pytest.raises(UsageError, match="no pilot can be run"):
        freeze(Store.open(tmp_path / "data"), parse(plain), workers=1, show=False)


def test_sealed_subjects_of_one_cluster_count_once(tmp_path: Path) -> None:
    plain = sealed(tmp_path)
    for one in plain["subject"][:5]:
        one["cluster"] = "mint"
    spec = parse(plain)
    assert spec.arms == {"sealed": 8, "light": 8}
    store, _, _ = ran(tmp_path, plain)
    height = store.record("project/study-coins/sealed-coin").fields["height.sealed"]
    assert isinstance(height, Quantity)
    assert height.n == 8
    assert height.value == pytest.approx((2.2 + sum(2.0 + at / 10 for at in range(5, 12))) / 8)


# The command


def test_the_command_from_freeze_to_outcome(tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "studies").mkdir(parents=True)
    (content / "studies/coins.toml").write_text(TOML)
    assert typed(tmp_path, "ls", "--content", str(content)).output == "coins  it was never frozen\n"
    frozen = typed(tmp_path, "freeze", str(content / "studies/coins.toml"), "--workers", "1")
    digest = Store.open(tmp_path / "data").line("project/study-coins/freeze").digest
    assert f"digest: {digest}" in frozen.output
    assert typed(tmp_path, "ls", "--content", str(content)).output == "coins  version 1, not run\n"
    assert "heavy: confirmed" in typed(tmp_path, "run", "coins", "--workers", "1", "--content", str(content)).output
    assert typed(tmp_path, "ls", "--content", str(content)).output == "coins  version 1, prospective: 1 confirmed\n"
    told = typed(tmp_path, "show", "coins", "--content", str(content)).output
    for line in (
        "prediction: They do.",
        "refuted by: A mean below a half.",
        "class: prospective: every subject was built from a seed that the freeze's digest gives",
        f"freeze: {digest}",
        "CONFIRMED  heavy: heavy coins lie high",
        f"control {HOME}height.light",
        "trust: adjudicated",
    ):
        assert line in told


def test_a_study_nobody_knows(tmp_path: Path) -> None:
    assert "no study is called 'nothing'" in str(typed(tmp_path, "show", "nothing").exception)


def _digest(path: Path) -> str:
    from lens.canonical import file_digest

    return file_digest(path)
