"""What reads on a subject now and at what cost, and for the rest why not and what would mend it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from measure.request import Level, Request

if TYPE_CHECKING:
    from lens.graders.price import Price
    from lens.instrument import Instrument
    from lens.reading import Declined
    from measure.auditing import Auditing


@click.command()
@click.argument("subject")
@click.option("--corpus", "corpora", multiple=True, metavar="PATH|NAME", help="As for `lens measure grader`.")
@click.option("--record", type=click.Path(path_type=Path), help="As for `lens measure grader`.")
@click.option("--access", type=click.Choice(["full", "log"]), default="full", show_default=True)
@click.option("--budget", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="CPU_S")
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(
    subject: str,
    corpora: tuple[str, ...],
    record: Path | None,
    access: Level,
    budget: float,
    data: Path,
    as_json: bool,
) -> None:
    """Open SUBJECT, really, and print what can be measured on it now, at what cost.

    Prices come from a short probe of the subject itself. For every field that does not read: the reason, what it
    needs, what there is, and the command or instruction that mends it. Nothing is measured and nothing is written.

    Exit codes: 0, or 2 for a subject or corpus that can't be opened.
    """
    from measure.opening import opened

    request = Request(subject, corpora, access, str(record or ""), budget=budget)
    with opened(request, data, workers=1) as auditing:
        lines = survey(auditing)
        click.echo(_json(auditing, lines) if as_json else _text(auditing, lines))


@dataclass(frozen=True)
class Capability:
    """One field of the card: what it would cost, or why it would decline."""

    instrument: Instrument
    price: Price | Declined


def survey(auditing: Auditing) -> list[Capability]:
    """Every chosen instrument with its price from a probe of the subject, or its decline, in card order."""
    prices = auditing.prices(auditing.chosen.values())
    return [Capability(instrument, prices[name]) for name, instrument in auditing.chosen.items()]


def _text(auditing: Auditing, lines: list[Capability]) -> str:
    from lens.graders.price import Price
    from lens.reading import Declined
    from measure.progress import clock_time

    subject = auditing.audit.subject
    reads = [(line.instrument, line.price) for line in lines if isinstance(line.price, Price)]
    idle = [(line.instrument, line.price) for line in lines if isinstance(line.price, Declined)]
    width = max(len(line.instrument.name) for line in lines)
    told = [f"{subject.title}: {subject.spec}"]
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
    return "\n".join([*told, f"  {auditing.request.command()}"])


def _json(auditing: Auditing, lines: list[Capability]) -> str:
    import msgspec

    from lens.graders.price import Price

    audit = auditing.audit
    fields: list[dict[str, Any]] = []
    for line in lines:
        about = {"name": line.instrument.name, "title": line.instrument.title, "quantity": line.instrument.quantity}
        if isinstance(line.price, Price):
            fields.append(about | {"reads": True, "cpu_seconds": line.price.seconds, "calls": line.price.calls})
        else:
            fields.append(about | {"reads": False} | msgspec.to_builtins(line.price))
    told = {
        "subject": audit.subject.as_subject(),
        "access": sorted(audit.access.grants),
        "command": auditing.request.command(),
        "fields": fields,
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()
