"""**EV109 structured-digit**: a number in the page's structured data, with no reference beside it.

Search engines and assistants read JSON-LD aloud. Its script carries `data-ev-text` with the references of every number
in it, with `;` between.

Mend it: leave the number out, or list its reference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from site_builder.claims.finding import Finding
from site_builder.claims.readback.attributes import left
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule


@rule("EV109", "structured-digit", "a number in structured data that nothing backs")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for script in built.structured:
        try:
            values = list(_leaves(json.loads(script.value)))
        except ValueError:
            yield built.finding(rule, script.value, "the structured data is no JSON", within="application/ld+json")
            continue
        for value in values:
            if wrong := left(script._replace(value=value), built):
                message = f"{wrong} in the structured data has no evidence behind it"
                yield built.finding(rule, value, message, 'data-ev-text="id#field|format"')


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif isinstance(value, int | float | str) and not isinstance(value, bool):
        yield value if isinstance(value, str) else repr(value)
