"""Measuring again what is stale: each record by the command that made it, and only its own field of the card."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from lens.errors import LensError, UsageError
from measure.fingerprint import fingerprint_here
from measure.store import Store

_COMMAND = ["lens", "measure", "grader"]


def measure_stale(data: Path) -> None:
    """Measure again every stale record of the store at `data`, and say of each whether that went well.

    Raises UsageError naming the records that could not be measured again.
    """
    from measure.commands.grader import command

    store = Store.open(data)
    judged = {id: store.staleness(id, fingerprint_here) for id in store.ids()}
    stale = {id: found for id, found in judged.items() if found.state == "stale"}
    asked: dict[tuple[str, ...], list[str]] = {}
    left: list[str] = []
    for id, found in stale.items():
        click.echo(f"{id}: {'; '.join(found.why)}", err=True)
        made = shlex.split(store.record(id).made.command)
        if made[:3] == _COMMAND:
            asked.setdefault(tuple(made[3:]), []).append(id)
        else:
            left.append(id)
    for words, ids in asked.items():
        try:
            command.main([*words, "--data", str(data)], standalone_mode=False)
        except (LensError, click.ClickException, SystemExit) as error:
            why = "an instrument failed" if isinstance(error, SystemExit) else error
            click.echo(f"error: {' '.join(ids)}: {why}", err=True)
            left += ids
    click.echo(f"{len(stale)} stale, {len(stale) - len(left)} measured again")
    if left:
        raise UsageError(f"not measured again: {', '.join(left)}", remedy="lens evidence show ID names the command")
