"""Measure everything the published site shows: `python -m measure.published`, which is what `make measure` runs.

Figures published by others are written from their tables (measure.reported). Every built-in grader marked published
is audited on its own corpora, on the embedded ones where it names none. What the store already holds is not
measured again, so a stopped run goes on where it was.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from lens.errors import LensError
from lens.graders.adapter import adapters
from measure.opening import opened
from measure.reported import reported
from measure.request import BUDGET, Request
from measure.store import Made, Store
from measure.telling import said

BUDGETS = {"verl-prime-math": 200.0}
"""CPU seconds for mutants where the usual ones would buy too few: a call here takes a thousand times as long as most
graders', and a sample of some hundred takes ten minutes of one core."""


@click.command()
@click.argument("graders", nargs=-1)
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True)
@click.option("--workers", type=click.IntRange(min=1))
def main(graders: tuple[str, ...], data: Path, workers: int | None) -> None:
    """Audit the published graders (only GRADERS, where named) and write their evidence.

    Exit codes: 0, or 1 with the names of the graders that could not be audited in full.
    """
    known = [slug for slug, adapter in adapters().items() if adapter.published]
    if unknown := sorted(set(graders) - set(known)):
        raise click.UsageError(f"not published: {', '.join(unknown)}; these are: {', '.join(known)}")
    failed: list[str] = []
    made = Made(time=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), command="make measure")
    if (data / "reported").is_dir():
        Store.open(data).write((evidence, {}, made) for evidence in reported(data / "reported"))
    for slug in (slug for slug in known if not graders or slug in graders):
        adapter = adapters()[slug]
        click.echo(f"{slug} on {', '.join(adapter.corpora) or 'the embedded corpora'}", err=True)
        try:
            budget = BUDGETS.get(slug, BUDGET)
            with opened(Request(slug, adapter.corpora, budget=budget), data, workers=workers) as auditing:
                ending = auditing.run()
                for name, reading in ending.written.items():
                    click.echo(f"{slug}/{name}: {said(reading)}")
                failed += [f"{slug}/{name}: {what}" for name, what in ending.failed.items()]
        except LensError as error:
            failed.append(f"{slug}: {error}")
    for line in failed:
        click.echo(f"error: {line}", err=True)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
