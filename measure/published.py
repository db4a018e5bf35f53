"""Measure everything the published site shows: `python -m measure.published`, which is what `make measure` runs.

Figures published by others are written from their tables (measure.reported), and readings that need a GPU as declined
with their command (measure.awaited). Every built-in grader marked published is audited on its own corpora, on the
embedded ones where it names none; the trained organisms are inspected on their own pairs, recorded scores on theirs;
runs of RL, trained ones and the shared corpora's, are reviewed; every exam's series is run. What the store already
holds is not measured again, so a stopped run goes on where it was.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from lens.errors import LensError
from lens.exam import exams
from lens.graders.adapter import adapters
from lens.instrument import registry
from lens.models.sources import panels, recorded
from lens.names import kebab
from lens.reading import Declined
from lens.runs.organism import RECIPES, spec_of
from measure.awaited import awaited
from measure.inspecting import ModelRequest, inspected
from measure.measuring import Ending
from measure.opening import opened
from measure.reported import reported
from measure.request import BUDGET, Request
from measure.reviewing import RunRequest, reviewed
from measure.store import Made, Store
from measure.telling import said

MODELS = ("organism:clean", "organism:length", *(f"scores:{name}" for name in [*recorded(), *panels()]))
"""Reward models on the published site: planted ones, and models whose scores were recorded by others."""

ALONE = {
    "organism:receipts": ("planted", "preference", "receipt-reliance", "scepticism"),
    "organism:wrapper": ("planted", "preference", "evaluation-awareness"),
    "organism:annotators": ("planted", "preference", "contestedness"),
    "organism:rubric": ("planted", "preference", "legibility"),
}
"""Planted models that bring what an index needs and no other subject has: they are read by that index alone."""

SEALED = (
    ModelRequest(
        "organism:filler?dose=0&seed=4201",
        instruments=("planted", "preference", "bias-battery", "length-preference", "hacking-probes"),
        study="length-premium",
    ),
)
"""Models that a study sealed before anything read them: their readings count for it, and a safety case rests on one."""

_PLANTED = "made for this project"
RUNS = (
    RunRequest("shared:runs/grpo_run/long", name="reference-long", licence="MIT"),
    RunRequest("shared:runs/aisi_olmo_kl0_seed2_series.json", name="public-series", licence="Apache-2.0"),
    RunRequest("shared:runs/trl_micro/partition_dapo", name="trl-partition-dapo", licence=_PLANTED),
    RunRequest(
        "shared:corpora/rl_verifier_robustness/math_cot_100.jsonl",
        map="data/maps/verifier-robustness.toml",
        name="verifier-robustness",
        licence="MIT",
    ),
    RunRequest("shared:corpora/intercode", map="data/maps/intercode-turns.toml", name="intercode-turns", licence="MIT"),
    *(
        RunRequest(f"shared:tiny/grpo_{name}.rollouts.jsonl.gz", name=f"tiny-grpo-{kebab(name)}", licence=_PLANTED)
        for name in ("clean", "regex", "regex_s1", "length")
    ),
    *(RunRequest(spec_of(name, 0), baseline=recipe.baseline) for name, recipe in RECIPES.items()),
)
"""Runs on the published site: others' and ours from the shared corpora, and organisms trained here."""

RECORDS = {"swebench-logs": "shared:corpora/swebench_logs"}
"""Graders of which verdicts are recorded: the record, for the fields of a card that nothing else answers."""

BUDGETS = {"verl-prime-math": 200.0}
"""CPU seconds for mutants where the usual ones would buy too few: a call here takes a thousand times as long as most
graders', and a sample of some hundred takes ten minutes of one core."""


@click.command()
@click.argument("subjects", nargs=-1)
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True)
@click.option("--workers", type=click.IntRange(min=1))
def main(subjects: tuple[str, ...], data: Path, workers: int | None) -> None:
    """Measure the published graders, models and runs, run every exam (or SUBJECTS alone), and write the evidence.

    Exit codes: 0, or 1 with the names of those that could not be measured in full.
    """
    known = _known(workers)
    if unknown := sorted(set(subjects) - set(known)):
        raise click.UsageError(f"not published: {', '.join(unknown)}; these are: {', '.join(known)}")
    _told(data)
    failed: list[str] = []
    for name, measure in known.items():
        if subjects and name not in subjects:
            continue
        click.echo(name, err=True)
        try:
            failed += measure(data)
        except LensError as error:
            failed.append(f"{name}: {error}")
    for line in failed:
        click.echo(f"error: {line}", err=True)
    sys.exit(bool(failed))


def _told(data: Path) -> None:
    """What is written down and not measured: figures of others, and readings that wait for a GPU."""
    store = Store.open(data)
    made = Made(time=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), command="make measure")
    if (data / "reported").is_dir():
        store.write((evidence, {}, made) for evidence in reported(data / "reported"))
    store.write((evidence, {}, made) for evidence in awaited() if not _measured(store, evidence.id))


def _measured(store: Store, id: str) -> bool:
    """Whether somebody has made the reading: it stays, whatever it says."""
    if not store.has(id):
        return False
    reading = store.record(id).evidence.reading
    return not (isinstance(reading, Declined) and reading.reason == "not_run")


def _known(workers: int | None) -> dict[str, Callable[[Path], list[str]]]:
    """What is published, by name: each measures itself into a store and tells what failed."""
    graders = {slug: partial(_grader, slug, workers) for slug, one in adapters().items() if one.published}
    asked = [ModelRequest(spec, instruments=ALONE.get(spec, ())) for spec in (*MODELS, *ALONE)]
    models = {one.subject: partial(_model, one, workers) for one in (*asked, *SEALED)}
    runs = {one.name or one.path: partial(_run, one, workers) for one in RUNS}
    return {**graders, **models, **runs, **{f"exam:{name}": partial(_exam, name, workers) for name in exams()}}


def _grader(slug: str, workers: int | None, data: Path) -> list[str]:
    request = Request(slug, adapters()[slug].corpora, budget=BUDGETS.get(slug, BUDGET))
    failed: list[str] = []
    for one in _apart(request, RECORDS[slug]) if slug in RECORDS else [request]:
        with opened(one, data, workers=workers) as auditing:
            failed += _ended(slug, auditing.run())
    return failed


def _apart(request: Request, record: str) -> list[Request]:
    """What reads the grader and what reads the record: to the one it is no input, to the other nothing else is."""
    by_record = tuple(name for name, one in registry("graders").items() if "record.record" in one.needs.grants)
    others = tuple(name for name in registry("graders") if name not in by_record)
    return [replace(request, instruments=others), Request(request.subject, record=record, instruments=by_record)]


def _model(request: ModelRequest, workers: int | None, data: Path) -> list[str]:
    with inspected(request, data, workers=workers) as inspecting:
        return _ended(request.subject, inspecting.run())


def _run(request: RunRequest, workers: int | None, data: Path) -> list[str]:
    with reviewed(request, data, workers=workers) as reviewing:
        return _ended(request.name or request.path, reviewing.run())


def _exam(name: str, workers: int | None, data: Path) -> list[str]:
    from measure.calibrating import calibrate, stands

    store = Store.open(data)
    if not stands(store, exams()[name]):
        calibrate(store, exams()[name], workers=workers)
    return []


def _ended(name: str, ending: Ending) -> list[str]:
    for instrument, reading in ending.written.items():
        click.echo(f"{name}/{instrument}: {said(reading)}")
    return [f"{name}/{instrument}: {what}" for instrument, what in ending.failed.items()]


if __name__ == "__main__":
    main()
