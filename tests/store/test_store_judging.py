"""Stale, in conflict, to be believed: computed from the store and what lies here, never from what a record says."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from store_samples import MADE, bare, evidence

from lens.canonical import file_digest
from lens.errors import StoreError
from lens.instrument import registry
from lens.reading import Declined, Evidence, Input, Label, Measured, Quantity, Quote, Reported, Subject
from lens.resource import resource
from measure.store import Line, Made, Store

ID = "graders/a/kill-matrix"


def measured(**changes: Any) -> Evidence:
    """A reading by an instrument the registry knows, at its version."""
    name, entry = next(iter(registry("graders").items()))
    return evidence(instrument=name, **({"version": entry.version, "inputs": ()} | changes))


def written(root: Path, *all: Evidence) -> Store:
    store = Store.open(root / "data")
    store.write([(one, {}, MADE) for one in all])
    return store


def state(store: Store, fingerprint: Any = None) -> tuple[str, str]:
    found = store.staleness(store.ids()[0], fingerprint)
    return found.state, "; ".join(found.why)


# Staleness


def test_nothing_changed(tmp_path: Path) -> None:
    store = written(tmp_path, measured())
    assert state(store, lambda line: line.subject) == ("fresh", "")


def test_the_instrument_has_another_version(tmp_path: Path) -> None:
    one = measured()
    store = written(tmp_path, msgspec.structs.replace(one, version=one.version + 1))
    now = f"{one.instrument} is at version {one.version}, measured with {one.version + 1}"
    assert state(store) == ("stale", now)


def test_the_instrument_is_not_installed(tmp_path: Path) -> None:
    store = written(tmp_path, evidence(instrument="no-such-instrument", inputs=()))
    assert state(store) == ("not-checkable", "no instrument no-such-instrument is installed here")


def test_the_subject_changed(tmp_path: Path) -> None:
    store = written(tmp_path, measured())
    asked: list[Line] = []

    def now(line: Line) -> str:
        asked.append(line)
        return "e" * 64

    assert state(store, now) == ("stale", f"graders/a changed: it is {'e' * 12} now, was {'f' * 12} when measured")
    assert asked[0].spec == "pypi:a==1.0/a:score"


def test_the_subject_is_not_here(tmp_path: Path) -> None:
    assert state(written(tmp_path, measured()), lambda line: None) == (
        "not-checkable",
        "pypi:a==1.0/a:score isn't on this machine",
    )


def given(locator: str, digest: str) -> Evidence:
    return measured(inputs=(Input("corpus", "gold", digest, locator),))


def test_a_file_beside_the_store(tmp_path: Path) -> None:
    rows = tmp_path / "my.jsonl"
    rows.write_text("one\n")
    store = written(tmp_path, given("file:my.jsonl", file_digest(rows)))
    assert state(store) == ("fresh", "")
    rows.write_text("two\n")
    was, now = sha256(b"one\n").hexdigest()[:12], sha256(b"two\n").hexdigest()[:12]
    assert state(store) == ("stale", f"gold changed: file:my.jsonl is {now} now, was {was} when measured")
    rows.unlink()
    assert state(store) == ("not-checkable", "gold: file:my.jsonl isn't on this machine")


def test_time_alone_changes_nothing(tmp_path: Path) -> None:
    rows = tmp_path / "my.jsonl"
    rows.write_text("one\n")
    store = written(tmp_path, given("file:my.jsonl", file_digest(rows)))
    import os

    os.utime(rows, (0, 0))
    assert state(store) == ("fresh", "")


def test_the_shared_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tmp_path / "elsewhere/data/graders/x.jsonl"
    rows.parent.mkdir(parents=True)
    rows.write_text("one\n")
    store = written(tmp_path / "site", given("shared:graders/x.jsonl", file_digest(rows)))
    monkeypatch.setenv("EVIDENCE_LENS_SHARED", str(tmp_path / "elsewhere"))
    assert state(store) == ("fresh", "")
    monkeypatch.setenv("EVIDENCE_LENS_SHARED", str(tmp_path / "nowhere"))
    assert state(store) == ("not-checkable", "gold: shared:graders/x.jsonl isn't on this machine")


def test_the_shared_corpora_beside_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVIDENCE_LENS_SHARED", raising=False)
    rows = tmp_path / "shared/data/graders/x.jsonl"
    rows.parent.mkdir(parents=True)
    rows.write_text("one\n")
    assert state(written(tmp_path / "checkout", given("shared:graders/x.jsonl", file_digest(rows)))) == ("fresh", "")


def test_what_the_package_carries(tmp_path: Path) -> None:
    carried = next(path for path in resource("data/corpora").rglob("*") if path.is_file())
    name = carried.relative_to(resource("data")).as_posix()
    assert state(written(tmp_path, given(f"package:{name}", file_digest(carried)))) == ("fresh", "")
    assert state(written(tmp_path / "b", given(f"package:{name}", "0" * 64)))[0] == "stale"
    missing = written(tmp_path / "c", given("package:corpora/none.jsonl", "0" * 64))
    assert state(missing) == ("not-checkable", "gold: package:corpora/none.jsonl isn't on this machine")


def test_rows_derived_from_a_source_stand_while_it_does(tmp_path: Path) -> None:
    source = tmp_path / "my.jsonl"
    source.write_text("one\n")
    locator = f"derived from file:my.jsonl sha256:{file_digest(source)}"
    store = written(tmp_path, given(locator, "d" * 64))
    assert state(store) == ("fresh", "")
    source.write_text("two\n")
    assert state(store)[0] == "stale"


def test_a_folder_is_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "logs").mkdir(parents=True)
    (folder / "logs/0.txt").write_text("a")
    from measure.store.locate import Locator

    digest = Locator(tmp_path / "data", lambda id: None)._digest(folder)
    store = written(tmp_path, given("file:run", digest))
    assert state(store) == ("fresh", "")
    (folder / "logs/0.txt").rename(folder / "logs/1.txt")
    assert state(store)[0] == "stale"


def test_another_record_as_input(tmp_path: Path) -> None:
    store = written(tmp_path, evidence("z", 1))
    store.write([(given("evidence:graders/z/kill-matrix", store.line("graders/z/kill-matrix").digest), {}, MADE)])
    assert state(store) == ("fresh", "")
    store.write([(evidence("z", 2), {}, MADE)])
    assert state(store)[0] == "stale"


@pytest.mark.parametrize("locator", ["", "somewhere", "pypi:verl==0.9.1"])
def test_a_locator_that_leads_nowhere(tmp_path: Path, locator: str) -> None:
    assert state(written(tmp_path, given(locator, "d" * 64)))[0] == "not-checkable"


def test_one_changed_input_outweighs_one_unseen(tmp_path: Path) -> None:
    (tmp_path / "my.jsonl").write_text("two\n")
    inputs = (Input("corpus", "a", "d" * 64, "file:gone.jsonl"), Input("corpus", "b", "d" * 64, "file:my.jsonl"))
    found = written(tmp_path, measured(inputs=inputs))
    assert state(found)[0] == "stale"


def test_figures_of_others_have_no_instrument_here(tmp_path: Path) -> None:
    quoted = Reported({"killed": Quote("5", "mutants")}, "killed", "A paper", "table 2", "d" * 64)
    store = written(tmp_path, evidence(instrument="reported", reading=quoted, inputs=()))
    assert state(store, lambda line: None) == ("fresh", "")


def test_a_benchmark_has_no_instrument_either(tmp_path: Path) -> None:
    project = Subject("project", "evidence-lens", "evidence-lens", "bench")
    assert state(written(tmp_path, evidence(instrument="bench", subject=project, inputs=())))[0] == "fresh"


# Conflicts


def found(tmp_path: Path, *all: Evidence) -> list[str]:
    return [str(conflict) for conflict in written(tmp_path, *all).conflicts()]


def reading(killed: int, **fields: Any) -> Measured:
    return Measured({"killed": Quantity(killed, "mutants", "count", of=374), **fields}, "killed", "x")


def test_two_live_values_of_one_quantity(tmp_path: Path) -> None:
    one, two = evidence(reading=reading(5)), evidence(reading=reading(6), variant="again")
    assert found(tmp_path, one, two) == [f"killed is '5 of 374 mutants' in {ID} but '6 of 374 mutants' in {ID}~again"]


@pytest.mark.parametrize(
    "second",
    [
        {"reading": reading(6), "varied": {"access": "log"}},
        {"reading": reading(6), "differs": "five golds were added"},
        {"reading": reading(6), "supersedes": ID},
        {"reading": reading(5)},
        {"reading": reading(6), "instrument": "survivors"},
        {"reading": reading(6), "subject": Subject("graders", "b", "Grader b", "f" * 64)},
        {"reading": Measured({"killed": Declined("not_run", "no time", "lens measure")}, "killed", "x")},
        {"reading": Measured({"other": Quantity(6, "mutants", "size")}, "other", "x")},
    ],
    ids=["varied", "differs", "supersedes", "equal", "instrument", "subject", "declined", "other-field"],
)
def test_what_is_no_conflict(tmp_path: Path, second: dict[str, Any]) -> None:
    assert found(tmp_path, evidence(reading=reading(5)), evidence(variant="again", **second)) == []


def test_superseding_by_digest_settles_it(tmp_path: Path) -> None:
    store = written(tmp_path, evidence(reading=reading(5)))
    store.write([(evidence(reading=reading(6), variant="b", supersedes=store.line(ID).digest), {}, MADE)])
    assert store.conflicts() == []


def test_a_note_settles_its_own_record_only(tmp_path: Path) -> None:
    three = [evidence(reading=reading(n), variant=f"v{n}", differs="x" * (n == 1)) for n in (1, 2, 3)]
    assert found(tmp_path, *three) == [f"killed is '2 of 374 mutants' in {ID}~v2 but '3 of 374 mutants' in {ID}~v3"]


def test_a_superseded_record_conflicts_with_nothing(tmp_path: Path) -> None:
    store = written(tmp_path, evidence(reading=reading(5)))
    store.write([(evidence(reading=reading(6)), {}, MADE)])
    assert store.conflicts() == []


# Trust


def scorecard(passed: Any = "yes", time: str = "2025-06-01T12:00:00Z", slug: str = "card", **changes: Any) -> Any:
    parameters = {"instrument": "kill-matrix", "version": 1} | changes.pop("parameters", {})
    field = passed if not isinstance(passed, str) else Label(passed)
    fields = {"passed": field, "dose": Quantity(4, "planted defects", "size")}
    card = Evidence(
        "scorecard",
        1,
        Subject("project", slug, "Scorecard", "c" * 64),
        Measured(fields, "passed", "60 organisms"),
        parameters=parameters,
        **changes,
    )
    return card, {}, Made(time)


def trusted(tmp_path: Path, *others: Any, one: Any = None) -> tuple[str, str]:
    store = Store.open(tmp_path)
    store.write([one or bare(), *others])
    level = store.trust(ID)
    return level.level, level.why


def test_nothing_speaks_for_it(tmp_path: Path) -> None:
    assert trusted(tmp_path) == ("exploratory", "no scorecard for kill-matrix version 1")


def test_a_scorecard_that_passed(tmp_path: Path) -> None:
    assert trusted(tmp_path, scorecard()) == ("calibrated", "kill-matrix version 1 passed project/card/scorecard")


@pytest.mark.parametrize(
    "card",
    [
        scorecard("no"),
        scorecard("Yes"),
        scorecard(Quantity(1, "yes", "size")),
        scorecard(Declined("not_run", "no time", "lens measure")),
        scorecard(parameters={"version": 2}),
        scorecard(parameters={"version": "1"}),
        scorecard(parameters={"instrument": "survivors"}),
        scorecard(parameters={"subjects": "models"}),
    ],
    ids=["no", "other-word", "quantity", "declined", "version", "version-text", "instrument", "kind"],
)
def test_a_scorecard_that_does_not_carry_it(tmp_path: Path, card: Any) -> None:
    assert trusted(tmp_path, card)[0] == "exploratory"


def test_a_scorecard_on_another_kind_says_so(tmp_path: Path) -> None:
    why = "kill-matrix version 1 is calibrated on models, read on graders"
    assert trusted(tmp_path, scorecard(parameters={"subjects": "models"})) == ("exploratory", why)


def test_the_newest_scorecard_counts(tmp_path: Path) -> None:
    failed_later = scorecard("no", "2025-07-01T00:00:00Z", "again")
    assert trusted(tmp_path / "a", scorecard(), failed_later) == (
        "exploratory",
        "kill-matrix version 1 failed its newest scorecard, project/again/scorecard",
    )
    failed_before = scorecard("no", "2025-05-01T00:00:00Z", "older")
    assert trusted(tmp_path / "b", scorecard(), failed_before)[0] == "calibrated"


def test_a_superseded_scorecard_counts_no_more(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([bare(), scorecard()])
    store.write([scorecard("no")])
    assert store.trust(ID).level == "exploratory"


def test_every_family_must_have_passed(tmp_path: Path) -> None:
    families = [
        scorecard(passed, slug=name, parameters={"family": name})
        for name, passed in (("planted", "yes"), ("gated", "no"))
    ]
    assert trusted(tmp_path, *families)[0] == "exploratory"


def test_a_forged_flag_raises_nothing(tmp_path: Path) -> None:
    """Words in the record, its parameters, its variant or its own scorecard-like fields are not read."""
    fields = {"trust": Label("adjudicated"), "passed": Label("yes"), "calibrated": Label("yes")}
    forged = bare(
        reading=Measured(fields, "trust", "x"),
        parameters={"trust": "adjudicated", "instrument": "kill-matrix", "version": 1, "passed": "yes"},
        varied={"trust": "calibrated"},
        access=("trust.calibrated",),
        parents=("project/card/scorecard",),
    )
    assert trusted(tmp_path, one=forged)[0] == "exploratory"
    assert (
        trusted(tmp_path / "b", bare("scorecard", instrument="scorecard", reading=forged[0].reading))[0]
        == "exploratory"
    )


def test_a_forged_key_in_the_file_is_no_record(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([bare()])
    path = tmp_path / f"evidence/{ID}.json"
    line = store.line(ID)
    data = path.read_bytes().replace(b'"evidence": {', b'"trust": "adjudicated",\n  "evidence": {', 1)
    path.write_bytes(data)
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_bytes(manifest.read_bytes().replace(line.file.encode(), sha256(data).hexdigest().encode()))
    with pytest.raises(StoreError, match=r"not a whole record: .*unknown field `trust`"):
        Store.open(tmp_path).record(ID)


def test_a_scorecard_edited_to_pass_fails_its_digest(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([bare(), scorecard("no")])
    path = tmp_path / "evidence/project/card/scorecard.json"
    line = store.line("project/card/scorecard")
    data = path.read_bytes().replace(b'"value": "no"', b'"value": "yes"')
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"scorecard\.json"):
        Store.open(tmp_path).trust(ID)
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_bytes(manifest.read_bytes().replace(line.file.encode(), sha256(data).hexdigest().encode()))
    with pytest.raises(StoreError, match="its content is not what its digest says"):
        Store.open(tmp_path).trust(ID)


def project(instrument: str, *digests: tuple[str, str]) -> Any:
    inputs = tuple(Input(role, f"{role}-{number}", digest) for number, (role, digest) in enumerate(digests))
    reading = Measured({"hypotheses": Quantity(1, "hypotheses", "size")}, "hypotheses", "one study")
    return Evidence(instrument, 1, Subject("project", "s1", "Study 1", "s" * 64), reading, inputs=inputs), {}, MADE


def test_registered_by_a_freeze_among_the_inputs(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([project("freeze", ("subject", "f" * 64))])
    freeze = store.line("project/s1/freeze").digest
    assert trusted(tmp_path, one=bare(inputs=(Input("study", "s1", freeze),)))[0] == "registered"
    store = Store.open(tmp_path)
    store.write([project("adjudication", ("study", freeze), ("reading", store.line(ID).digest))])
    assert store.trust(ID).level == "adjudicated"
    assert not store.trust(ID).calibrated
    store.write([bare(inputs=(Input("study", "s1", freeze),), seed=1)])
    assert store.trust(ID).level == "registered", "another reading was adjudicated, not this one"


@pytest.mark.parametrize(
    ("sealed", "named", "peek"),
    [("e" * 64, True, False), ("f" * 64, False, False), ("f" * 64, True, True)],
    ids=["another-subject-sealed", "freeze-not-among-inputs", "read-outside-the-study"],
)
def test_what_a_freeze_does_not_register(tmp_path: Path, sealed: str, named: bool, peek: bool) -> None:
    store = Store.open(tmp_path)
    store.write([project("freeze", ("subject", sealed))])
    freeze = store.line("project/s1/freeze").digest
    others = [bare(instrument="survivors")] if peek else []
    inputs = (Input("study", "s1", freeze if named else "0" * 64),)
    assert trusted(tmp_path, *others, one=bare(inputs=inputs))[0] == "exploratory"
