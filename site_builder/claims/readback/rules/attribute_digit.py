"""**EV108 attribute-digit**: a digit in an attribute people read or hear, with no reference beside it.

A title, a label for screen readers or a description that holds a number carries `data-ev-<attribute>` with the
reference (several: with `;` between); each is looked up and formatted again.

Mend it: leave the number out, or add the reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.readback.attributes import left
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule


@rule("EV108", "attribute-digit", "a digit in an attribute that nothing backs")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for seen in built.seen:
        if wrong := left(seen, built):
            message = f"{wrong} in {seen.tag} {seen.name} has no evidence behind it"
            hint = f'data-ev-{seen.name}="id#field|format"'
            yield built.finding(rule, seen.value, message, hint, within=f'{seen.name}="{seen.value}"')
