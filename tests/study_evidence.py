"""Studies for made-up stores: the published ones, whole, since a study's class follows from its records' digests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lens.reading import Columns
from measure.store import Record, Store

PUBLISHED = Path(__file__).parents[1] / "data"


def items() -> list[Any]:
    """Every published study's freeze, reading and adjudication."""
    store = Store.open(PUBLISHED)
    records = [store.record(id) for id in store.ids() if id.startswith("project/study-")]
    return [(one.evidence, _tables(store, one), one.made) for one in records]


def _tables(store: Store, record: Record) -> dict[str, Columns]:
    return {name: dict(store.table(record.id, name).to_pydict()) for name in record.evidence.tables}
