"""The evidence itself, beside the pages: every record's JSON and fields as CSV, its tables as Parquet and CSV."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

from lens.reading import Declined, Field, Label, Quantity, Quote
from measure.store.ids import record_path
from site_builder import links
from site_builder.context import Site
from site_builder.tables import Tables

_COLUMNS = (
    "id",
    "field",
    "state",
    "value",
    "of",
    "unit",
    "kind",
    "low",
    "high",
    "method",
    "n",
    "n_eff",
    "reason",
    "text",
)


def write(site: Site, staging: Path) -> None:
    """Copy records and tables under `data/`, with CSV beside them."""
    tables = Tables(site.store, site.options.cache / "tables")
    every = _sheet()
    for id_ in site.store.ids():
        record = site.lookup.record(id_)
        target = staging / links.record_json(id_)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(site.options.data / record_path(id_), target)
        own = _sheet()
        for name, field in record.fields.items():
            row = [id_, name, *_row(field)]
            own[1].writerow(row)
            every[1].writerow(row)
        (staging / links.fields_csv(id_)).write_text(own[0].getvalue(), "utf-8")
        for name in site.store.line(id_).tables:
            shutil.copyfile(site.store.table_path(id_, name), staging / links.table_parquet(id_, name))
            shutil.copyfile(tables.file(id_, name, "csv"), staging / links.table_csv(id_, name))
    (staging / "data").mkdir(exist_ok=True)
    (staging / "data/fields.csv").write_text(every[0].getvalue(), "utf-8")
    manifest = site.options.data / "manifest.jsonl"
    (staging / "data/manifest.jsonl").write_bytes(manifest.read_bytes() if manifest.exists() else b"")


def _sheet() -> tuple[io.StringIO, csv.Writer]:  # type: ignore[name-defined]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    return out, writer


def _row(field: Field) -> list[object]:
    """A field's columns after its name; empty where it has none, never a zero in place of a decline."""
    match field:
        case Quantity():
            interval = field.interval
            ends = [interval.low, interval.high, interval.method] if interval else ["", "", ""]
            rest = [field.n, field.n_eff, "", field.note]
            return ["measured", field.value, field.of, field.unit, field.kind, *ends, *rest]
        case Label():
            return ["measured", *[""] * 9, "", field.value]
        case Quote():
            return ["reported", field.value, field.of, field.unit, field.kind, *[""] * 6, field.printed]
        case Declined():
            return ["declined", *[""] * 9, field.reason, field.detail]
