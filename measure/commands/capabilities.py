"""What reads on a subject now and at what cost, and for the rest why not and what would mend it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from measure.request import BUDGET

if TYPE_CHECKING:
    from lens.instrument import Instrument
    from lens.price import Price
    from lens.reading import Declined
    from measure.measuring import Measuring

OF_GRADERS = ("corpora", "record", "map", "access", "budget")
OF_MODELS = ("pairs", "device", "dtype", "sample", "controls", "trust_remote_code")
OF_RUNS = ("config", "map", "name", "edits", "model", "reference", "seed", "surrogates", "baseline")
SAID = {"graders": "a grader", "models": "a reward model", "runs": "a run"}


@click.command()
@click.argument("subject")
@click.option("--corpus", "corpora", multiple=True, metavar="PATH|NAME", help="As for `lens measure grader`.")
@click.option("--record", default="", metavar="PATH", help="As for `lens measure grader`.")
@click.option("--access", type=click.Choice(["full", "log"]), default="full", show_default=True)
@click.option("--budget", type=click.FloatRange(min=0.1), default=BUDGET, show_default=True, metavar="CPU_S")
@click.option("--pairs", default="", metavar="FILE|NAME", help="As for `lens measure model`.")
@click.option("--device", default="auto", show_default=True, help="As for `lens measure model`.")
@click.option("--dtype", default="auto", show_default=True, help="As for `lens measure model`.")
@click.option("--sample", type=click.IntRange(min=1), default=64, show_default=True)
@click.option("--controls", type=click.IntRange(min=1), default=8, show_default=True)
@click.option("--trust-remote-code", is_flag=True, help="As for `lens measure model`.")
@click.option("--config", default="", metavar="FILE", help="As for `lens measure run`, and so are those below.")
@click.option("--map", default="", metavar="FILE")
@click.option("--name", default="")
@click.option("--edit", "edits", multiple=True, metavar="EDIT")
@click.option("--model", default="", metavar="FOLDER")
@click.option("--reference", default="", metavar="FOLDER")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--surrogates", type=click.IntRange(min=20), default=300, show_default=True)
@click.option("--baseline", type=click.IntRange(min=8), default=60, show_default=True)
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@click.pass_context
def command(context: click.Context, /, subject: str, data: Path, as_json: bool, **options: Any) -> None:
    """Open SUBJECT, a grader, a reward model or a run of RL, really, and print what can be measured on it now.

    Each field comes with its cost, from a short probe of the subject itself. For every field that does not read: the
    reason, what it needs, what there is, and the command or instruction that mends it. Nothing is measured and
    nothing is written.

    Exit codes: 0, or 2 for a subject, corpus, pairs or record that can't be opened.
    """
    given = [name for name in options if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT]
    with _opened(subject, options, given, data) as measuring:
        lines = survey(measuring)
        click.echo(_json(measuring, lines) if as_json else _text(measuring, lines))


class Capability(NamedTuple):
    """One field of the card: what it would cost, or why it would decline."""

    instrument: Instrument
    price: Price | Declined


def survey(measuring: Measuring) -> list[Capability]:
    """Every chosen instrument with its price from a probe of the subject, or its decline, in card order."""
    prices = measuring.foreseen(measuring.chosen.values())
    return [Capability(instrument, prices[name]) for name, instrument in measuring.chosen.items()]


def _opened(subject: str, options: dict[str, Any], given: list[str], data: Path) -> AbstractContextManager[Measuring]:
    from measure.subjects import kind_of

    kind = "runs" if options["map"] and not options["record"] else kind_of(subject)
    own = {"graders": OF_GRADERS, "models": OF_MODELS, "runs": OF_RUNS}[kind]
    if other := [name for name in given if name not in own]:
        option = {"corpora": "--corpus", "edits": "--edit"}.get(other[0], f"--{other[0].replace('_', '-')}")
        raise click.UsageError(f"{option} says nothing about {SAID[kind]}, which {subject} names")
    asked = {name: options[name] for name in own}
    if kind == "graders":
        from measure.opening import opened
        from measure.request import Request

        return opened(Request(subject, **asked), data, workers=1)
    if kind == "runs":
        from measure.reviewing import RunRequest, reviewed

        return reviewed(RunRequest(subject, **asked), data, workers=1)
    from measure.inspecting import ModelRequest, inspected

    return inspected(ModelRequest(subject, **asked), data, workers=1)


def _text(measuring: Measuring, lines: list[Capability]) -> str:
    from lens.price import Price
    from lens.reading import Declined
    from measure.progress import clock_time

    subject = measuring.subject
    reads = [(line.instrument, line.price) for line in lines if isinstance(line.price, Price)]
    idle = [(line.instrument, line.price) for line in lines if isinstance(line.price, Declined)]
    width = max(len(line.instrument.name) for line in lines)
    told = [f"{subject.name}: {subject.spec}"]
    if reads:
        told += ["", f"reads now{'':<{width - 4}}  CPU s    calls"]
    told += [f"  {one.name:<{width}}  {price.seconds:>8.2g} {price.calls:>8,}  {one.quantity}" for one, price in reads]
    if idle:
        told += ["", "does not read"]
    for one, why in idle:
        told.append(f"  {one.name:<{width}}  {why.reason}: {why.detail}")
        told += [f"  {'':<{width}}  needs {why.needs}; has {why.has}"] if why.needs else []
        told.append(f"  {'':<{width}}  try: {why.remedy}")
    counted = [why for _, why in idle if why.reason != "not_applicable"]
    seconds = sum(price.seconds for _, price in reads)
    told += ["", f"{len(reads)} of {len(reads) + len(counted)} fields read, about {clock_time(seconds)} of CPU:"]
    return "\n".join([*told, f"  {measuring.asked.command()}"])


def _json(measuring: Measuring, lines: list[Capability]) -> str:
    import msgspec

    from lens.price import Price

    fields: list[dict[str, Any]] = []
    for line in lines:
        about = {"name": line.instrument.name, "title": line.instrument.title, "quantity": line.instrument.quantity}
        if isinstance(line.price, Price):
            fields.append(about | {"reads": True, "cpu_seconds": line.price.seconds, "calls": line.price.calls})
        else:
            fields.append(about | {"reads": False} | msgspec.to_builtins(line.price))
    told = {
        "subject": measuring.subject,
        "access": sorted(measuring.access.grants),
        "command": measuring.asked.command(),
        "fields": fields,
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()
