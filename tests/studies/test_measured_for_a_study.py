"""`lens measure … --study`: a reading of a sealed subject has the freeze among its inputs, and counts as registered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from study_specs import hypothesis

from lens.errors import UsageError
from lens.studies.spec import parse
from measure.inspecting import ModelRequest, inspected
from measure.measuring import Ending
from measure.store import Record, Store
from measure.studies.freezing import freeze

HOME = "project/study-models/sealed-model"
SEALED = "organism:filler?dose=0&seed=11"


def models() -> dict[str, Any]:
    said = hypothesis("found", threshold=0.5, smallest=0.99) | {
        "metric": f"{HOME}#found.some",
        "control": f"{HOME}#found.others",
    }
    named = [(arm, 10 * row + at) for row, arm in ((1, "some"), (2, "others")) for at in range(8)]
    return {
        "id": "models",
        "title": "Models",
        "question": "Is it found?",
        "prediction": "It is.",
        "refuted-by": "It isn’t.",
        "science": "sealed-model",
        "unit": "model",
        "family": ["found"],
        "subject": [{"spec": f"organism:filler?dose=0&seed={seed}", "arm": arm} for arm, seed in named],
        "hypothesis": [said],
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the models lie, once they are built."""
    return tmp_path_factory.mktemp("built")


@pytest.fixture
def store(tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(built))
    store = Store.open(tmp_path / "data")
    freeze(store, parse(models()), workers=1, show=False)
    return store


def measured(store: Store, spec: str = SEALED, study: str = "models") -> tuple[Ending, str]:
    """The slope on length of one model, and its id."""
    request = ModelRequest(spec, sample=8, controls=1, instruments=("length-preference",), study=study)
    with inspected(request, store.root, workers=1) as inspecting:
        ending = inspecting.run(show=False)
        return ending, inspecting.records(*_any(inspecting), {}, inspecting.made("x"))[0][0].id


def _any(inspecting: Any) -> tuple[Any, Any]:
    from lens.reading import Declined

    return inspecting.chosen["length-preference"], Declined("void", "-", "-")


def test_a_reading_for_a_study_is_registered_and_says_how_it_was_made(store: Store) -> None:
    ending, id = measured(store)
    found: Record = Store.open(store.root).record(id)
    assert not ending.failed
    assert found.made.command.endswith("--study models --instrument length-preference")
    frozen = store.record("project/study-models/freeze")
    assert [one.digest for one in found.evidence.inputs if one.role == "freeze"] == [frozen.digest]
    assert Store.open(store.root).trust(id).level == "registered"


def test_it_stands_when_it_is_asked_for_again_with_the_study_and_without(store: Store) -> None:
    measured(store)
    for study in ("models", ""):
        ending, id = measured(store, study=study)
        assert not ending.written
        assert list(ending.standing) == ["length-preference"]
        assert Store.open(store.root).trust(id).level == "registered"


def test_a_subject_that_the_study_does_not_seal_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="study models doesn't seal this subject"):
        measured(store, "organism:filler?dose=0&seed=99")
    with pytest.raises(UsageError, match="study others isn't frozen"):
        measured(store, study="others")


def test_what_was_read_before_can_not_be_registered_any_more(store: Store) -> None:
    _, id = measured(store, study="")
    with pytest.raises(UsageError, match=f"{id} has read this subject without study models"):
        measured(store)
    assert Store.open(store.root).trust(id).level == "exploratory"
