"""Show the whole store at a glance."""

from __future__ import annotations

from pathlib import Path

import click

from site_builder.commands import views

KINDS = ("graders", "models", "runs")


@click.command()
@click.option("--kind", type=click.Choice(KINDS), help="Only these subjects.")
@click.option(
    "--export",
    "form",
    type=click.Choice(["text", "json", "html", "model-index"]),
    default="text",
    show_default=True,
    help="As a table, as JSON, as a page that stands alone, or as Hugging Face's model-index of every model.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write there instead of printing.")
@views.data
def command(kind: str | None, form: str, out: Path | None, data: Path) -> None:
    """Show every subject by every instrument: what was read, what declined, and how far each is trusted."""
    from site_builder.views import atlas_forms
    from site_builder.views.atlas import atlas

    lookup = views.lookup_in(data)
    text = atlas_forms.FORMS[form](lookup, atlas(lookup, kind or ""))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, "utf-8")
        click.echo(f"{out}")
