"""Measuring again what is stale: each record by the command that made it, and only its own field of the card."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import cast

import click

from lens.errors import LensError, UsageError
from measure.fingerprint import fingerprints
from measure.points import points
from measure.store import Store

_FIELD = "--instrument"  # the option, and its value, that a record's command ends with


def measure_stale(data: Path) -> None:
    """Measure again every stale record of the store at `data`, each subject opened once, and say how that went.

    Raises UsageError naming the records that could not be measured again.
    """
    store = Store.open(data)
    fingerprint = fingerprints(store)
    judged = {id: store.staleness(id, fingerprint) for id in store.ids()}
    stale = {id: found for id, found in judged.items() if found.state == "stale"}
    known = points("evidence_lens.measure")
    asked: dict[tuple[str, ...], dict[str, str]] = {}
    left: list[str] = []
    for id, found in stale.items():
        click.echo(f"{id}: {'; '.join(found.why)}", err=True)
        words = shlex.split(store.record(id).made.command)
        if words[:2] == ["lens", "measure"] and words[-2:-1] == [_FIELD] and words[2] in known:
            asked.setdefault(tuple(words[2:-2]), {})[id] = words[-1]
        else:
            left.append(id)
    for (kind, *words), fields in asked.items():
        command = cast(click.Command, known[kind].load())
        again = [word for name in dict.fromkeys(fields.values()) for word in (_FIELD, name)]
        try:
            command.main([*words, *again, "--data", str(data)], standalone_mode=False)
        except (LensError, click.ClickException, SystemExit) as error:
            why = "an instrument failed" if isinstance(error, SystemExit) else error
            click.echo(f"error: {' '.join(fields)}: {why}", err=True)
            left += fields
    click.echo(f"{len(stale)} stale, {len(stale) - len(left)} measured again")
    if left:
        raise UsageError(f"not measured again: {', '.join(left)}", remedy="lens evidence show ID names the command")
