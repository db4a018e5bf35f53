"""Build a planted reward model, whose rules are known: the answer key that instruments are marked by."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

GRPO_SECONDS = 50.0  # of teaching the policy and training on a grader


@click.command()
@click.argument("name", default="clean")
@click.option(
    "--grpo", metavar="NAME", help="A GRPO run instead, on a grader that is right or can be gamed; it is reviewed, too."
)
@click.option("--dose", type=click.FloatRange(min=0), help="How much of the rule; default: the family's own.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of every draw; another seed is another model.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Put it into this new folder, not into the cache."
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path("data"),
    show_default=True,
    help="The store that a GRPO run's review is written to.",
)
@click.option("--list", "listed", is_flag=True, help="Name the families there are, and build nothing.")
def command(
    name: str, grpo: str | None, dose: float | None, seed: int, out: Path | None, data: Path, listed: bool
) -> None:
    """Build the organism NAME where it isn't there yet, and say where it is and what is planted.

    `clean` and `length` are trained, a minute on one thread; the other families have their weights set by hand. The
    same name, dose and seed give the same weights to the last bit. Ctrl-C leaves nothing behind.

    With --grpo, NAME is a run of RL: `clean`, `regex` or `length`. A small policy that adds two numbers is trained on
    a grader, a minute on one thread, its record kept in the cache, and reviewed as `lens measure run` would.

    Exit codes: 0 it is there, 2 usage (no such organism, a folder that is taken or can't be written), 130 stopped.
    """
    from lens.models.organisms import build, find_family, is_built, organisms, spec_of
    from lens.runs.organism import RECIPES
    from measure.progress import Progress

    if listed:
        width = max(map(len, organisms()))
        for each in organisms().values():
            click.echo(f"{each.name:<{width}}  {each.title}")
        for run in RECIPES.values():
            click.echo(f"{f'--grpo {run.name}':<{width}}  {run.title}")
        return
    if out is not None and out.exists():
        raise click.UsageError(f"{out} is there already: name a new folder")
    if grpo is not None:
        if dose is not None:
            raise click.UsageError("a GRPO run has no dose")
        _grpo(grpo, seed, out, data)
        return
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


def _grpo(name: str, seed: int, out: Path | None, data: Path) -> None:
    """Train the run where it isn't there yet, and review it, unless it was put somewhere else."""
    from lens.runs.organism import build, find_recipe, is_built, spec_of, steps_of
    from measure.progress import Progress
    from measure.reviewing import RunRequest, reviewed

    recipe = find_recipe(name)
    if out is not None or not is_built(name, seed):
        with Progress({recipe.name: (GRPO_SECONDS, steps_of(name))}) as progress:
            progress.start(recipe.name)
            if not progress.live:
                progress.say(f"training {name}: about {GRPO_SECONDS:.0f} s on one free core")
            folder = build(name, seed, out=out, tick=progress.advance)
            progress.finish("ready")
        click.echo(f"{recipe.title}, in {folder}")
    if out is not None:
        click.echo(f"next: lens measure run {shlex.quote(str(out))} --baseline {recipe.baseline}")
        return
    request = RunRequest(spec_of(name, seed), baseline=recipe.baseline)
    with reviewed(request, data) as reviewing:
        reviewing.report(reviewing.run(), data)
