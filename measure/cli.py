"""The `lens` command: a group whose subcommands are entry points, loaded when called and not before.

Help lines are read from the first line of each command module's docstring without importing it,
so `lens --help` stays fast and a package outside this one can add a command.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from typing import Any, cast

import click

import lens
from lens.errors import LensError
from measure.points import points as installed

GROUP = "evidence_lens.commands"


class LazyGroup(click.Group):
    """A click group over the entry points of one group, `GROUP` unless `points` names another."""

    def __init__(self, *args: Any, points: str = GROUP, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.points = points

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(installed(self.points))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        point = installed(self.points).get(cmd_name)
        return cast(click.Command, point.load()) if point else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_line(point.module)) for name, point in installed(self.points).items()])


def _first_line(module: str) -> str:
    """First line of a module's docstring, read from its source."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return ""
    docstring = ast.get_docstring(ast.parse(Path(spec.origin).read_text("utf-8"))) or ""
    return docstring.partition("\n")[0]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(lens.__version__, prog_name="lens")
def cli() -> None:
    """Measure what a grader is worth, build the evidence site, check its claims.

    Exit codes: 0 clean, 1 findings, 2 usage, 3 the store is damaged.
    """


def main() -> None:
    """Entry point of the `lens` script: errors with a remedy print as such, never as a traceback."""
    try:
        cli(standalone_mode=False)
    except LensError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("stopped; what had finished is kept, the same command goes on from there", err=True)
        sys.exit(130)
