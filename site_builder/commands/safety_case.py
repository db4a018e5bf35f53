"""Hold a safety case against the store."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from site_builder.commands import views


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@views.data
@views.as_json
def command(spec: Path, data: Path, as_json: bool) -> None:
    """Hold the safety case in SPEC (TOML: title, claim, [[part]] says, holds) against the store.

    It holds only if every part was measured here, is true, and is calibrated and registered. Every gap is named.

    Exit codes: 0 it holds, 1 it is refused, 2 usage, 3 the store is damaged.
    """
    from site_builder.views.safety_case import case, read

    found = case(views.lookup_in(data), read(spec))
    if as_json:
        views.print_json({"holds": found.holds, "gaps": found.gaps, "case": found})
    else:
        click.echo(f"{found.title}: {'holds' if found.holds else 'refused'}\n{found.claim}")
        for part in found.parts:
            reading = f"{part.line.value} ({part.line.trust})" if part.line and part.line.value else "no reading"
            click.echo(f"\n{part.says}: {reading}\n  {part.condition}")
            for gap in part.gaps:
                click.echo(f"  gap: {gap}")
    sys.exit(not found.holds)
