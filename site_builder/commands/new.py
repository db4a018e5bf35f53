"""Start an evidence site of your own: a folder that builds at once, and publishes itself from GitHub."""

from __future__ import annotations

from pathlib import Path

import click

_HIDDEN = ("github", "gitignore", "gitattributes")  # a wheel carries no names that begin with a dot
_LOCAL = "http://localhost:8000/"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--url", default=_LOCAL, show_default=True, help="Where it will be published, for feeds and permalinks.")
def command(folder: Path, url: str) -> None:
    """Start an evidence site of your own in FOLDER: a folder that builds at once.

    Pushed to GitHub with Pages switched on, its workflow checks the numbers of every change, keeps a preview of the
    site, publishes what is merged, and looks for stale evidence once a week.
    """
    from lens.errors import UsageError
    from lens.resource import resource

    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty", remedy="give a new folder")
    if not url.startswith(("http://", "https://")) or '"' in url:
        raise UsageError(f"{url!r} is no address of a site", remedy="--url https://name.github.io/site/")
    start = resource("templates/new")
    for source in sorted(start.rglob("*")):
        if source.is_file():
            parts = [f".{part}" if part in _HIDDEN else part for part in source.relative_to(start).parts]
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes().replace(_LOCAL.encode(), _slashed(url).encode()))
    (folder / "data").mkdir(exist_ok=True)
    steps = (f"cd {folder}", "lens build", "lens measure grader verl-gsm8k", "lens build")
    click.echo("\n  ".join((f"{folder} is an evidence site. Next:", *steps)))


def _slashed(url: str) -> str:
    return url if url.endswith("/") else f"{url}/"
