"""The instruments reference: every registered instrument, in the registry's own words, checked when read back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from built_site import tree

from lens.instrument import registry
from site_builder.build import BuildFailed, build
from site_builder.context import Options
from site_builder.derive import BadReference
from site_builder.instruments import KINDS
from site_builder.prose import of_instrument

PAGE = "# Instruments\n\n" + "".join(f"## {kind}\n\n```{{instruments}} {kind}\n```\n\n" for kind in KINDS)


def test_every_instrument_is_there_in_its_own_words(place: Callable[..., Options]) -> None:
    options = place()
    (options.content / "instruments.md").write_text(PAGE)
    build(options)
    page = tree(options.out / "instruments" / "index.html")
    for kind in KINDS:
        for name, one in registry(kind).items():
            heading = page.css_first(f"#{kind}-{name}")
            assert heading is not None, (kind, name)
            said = {
                node.attributes["data-said"]: node.text()
                for node in page.css(f'[data-said^="instrument:{kind}/{name}@"]')
            }
            assert said[f"instrument:{kind}/{name}@quantity"] == one.quantity
            assert said[f"instrument:{kind}/{name}@cost"] == one.cost


def test_a_kind_without_instruments_is_refused(place: Callable[..., Options]) -> None:
    options = place()
    (options.content / "instruments.md").write_text("# Instruments\n\n```{instruments} hammers\n```\n")
    with pytest.raises(BuildFailed, match="no instruments for 'hammers'"):
        build(options)


@pytest.mark.parametrize(
    "ref", [("graders/no-such", "cost"), ("graders/contract", "price"), ("hammers/contract", "cost")]
)
def test_what_the_registry_does_not_say_is_an_error(ref: tuple[str, str]) -> None:
    with pytest.raises(BadReference, match="not something the registry says"):
        of_instrument(*ref)
