"""**EV111 page-word**: a quantity in words on a built page that nothing backs.

`five mutants` or `most of the rollouts` in a template claims as much as digits do.

Mend it: back the words by a condition: `{{ w.claim("most of the mutants|id#field > 0.5") }}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule
from site_builder.claims.words import quantities


@rule("EV111", "page-word", "a quantity in words that nothing backs")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for start, end in quantities(built.rest, built.units, strict=False):
        words = " ".join(built.rest[start:end].split())
        yield built.finding(
            rule, built.rest[start:end], f"{words!r} has no evidence behind it", "back it by a condition"
        )
