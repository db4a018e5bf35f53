"""Show everything the store holds of one subject."""

from __future__ import annotations

from pathlib import Path

import click

from site_builder.commands import views


@click.command()
@click.argument("subject")
@views.data
@views.as_json
def command(subject: str, data: Path, as_json: bool) -> None:
    """Show everything the store holds of SUBJECT (kind/slug, or the slug alone), a line an instrument.

    Nothing is measured: `lens measure` does that.
    """
    from site_builder.views.card import card

    found = card(views.lookup_in(data), subject)
    if as_json:
        views.print_json(found)
        return
    click.echo(f"{found.name} ({found.subject}), {found.fingerprint[:16]}: {found.read} of {found.asked} read")
    views.columns([(one.title, one.trust or "-", views.told(one)) for one in found.lines])
