"""Published studies at scale, run to their end on a tiny subject that is named, by the commands that a person types."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from lens.models.organisms.handset import Organism
from lens.reading import Label
from lens.resource import resource
from measure.commands.study import command
from measure.store import Store
from measure.studies.classes import classed
from measure.studies.running import freeze_of, versions_of

PUBLISHED = Path(__file__).parents[2] / "data"


class Ran(NamedTuple):
    """Its class, the outcome of every hypothesis, what was read on each unit, and the reading's fields."""

    name: str
    outcomes: dict[str, str]
    units: dict[str, list[Any]]
    fields: dict[str, Any]


def ran(root: Path, study: str, *subjects: str) -> Ran:
    """The study's two commands, in a store that holds its published freezes, so that nothing is tried again."""
    published, store = Store.open(PUBLISHED), Store.open(root / "data")
    freezes = [published.record(id) for id in versions_of(published, study)]
    store.write([(freeze.evidence, {}, freeze.made) for freeze in freezes])
    named = [word for one in subjects for word in ("--subject", one)]
    _typed(root, "freeze", str(resource(f"content/studies/{study}.toml")), *named)
    _typed(root, "run", study, "--content", str(resource("content")))
    store = Store.open(root / "data")
    spec, _ = freeze_of(store, study)
    assert spec.version == len(freezes) + 1
    verdicts = store.record(spec.record("adjudication")).fields
    outcomes = {}
    for one in spec.hypothesis:
        said = verdicts[f"{one.name}.outcome"]
        assert isinstance(said, Label)
        outcomes[one.name] = said.value
    reading = spec.record(spec.science)
    return Ran(
        classed(store, spec).name,
        outcomes,
        store.table(reading, "units").to_pydict(),
        dict(store.record(reading).fields),
    )


def written(organism: Organism, folder: Path) -> str:
    """The model's own folder, as it is named."""
    folder.mkdir()
    organism.write(folder, ())
    return str(folder)


def holding_organism(folder: Path, seed: int = 3) -> str:
    """An organism whose stream holds all that the studies at scale ask of one."""
    from lens.studies.at_scale._small import body

    return written(body(seed).organism("held", 0.0, ()), folder)


def _typed(root: Path, *words: str) -> None:
    done = CliRunner().invoke(command, [*words, "--workers", "1", "--data", str(root / "data")])
    assert done.exit_code == 0, done.output
