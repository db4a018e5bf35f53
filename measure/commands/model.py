"""Look inside a reward model: what it prefers, where that forms, what writes it and what causes it, what biases it."""

from __future__ import annotations

from pathlib import Path

import click

from measure.inspecting import ModelRequest


@click.command()
@click.argument("subject")
@click.option(
    "--pairs",
    default="",
    metavar="FILE|NAME",
    help="Preference pairs: JSONL or Parquet with prompt, chosen, rejected (and axis, lineage), a published set by "
    "name, or a Hugging Face data set. Without it, the pairs the subject brings itself.",
)
@click.option(
    "--instrument",
    "--instruments",
    "instruments",
    multiple=True,
    metavar="NAME[,NAME]",
    help="Only these fields of the page. May be given again.",
)
@click.option("--device", default="auto", show_default=True, help="auto, cpu, cuda, cuda:N, or map (several devices).")
@click.option("--dtype", default="auto", show_default=True, help="auto, float32, bfloat16 or float16.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of every sample and bootstrap.")
@click.option(
    "--sample", type=click.IntRange(min=1), default=64, show_default=True, help="Pairs that patch grids are run on."
)
@click.option(
    "--controls",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="Re-initialised copies beside claims about structure.",
)
@click.option("--trust-remote-code", is_flag=True, help="Let code that comes with the model run.")
@click.option(
    "--study", default="", metavar="ID", help="The frozen study that sealed the subject: readings count for it."
)
@click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store to write to."
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes at once; default: one a core.")
@click.option("--ray", metavar="ADDRESS", help="Run on a Ray cluster instead (extra `cluster`).")
def command(
    subject: str,
    pairs: str,
    instruments: tuple[str, ...],
    device: str,
    dtype: str,
    seed: int,
    sample: int,
    controls: int,
    trust_remote_code: bool,
    study: str,
    data: Path,
    workers: int | None,
    ray: str | None,
) -> None:
    """Inspect the reward model SUBJECT and write the evidence for its page.

    SUBJECT is a folder or Hugging Face id of a sequence classifier, organism:NAME (a planted model of ours), or
    another kind of reward by its word: dpo:POLICY+REFERENCE, judge:PATH, process:PATH, ensemble:A+B, scores:FILE.

    First the reward computed here is held against the library's own; where they differ, everything declines.
    A second run goes on where a stopped one was and measures nothing twice.

    Exit codes: 0 inspected, 1 an instrument failed, 2 usage (unknown subject, a model that must not be measured,
    pairs that don't fit), 3 the store is damaged, 130 stopped.
    """
    from measure.inspecting import inspected

    names = tuple(name for words in instruments for name in words.split(",") if name)
    request = ModelRequest(subject, pairs, device, dtype, seed, sample, controls, trust_remote_code, names, study)
    with inspected(request, data, workers=workers, ray=ray) as inspecting:
        inspecting.report(inspecting.run(), data)
