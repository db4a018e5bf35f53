"""**EV103 machine-value**: the `value` of a data element is not the number the store holds.

Machines read `value`, people read the text; both must be the record's.

Mend it: write numbers with the template function that stamps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lens.errors import LensError, StoreError
from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule


@rule("EV103", "machine-value", "the value of a data element is not the store's")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for stamped in built.stamped:
        if stamped.value is None:
            continue
        try:
            cited = built.lookup.cite(stamped.ref)
        except StoreError:
            raise
        except LensError:
            continue  # the rule about its text says so
        if stamped.value != cited.value:
            message = f"the machine value is {stamped.value!r}, the store has {cited.value!r}"
            yield built.finding(rule, stamped.text, message, within=f'value="{escape(stamped.value)}"')
