"""Serve the site on this machine and rebuild it as you save."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store.")
@click.option(
    "--content", type=click.Path(path_type=Path), default=Path("content"), show_default=True, help="Markdown pages."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("_site"), show_default=True, help="Where it goes.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--with-source", is_flag=True, help="Print the graders' own text beside the marks.")
def command(data: Path, content: Path, out: Path, port: int, with_source: bool) -> None:
    """Serve the site on this machine and rebuild it as you save.

    A page open in a browser reloads by itself. Errors print here and the last good site stays up. Ctrl-C stops it.
    """
    from site_builder.commands import options
    from site_builder.serving import Server

    Server(options(data, content, out, with_source=with_source), port).run(click.echo)
