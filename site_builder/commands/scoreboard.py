"""Set the subjects of a kind beside each other."""

from __future__ import annotations

from pathlib import Path

import click

from site_builder.commands import views


@click.command()
@click.argument("kind", type=click.Choice(["graders", "models", "runs"]))
@views.data
@views.as_json
def command(kind: str, data: Path, as_json: bool) -> None:
    """Set the graders, models or runs of the store beside each other, instrument by instrument.

    Entries stand in the order of their values. That is no ranking: each names those it is not told apart from.
    """
    from site_builder.views.scoreboard import scoreboard

    lookup = views.lookup_in(data)
    rows = scoreboard(lookup, kind)
    if as_json:
        views.print_json(rows)
        return
    if not rows:
        click.echo(f"no instrument has read two {kind} of this store in one unit")
    for row in rows:
        click.echo(f"\n{row.title}: {row.what}")
        views.columns(
            [
                (f"  {lookup.cite(one.ref).ascii}", one.name, one.trust,
                 f"not told apart from {', '.join(one.alike)}" if one.alike else "")
                for one in row.entries
            ]
        )  # fmt: skip
