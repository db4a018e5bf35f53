"""What the commands that show views share: the store they look into, and how a view is printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from site_builder.lookup import Lookup
    from site_builder.views.line import Line

data = click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store to look into."
)
as_json = click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")


def lookup_in(data: Path) -> Lookup:
    """Raises StoreError where a record's bytes are not as written."""
    from lens.errors import StoreError
    from measure.store import Store
    from site_builder.lookup import Lookup

    store = Store.open(data)
    if findings := store.check_file_digests():
        raise StoreError("\n".join(str(one) for one in findings), remedy="lens evidence verify")
    return Lookup(store)


def print_json(value: Any) -> None:
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def told(line: Line) -> str:
    """A record's state in one line of text."""
    if line.state == "declined":
        return f"declined, {line.reason}"
    if line.state in ("not-applicable", "schematic"):
        return line.state.replace("-", " ")
    quoted = f'"{line.value}"' if line.state == "reported" else line.value
    if line.low is None or line.high is None or line.low == line.high:
        return f"{quoted} {line.what}"
    return f"{quoted} [{line.low:.3g}, {line.high:.3g}] {line.what}"


def columns(rows: Sequence[tuple[str, ...]]) -> None:
    """Rows in columns as wide as their widest cell; the last runs on."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)] if rows else []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        click.echo("  ".join([*cells, row[-1]]).rstrip())
