"""Build the evidence site: evidence and content in, pages out."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import click


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store.")
@click.option(
    "--content", type=click.Path(path_type=Path), default=Path("content"), show_default=True, help="Markdown pages."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("_site"), show_default=True, help="Where it goes.")
@click.option(
    "--with-source", is_flag=True, help="Print the graders' own text beside the marks, from the pinned wheels."
)
@click.option("--clean", is_flag=True, help="Make every page again; the result is the same.")
def command(data: Path, content: Path, out: Path, with_source: bool, clean: bool) -> None:
    """Build the evidence site: evidence and content in, pages out.

    The old site stays until the new one is whole and every number on it was looked up again.

    Exit codes: 0 built, 1 findings (a number nothing backs, a broken link), 2 usage, 3 the store is damaged.
    """
    from site_builder.build import BuildFailed, build
    from site_builder.commands import options

    gc.disable()  # what a build makes it keeps to its end,
    try:
        report = build(options(data, content, out, with_source=with_source, clean=clean))
    except BuildFailed as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        found = len(error.problems)
        click.echo(f"{found} finding{'s' if found != 1 else ''}; {out} is as it was", err=True)
        sys.exit(error.exit_code)
    finally:
        gc.freeze()  # and the interpreter's last collection needn't walk it
    click.echo(
        f"{report.pages} pages, {report.written} of them new, {report.numbers} numbers looked up: {out}/index.html"
    )
