"""Build a planted reward model, whose rules are known: the answer key that instruments are marked by."""

from __future__ import annotations

import shlex
from pathlib import Path

import click


@click.command()
@click.argument("name", default="clean")
@click.option("--dose", type=click.FloatRange(min=0), help="How much of the rule; default: the family's own.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of every draw; another seed is another model.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Put it into this new folder, not into the cache."
)
@click.option("--list", "listed", is_flag=True, help="Name the families there are, and build nothing.")
def command(name: str, dose: float | None, seed: int, out: Path | None, listed: bool) -> None:
    """Build the organism NAME where it isn't there yet, and say where it is and what is planted.

    `clean` and `length` are trained, a minute on one thread; the other families have their weights set by hand. The
    same name, dose and seed give the same weights to the last bit. Ctrl-C leaves nothing behind.

    Exit codes: 0 it is there, 2 usage (no such organism, a folder that is taken or can't be written), 130 stopped.
    """
    from lens.models.organisms import build, find_family, is_built, organisms, spec_of
    from measure.progress import Progress

    if listed:
        width = max(map(len, organisms()))
        for each in organisms().values():
            click.echo(f"{each.name:<{width}}  {each.title}")
        return
    if out is not None and out.exists():
        raise click.UsageError(f"{out} is there already: name a new folder")
    family = find_family(name)
    with Progress({family.name: (family.seconds, family.steps)}) as progress:
        progress.start(family.name)
        if not family.doses and not progress.live and (out is not None or not is_built(name, dose, seed)):
            progress.say(f"training {name}: about {family.seconds:.0f} s on one free core")
        folder = build(name, dose, seed, out=out, step=progress.advance)
        progress.finish("ready")
    chosen = family.default if dose is None else dose
    click.echo(f"{family.title}, in {folder}")
    for rule in family.rules(chosen):
        click.echo(f"  {rule}")
    subject = spec_of(family, chosen, seed) if out is None else str(folder)
    pairs = "" if out is None else f" --pairs {shlex.quote(str(folder / 'pairs.jsonl'))}"
    click.echo(f"next: lens measure model {shlex.quote(subject) if set(subject) & set('?& ') else subject}{pairs}")
