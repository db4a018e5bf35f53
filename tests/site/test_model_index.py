"""The model-index of a model page: read by Hugging Face's own reader, every value one the store holds."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from built_site import tree

from measure.store import Store
from site_builder.model_index import as_yaml, path

SLUG = "organism-made"


def test_huggingface_reads_it_and_every_value_is_the_stores(site: Path, data: Path) -> None:
    repocard = pytest.importorskip("huggingface_hub.repocard_data")
    written = yaml.safe_load((site / path(SLUG)).read_text())
    name, results = repocard.model_index_to_eval_results(written["model-index"])
    assert name
    assert results
    for one in results:
        instrument, _, field = one.metric_type.partition(".")
        held = Store.open(data).record(f"models/{SLUG}/{instrument}").fields[field]
        assert one.metric_value == pytest.approx(held.value / (held.of or 1), abs=0)
        assert f"/evidence/models/{SLUG}/{instrument}/" in one.source_url
        assert len(one.dataset_revision) == 64


def test_the_page_links_to_it(site: Path) -> None:
    page = tree(site / "models" / SLUG / "index.html")
    assert page.css_first(f'a[href$="{path(SLUG)}"]') is not None


@pytest.mark.parametrize(
    "value", [{"a": [{"b": 1, "c": {"d": "x: #y"}}, {"b": -0.5}], "e": "ünï"}, {"a": [], "b": None}]
)
def test_yaml_comes_back_as_it_was(value: object) -> None:
    assert yaml.safe_load(as_yaml(value)) == value
