"""Audit a program grader: what it pays, what it misses, what lets it be fooled, and how sure that is."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from measure.request import Level, Request


@click.command()
@click.argument("subject")
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    metavar="PATH|NAME",
    help="Golds or labelled responses: a JSONL or Parquet file, or a published corpus by name; may be given again. "
    "Without it, the small corpora that come with the tool.",
)
@click.option(
    "--record",
    default="",
    metavar="PATH",
    help="A run that trained against it, as `lens measure run` takes it, for the fields only a record can answer.",
)
@click.option("--map", default="", metavar="FILE", help="Names the record's columns, as for `lens measure run`.")
@click.option(
    "--access",
    type=click.Choice(["full", "log"]),
    default="full",
    show_default=True,
    help="`log`: only what a reader of the training log gets.",
)
@click.option(
    "--disclose",
    is_flag=True,
    help="Write survivors' witness inputs, which are recipes for exploits, into the evidence.",
)
@click.option(
    "--budget",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    metavar="CPU_S",
    help="CPU seconds the mutants may take; beyond it a stratified sample is run.",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=1),
    default=240.0,
    show_default=True,
    metavar="S",
    help="Seconds that a grader that hangs or is slow may take; beyond it rows are sampled, and readings say so.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of every sample and bootstrap.")
@click.option(
    "--instrument",
    "--instruments",
    "instruments",
    multiple=True,
    metavar="NAME[,NAME]",
    help="Only these fields of the card. May be given again.",
)
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
    corpora: tuple[str, ...],
    record: str,
    map: str,
    access: Level,
    disclose: bool,
    budget: float,
    wait: float,
    seed: int,
    instruments: tuple[str, ...],
    study: str,
    data: Path,
    workers: int | None,
    ray: str | None,
) -> None:
    """Audit the grader SUBJECT and write the evidence for its card.

    SUBJECT is a built-in name (verl-gsm8k), pypi:DIST==VERSION/module:function, or file.py:function; a TRL-style
    reward(completions, **columns) works too. It runs in a sandboxed worker. Every field is written twice: as
    measured here, and, as variant `log`, as a reader of the training log alone would have it.

    A second run goes on where a stopped one was and measures nothing twice.

    Exit codes: 0 audited, 1 an instrument failed, 2 usage (unknown subject, a corpus that doesn't fit, a grader that
    can't be imported), 3 the store is damaged, 130 stopped.
    """
    from measure.opening import opened

    names = tuple(name for words in instruments for name in words.split(",") if name)
    request = Request(subject, corpora, access, record, disclose, budget, seed, names, wait, map, study)
    with opened(request, data, workers=workers, ray=ray, say=partial(click.echo, err=True)) as auditing:
        auditing.report(auditing.run(), data)
