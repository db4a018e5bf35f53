"""Two subjects side by side: chosen without a script, each value the record's own, no model's own units compared."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from built_site import KILL, tree
from msgspec.structs import replace

from lens.errors import LensError
from lens.reading import Measured, Quantity
from measure.store import Store
from site_builder.build import build
from site_builder.commands import options
from site_builder.context import Options
from site_builder.lookup import Lookup


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


def test_two_builds_are_set_side_by_side_with_what_the_earlier_one_printed(
    place: Callable[..., Options], tmp_path: Path
) -> None:
    made = place()
    root = tmp_path / "data"
    shutil.copytree(made.data, root)
    here = options(root, made.content, made.out)
    build(here)
    assert not (here.out / "compare/builds/index.html").exists()
    (root / "published.jsonl").write_bytes((here.out / "published.json").read_bytes())
    store = Store.open(root)
    was = store.record(KILL)
    reading = was.evidence.reading
    assert isinstance(reading, Measured)
    more = replace(reading, fields=reading.fields | {"gold.killed": Quantity(3, "mutants", "count", of=92)})
    store.write([(replace(was.evidence, reading=more, tables={}), {}, was.made)])
    build(here)
    (row,) = tree(here.out / "compare/builds/index.html").css("tbody tr")
    before, after = (cell.css_first("data") for cell in row.css("td"))
    assert (before.text(), after.text()) == ("2 of 92", "3 of 92")
    assert before.attributes["data-ev"] == f"superseded/{was.digest}/kill-matrix#gold.killed"


def test_a_superseded_record_nobody_kept_is_named(place: Callable[..., Options]) -> None:
    with pytest.raises(LensError, match="no record has a digest that starts with"):
        Lookup(Store.open(place().data)).cite("superseded/0123456789abcdef/kill-matrix#gold.killed")
