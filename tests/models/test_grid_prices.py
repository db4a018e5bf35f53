"""What the white-box instruments say they will cost: more with what they do, and shared passes once."""

from __future__ import annotations

import pytest

from lens.instrument import registry
from lens.models.price import Probe, probe
from lens.price import Price
from tests.models import opened

NAMES = (
    "reward-lens", "crystallization", "attribution", "circuit-overlap", "patching", "attribution-patching",
    "path-patching", "divergence-patching", "faithfulness", "hessian",
)  # fmt: skip


def test_a_probe_measures_the_model() -> None:
    found = probe(opened.inspection(opened.model("llama"), opened.pairs()))
    assert found.forward > 0
    assert found.backward == 2 * found.forward
    assert (found.layers, found.heads) == (3, 4)
    assert found.tokens > 1


@pytest.mark.parametrize("name", NAMES)
def test_every_price_grows_with_the_pairs(name: str) -> None:
    price = registry("models")[name].price
    assert price is not None
    small, large = (
        price(opened.inspection(opened.model("llama"), opened.pairs(count), sample=count), Probe(0.1, 0.2, 3, 4, 10))
        for count in (8, 64)
    )
    assert isinstance(small, Price)
    assert isinstance(large, Price)
    assert 0 < small.seconds < large.seconds
    assert 0 < small.calls < large.calls


def test_the_one_pass_is_paid_for_once() -> None:
    inspection, measured = opened.inspection(opened.model("llama"), opened.pairs()), Probe(0.1, 0.2, 3, 4, 10)
    first, then = (registry("models")[name].price(inspection, measured) for name in ("attribution", "reward-lens"))  # type: ignore[misc]
    assert first.calls == 2 * 24 + 2 * 24 * 3
    assert then.calls == 0
