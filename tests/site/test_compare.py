"""Two subjects side by side: chosen without a script, each value the record's own, no model's own units compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from built_site import tree

from measure.store import Store


def test_every_value_is_its_records_headline(site: Path, data: Path) -> None:
    store = Store.open(data)
    cells = tree(site / "compare/graders/index.html").css("td data[data-ev]")
    assert cells
    for cell in cells:
        id_ = (cell.attributes["data-ev"] or "").partition("#")[0]
        assert store.has(id_)


@pytest.mark.parametrize("kind", ["graders", "models"])
def test_what_stands_in_a_models_own_units_is_not_compared(site: Path, data: Path, kind: str) -> None:
    store = Store.open(data)
    own = [id_ for id_ in store.ids() if id_.startswith(f"{kind}/") and "~" not in id_ and unit(store, id_) == "ru"]
    html = (site / f"compare/{kind}/index.html").read_text()
    assert all(f'data-ev="{id_}#' not in html for id_ in own)
    assert bool(own) == (kind == "models")


def unit(store: Store, id_: str) -> str:
    """Of a record's headline."""
    record = store.record(id_)
    return getattr(record.fields.get(getattr(record.evidence.reading, "headline", "")), "unit", "")
