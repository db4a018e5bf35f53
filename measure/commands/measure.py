"""Run instruments over a subject and write evidence.

`lens measure grader SUBJECT` audits a program grader. `lens measure --stale` measures again what changed
under the evidence: the grader's source, a corpus, an instrument's version.
"""

from __future__ import annotations

from pathlib import Path

import click

from measure.cli import LazyGroup


@click.group(cls=LazyGroup, points="evidence_lens.measure", invoke_without_command=True)
@click.option("--stale", is_flag=True, help="Measure again the records whose subject, inputs or instrument changed.")
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store.")
@click.pass_context
def command(context: click.Context, stale: bool, data: Path) -> None:
    """Run instruments over a subject and write evidence.

    Exit codes: 0 measured, 1 an instrument failed, 2 usage, 3 the store is damaged, 130 stopped (the same
    command goes on from there).
    """
    if context.invoked_subcommand is not None:
        if stale:
            raise click.UsageError("--stale finds its subjects in the store: leave the subject out")
        return
    if not stale:
        click.echo(context.get_help())
        return
    from measure.stale import measure_stale

    measure_stale(data)
