"""The evidence itself, beside the pages: every record's JSON and fields as CSV, its tables as Parquet and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from lens.reading import Declined, Field, Label, Quantity, Quote
from measure.store.ids import record_path
from site_builder import links, model_index
from site_builder.context import Site
from site_builder.croissant import croissant
from site_builder.output import Output
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


def write(site: Site, output: Output) -> None:
    """Copy records and tables under `data/`, with CSV beside them. What the manifest says didn't change stays."""
    tables = Tables(site.store, site.options.cache / "tables")
    for line in site.store.manifest():
        output.copy(links.record_json(line.id), site.options.data / record_path(line.id), line.file)
        if not output.holds(links.fields_csv(line.id), line.digest):
            output.put(links.fields_csv(line.id), _csv(_rows(site, line.id)), line.digest)
        for name, digest in line.tables.items():
            output.copy(links.table_parquet(line.id, name), site.store.table_path(line.id, name), digest)
            if not output.holds(links.table_csv(line.id, name), digest):
                output.copy(links.table_csv(line.id, name), tables.file(line.id, name, "csv"), digest)
    manifest = site.options.data / "manifest.jsonl"
    lines = manifest.read_bytes() if manifest.exists() else b""
    output.put("data/manifest.jsonl", lines)
    key = blake2b(repr((lines, site.words)).encode(), digest_size=16).hexdigest()
    if not (output.holds(links.ALL_FIELDS, key) and output.holds("data/croissant.json", key)):
        every = _csv(row for id_ in site.store.ids() for row in _rows(site, id_))
        output.put(links.ALL_FIELDS, every, key)
        output.put("data/croissant.json", croissant(site, every, _COLUMNS), key)
    for slug in dict.fromkeys(line.parts.slug for line in site.store.manifest() if line.parts.kind == "models"):
        if not output.holds(model_index.path(slug), key):
            metadata = model_index.model_index(site, site.subjects[f"models/{slug}"])
            output.put(model_index.path(slug), model_index.as_yaml(metadata), key)


def _rows(site: Site, id_: str) -> Iterator[list[object]]:
    for name, field in site.lookup.fields(id_).items():
        yield [id_, name, *_row(field)]


def _csv(rows: Iterable[list[object]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(rows)
    return out.getvalue().encode()


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
