"""Write the whole store as one DuckDB file, and every table as Parquet and CSV."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("export"), show_default=True, help="Where to.")
@click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store's folder."
)
def command(out: Path, data: Path) -> None:
    """Write the whole store as one DuckDB file, and every table as Parquet and CSV.

    OUT/evidence.duckdb holds `evidence` (a row a record), `fields` (a row a field), `inputs`, and one table for each
    kind of row-level table, `<instrument>_<table>`, with the record's id in front (a column `id` of the table's own
    is `row_id`). The same tables lie in
    OUT/parquet and OUT/csv.
    """
    from lens.errors import UsageError
    from measure.store import Store
    from measure.store.export import export

    if not data.is_dir():
        raise UsageError(f"no folder {data}", remedy="name the store's folder with --data, or measure something first")
    for name, rows in export(Store.open(data), out).items():
        click.echo(f"{rows:>9,}  {name}")
    click.echo(f"written to {out}/evidence.duckdb, {out}/parquet and {out}/csv")
