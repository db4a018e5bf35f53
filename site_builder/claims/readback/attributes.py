"""What of a text is left once its references have been looked up again and taken out."""

from __future__ import annotations

from functools import lru_cache

from lens.errors import LensError, StoreError
from site_builder.claims.numerals import judged
from site_builder.claims.readback.built import Built, Seen
from site_builder.claims.units import Units
from site_builder.claims.visible import plain


def left(seen: Seen, built: Built) -> str:
    """The first numeral nothing backs, or what is wrong with a reference; empty where all is well."""
    text = plain(seen.value)
    for ref in seen.refs:
        try:
            cited = built.lookup.cite(ref)
        except StoreError:
            raise
        except LensError as error:
            return error.message
        shown = max((cited.text, cited.ascii, cited.value), key=lambda one: (plain(one) in text, len(one)))
        if plain(shown) not in text and seen.tag != "script":
            return f"{ref} renders {cited.ascii!r}, which is not"
        text = text.replace(plain(shown), " ", -1 if seen.tag == "script" else 1)
    return _loose(text, built.units)


@lru_cache(maxsize=4096)  # a page says its title in four attributes, and its neighbours' in more
def _loose(text: str, units: Units) -> str:
    return next((one.text for one in judged(text, units, exotic=not text.isascii()) if not one.allowed), "")
