"""Mark an instrument on planted subjects, and write its scorecard, passed or failed."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from lens.errors import UsageError


@click.command()
@click.argument("instrument", default="")
@click.option("--family", default="", help="Only this family of planted subjects.")
@click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store to write to."
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes at once; default: one a core.")
@click.option("--list", "listed", is_flag=True, help="Name the exams there are, and run none.")
def command(instrument: str, family: str, data: Path, workers: int | None, listed: bool) -> None:
    """Read INSTRUMENT on planted graders, models or runs at several doses, and write the scorecard. Without a name,
    list the exams there are.

    What counts as found is the instrument's own verdict. A reading's trust follows from the newest scorecards and from
    nothing else; one that failed counts too. A stopped series goes on where it was.

    Exit codes: 0 written, whatever they say; 2 usage; 3 the store is damaged; 130 stopped.
    """
    from lens.exam import exams

    chosen = [exam for exam in exams().values() if instrument in ("", exam.instrument) and family in ("", exam.family)]
    if not chosen:
        known = sorted({exam.instrument for exam in exams().values()})
        near = difflib.get_close_matches(instrument, known, n=1)
        raise UsageError(
            f"no exam of {instrument or 'any instrument'} on {family or 'any family'}"
            + (f": did you mean {near[0]}?" if near and near[0] != instrument else ""),
            remedy="lens calibrate --list",
        )
    if listed or not (instrument or family):
        width = max(len(exam.name) for exam in chosen)
        for exam in chosen:
            limit = f"  limit: {exam.limit}" if exam.limit else ""
            click.echo(f"{exam.name:<{width}}  {exam.subjects:<7}  {exam.quantity}{limit}")
        return
    from measure.calibrating import calibrate
    from measure.store import Store

    store = Store.open(data)
    for exam in chosen:
        card = calibrate(store, exam, workers=workers)
        told = "passed" if card.passed else f"not passed: {', '.join((*card.failed, *card.missing))}"
        smallest = f"smallest dose {card.smallest_dose:g}" if card.smallest_dose is not None else "no dose found"
        click.echo(f"{exam.name}: {told}; {smallest}")
