"""Start an evidence site of your own: a folder that builds at once."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Start an evidence site of your own in FOLDER: a folder that builds at once."""
    from lens.errors import UsageError
    from lens.resource import resource

    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty", remedy="give a new folder")
    start = resource("templates/new")
    for source in sorted(start.rglob("*")):
        if source.is_file():
            relative = source.relative_to(start)
            hidden = "." if relative.name in ("gitignore", "gitattributes") else ""
            target = folder / relative.with_name(hidden + relative.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    (folder / "data").mkdir(exist_ok=True)
    steps = (f"cd {folder}", "lens build", "lens measure grader verl-gsm8k", "lens build")
    click.echo("\n  ".join((f"{folder} is an evidence site. Next:", *steps)))
