"""Freeze a study before its subjects exist, run it, and see what came of the predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lens.errors import UsageError

if TYPE_CHECKING:
    from lens.studies.spec import Spec

_data = click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store."
)
_content = click.option(
    "--content",
    type=click.Path(path_type=Path),
    default=Path("content"),
    show_default=True,
    help="Where `studies/` holds the specs.",
)
_workers = click.option("--workers", type=click.IntRange(min=1), help="Processes at once; default: one a core.")


@click.group()
def command() -> None:
    """Registered studies: predictions written down first, adjudicated by their own rule, and kept whatever comes out.

    A study's subjects are built from its freeze's digest, so that nobody can have looked. What it is (prospective,
    sealed or retrospective) is computed from the store.
    """


@command.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--subject",
    "named",
    multiple=True,
    metavar="SUBJECT|ARM=RUN",
    help="What the study is about, where its predictions wait for it. Once for a model, again for each of many runs.",
)
@_data
@_workers
def freeze(spec: Path, named: tuple[str, ...], data: Path, workers: int | None) -> None:
    """Freeze SPEC, a TOML file, and print its digest to post somewhere dated.

    A study whose predictions wait for a subject is frozen without it, and once more with it: its fingerprint is then
    in the freeze, before anything was read of it.

    Refuses a metric no instrument produces, a missing control, power below .8, a tautology, and a hypothesis that is
    confirmed on null subjects too.

    Exit codes: 0 frozen; 2 it can't be, and why; 3 the store is damaged.
    """
    from lens.studies.spec import read
    from measure.store import Store
    from measure.studies.freezing import freeze as frozen
    from measure.studies.freezing import name

    said, store = read(spec), Store.open(data)
    record = frozen(store, said, workers=workers)
    if named:
        said = name(store, said, named)
        record = frozen(store, said, workers=workers)
    for one in said.hypothesis:
        power, null = record.fields[f"{one.name}.power"], record.fields[f"{one.name}.null"]
        click.echo(f"{one.name}: power {power.value:.2f}; confirmed on {null.value} of {null.of} null studies")  # type: ignore[union-attr]
    click.echo(f"frozen: {record.id}")
    click.echo(f"digest: {record.digest}")
    click.echo("post the digest somewhere dated, and commit the freeze; until then the order is your word alone")


@command.command()
@click.argument("id", required=False)
@_data
@_content
@_workers
def run(id: str | None, data: Path, content: Path, workers: int | None) -> None:
    """Run the frozen study ID and adjudicate it; without ID, every one that doesn't wait for its subject. A stopped
    study goes on where it was.

    Exit codes: 0 adjudicated, whatever the outcome; 2 usage; 3 the store is damaged; 130 stopped.
    """
    from measure.store import Store
    from measure.studies.running import freeze_of, freezes
    from measure.studies.running import run as running

    store = Store.open(data)
    found = [freeze_of(store, id)] if id else [one for one in freezes(store) if not one[0].waits]
    for spec, record in found:
        _unedited(spec, content / "studies" / f"{spec.id}.toml")
        for verdict in running(store, spec, record, workers=workers):
            said = f"{verdict.name}: {verdict.outcome}: {verdict.why}"
            click.echo(said if id else f"{spec.id}: {said}")


@command.command()
@_data
@_content
def ls(data: Path, content: Path) -> None:
    """Every study: those written down, frozen and run."""
    from measure.store import Store
    from measure.studies.listing import listed

    store = Store.open(data)
    found = listed(store, content / "studies")
    width = max((len(one.id) for one in found), default=0)
    for one in found:
        click.echo(f"{one.id:<{width}}  {one.state}")


@command.command()
@click.argument("id")
@_data
@_content
def show(id: str, data: Path, content: Path) -> None:
    """What study ID asks, predicts and would be refuted by, what it is, and what came of it."""
    from measure.store import Store
    from measure.studies.listing import told

    for line in told(Store.open(data), id, content / "studies"):
        click.echo(line)


def _unedited(spec: Spec, path: Path) -> None:
    """Raises UsageError where the file says something else than what was frozen."""
    from measure.studies.listing import edits

    if path.is_file() and (changed := edits(spec, path)):
        raise UsageError(
            f"{path} was edited after it was frozen: {', '.join(changed)}",
            remedy=f"put it back, or freeze it as version = {spec.version + 1} with `amends`",
        )
