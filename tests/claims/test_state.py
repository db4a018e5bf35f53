"""Freshness and conflicts, asked of a real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from lens import instrument
from lens.canonical import file_digest
from lens.instrument import find, registry, version
from lens.reading import Evidence, Input, Measured, Quantity, Subject
from measure.store import Made, Store
from site_builder.claims.state import StoreState

MADE = Made(time="2026-11-29T00:00:00Z")


def evidence(killed: int, *, variant: str = "", version: int | None = None, inputs: tuple[Input, ...] = ()) -> Evidence:
    known = registry("graders")["kill-matrix"]
    reading = Measured({"killed": Quantity(killed, unit="mutants", kind="count", of=374)}, "killed", "gold pairs")
    subject = Subject("graders", f"toy-{killed}" if version else "toy", "toy", "f" * 64)
    return Evidence("kill-matrix", version or known.version, subject, reading, variant=variant, inputs=inputs)


def state(root: Path, *items: Evidence) -> StoreState:
    store = Store.open(root)
    store.write([(one, {}, MADE) for one in items])
    return StoreState(store)


def test_an_older_version_of_the_instrument_is_stale_and_says_so(tmp_path: Path) -> None:
    known = registry("graders")["kill-matrix"].version
    found = state(tmp_path, evidence(5), evidence(6, version=known + 1))
    assert found.stale("graders/toy/kill-matrix") == ""
    assert found.stale("graders/toy-6/kill-matrix") == f"kill-matrix is at version {known}, measured with {known + 1}"


def test_a_changed_input_is_stale_and_an_absent_one_is_not(tmp_path: Path) -> None:
    corpus = tmp_path / "gold.jsonl"
    corpus.write_text("{}\n")
    here = Input("corpus", "gold", file_digest(corpus), f"file:{corpus}")
    away = Input("corpus", "gold", "c" * 64, "file:/nowhere/gold.jsonl")
    found = state(tmp_path / "data", evidence(5, inputs=(here,)), evidence(5, variant="away", inputs=(away,)))
    assert found.stale("graders/toy/kill-matrix") == ""
    assert found.stale("graders/toy/kill-matrix~away") == ""
    corpus.write_text("{}\n{}\n")
    assert "gold changed" in StoreState(Store.open(tmp_path / "data")).stale("graders/toy/kill-matrix")


def test_two_values_of_one_quantity_are_in_conflict_and_others_are_not(tmp_path: Path) -> None:
    found = state(tmp_path, evidence(5), evidence(6, variant="again"), evidence(7, version=1))
    assert "killed" in found.conflict("graders/toy/kill-matrix")
    assert found.conflict("graders/toy/kill-matrix") == found.conflict("graders/toy/kill-matrix~again")
    assert found.conflict("graders/toy-7/kill-matrix") == ""


def test_one_instrument_is_found_as_the_registry_has_it() -> None:
    assert {name: find("graders", name) for name in registry("graders")} == registry("graders")
    assert find("graders", "no-such-instrument") is None


@pytest.mark.parametrize("subjects", instrument._HOMES)
def test_versions_are_read_as_the_registry_has_them(subjects: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = {name: entry.version for name, entry in registry(subjects).items()}
    assert {name: version(subjects, name) for name in declared} == declared
    assert version(subjects, "no-such-instrument") is None
    monkeypatch.setattr(instrument, "find", lambda *_: pytest.fail("the file's text says its version plainly"))
    version.cache_clear()
    assert {name: version(subjects, name) for name in declared} == declared


def test_a_version_the_text_does_not_say_is_asked_of_the_instrument(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instrument.Path, "read_text", lambda *_: "@instrument(NAME, version=VERSION)\n")
    version.cache_clear()
    assert version("graders", "kill-matrix") == registry("graders")["kill-matrix"].version
    version.cache_clear()
