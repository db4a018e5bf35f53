"""Review an RL run: what its record holds, how scores became advantages, what the update kept, when a warning came."""

from __future__ import annotations

from pathlib import Path

import click

from measure.reviewing import RunRequest


@click.command()
@click.argument("path")
@click.option("--config", default="", metavar="FILE", help="The trainer's configuration, where the run lacks it.")
@click.option(
    "--map",
    "mapping",
    default="",
    metavar="FILE",
    help="For a layout no format recognises: TOML naming the files and their columns.",
)
@click.option("--name", default="", help="What to call the run; default: its folder's name.")
@click.option(
    "--edit",
    "edits",
    multiple=True,
    metavar="EDIT",
    help="A counterfactual reward: drop:LEAF, weight:LEAF=W, clamp:LEAF=LOW..HIGH, gate:LEAF>=T, swap:gold. May be "
    "given again.",
)
@click.option("--model", default="", metavar="FOLDER", help="The policy, for readings that compute gradients again.")
@click.option("--reference", default="", metavar="FOLDER", help="The policy that the loss's KL term is taken from.")
@click.option(
    "--instrument",
    "--instruments",
    "instruments",
    multiple=True,
    metavar="NAME[,NAME]",
    help="Only these fields of the page. May be given again.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of every bootstrap and surrogate.")
@click.option(
    "--surrogates", type=click.IntRange(min=20), default=300, show_default=True, help="Series without change, an alarm."
)
@click.option(
    "--baseline",
    type=click.IntRange(min=8),
    default=60,
    show_default=True,
    help="Steps that an alarm takes for normal.",
)
@click.option(
    "--onset", type=int, metavar="STEP", help="Step at which the change began; default: as gold or labels show it."
)
@click.option("--licence", default="", metavar="TEXT", help="Of the run's files, to stand on its page.")
@click.option(
    "--study", default="", metavar="ID", help="The frozen study that sealed the subject: readings count for it."
)
@click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store to write to."
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes at once; default: one a core.")
@click.option("--ray", metavar="ADDRESS", help="Run on a Ray cluster instead (extra `cluster`).")
def command(
    path: str,
    config: str,
    mapping: str,
    name: str,
    edits: tuple[str, ...],
    model: str,
    reference: str,
    instruments: tuple[str, ...],
    seed: int,
    surrogates: int,
    baseline: int,
    onset: int | None,
    licence: str,
    study: str,
    data: Path,
    workers: int | None,
    ray: str | None,
) -> None:
    """Review the RL run at PATH and write the evidence for its page.

    PATH is the folder (or file) a trainer wrote: its format is found by what lies there; PATH::RUN names one run of
    several that lie there. First the advantages are
    replayed from the scores; a reading on which the rules that fit would differ declines.
    A second run goes on where a stopped one was and measures nothing twice.

    A layout no format recognises is read with --map FILE, which names its columns:

    \b
        files = "rollouts/*.jsonl"        # under PATH; also json, csv, parquet
        series = ["kl", "loss"]           # columns that are a number a step
        [columns]                         # the record's name = the file's
        step = "iteration"                # or a number, or "@number" of the file's name
        group = "prompt.id"               # dots reach into objects and lists
        reward = "total"
        advantage = "adv"
        "score.correct" = "parts.correct" # a leaf of the reward; null where it abstained
        completion_text = "response"
        [settings]                        # what the trainer was told
        algorithm = "grpo"

    Other columns: prompt_text, tokens, logp, logp_old, logp_ref, entropy, gold, sampled_at, truncated, failed,
    trained, exploit, and any "extra.NAME". A row that holds lists, one entry a rollout: each = ["responses", "scores"].

    Exit codes: 0 reviewed, 1 an instrument failed, 2 usage (no such run, a layout not known, a damaged file),
    3 the store is damaged, 130 stopped.
    """
    from measure.reviewing import reviewed

    names = tuple(name for words in instruments for name in words.split(",") if name)
    request = RunRequest(
        path, config, mapping, name, edits, model, reference, seed, surrogates, baseline, names, onset, licence, study
    )
    with reviewed(request, data, workers=workers, ray=ray) as reviewing:
        reviewing.report(reviewing.run(), data)
