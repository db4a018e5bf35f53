"""Check that every number in a text is backed by the store."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from lens.errors import UsageError

FORMATS = ("text", "github", "sarif", "junit", "json")


class _Default(click.Group):
    """`lens claims FILE...` checks; `lens claims explain CODE` is the one subcommand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "[OPTIONS] FILE...")
        formatter.write_usage(ctx.command_path, "explain CODE", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        check.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group(cls=_Default, no_args_is_help=True)
def command() -> None:
    """Check every number in Markdown, LaTeX and HTML files against the store.

    Files that hold a stamp, declare `evidence: strict` or lie under content/ must back every numeral; in others a
    number must be backed where it stands with a unit the store knows. A folder stands for the files in it.

    Exit codes: 0 clean, 1 findings, 2 usage, 3 the store is damaged.
    """


@command.command(hidden=True)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store.")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
@click.option("--write", is_flag=True, help="Fill the stamps in with what the store renders, then check.")
@click.option("--check", "only_check", is_flag=True, help="Change nothing (the default; refuses --write).")
def check(files: tuple[Path, ...], data: Path, style: str, write: bool, only_check: bool) -> None:
    """Check files; see `lens claims --help`."""
    if write and only_check:
        raise UsageError("--check changes nothing and --write fills stamps in: give one of them")
    missing = [str(file) for file in files if not file.exists()]
    if missing:
        raise UsageError(f"no such file: {', '.join(missing)}")
    if not data.is_dir():
        raise UsageError(f"no evidence store at {data}", remedy="--data DIR names the folder that holds evidence/")

    with _uncollected():
        from measure.store import Store
        from site_builder.claims import formats, run

        report = run(Store.open(data), files, write=write)
    sys.stdout.write(formats.render(style, report))
    sys.stdout.flush()
    if report.findings:
        sys.exit(1)


@contextmanager
def _uncollected() -> Iterator[None]:
    """A short run that keeps what it makes: collecting garbage would only cost time, now and when the process ends."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@command.command(no_args_is_help=True)
@click.argument("code")
def explain(code: str) -> None:
    """Say what a rule is about and how to mend what it finds."""
    from site_builder.claims.rules import everything

    rules: dict[str, Any] = everything()
    rule = rules.get(code.upper()) or next((one for one in rules.values() if one.name == code.lower()), None)
    if rule is None:
        raise UsageError(f"no rule {code}", remedy=" ".join(rules))
    click.echo(rule.page)
