"""**EV102 stamp-text**: a stamped element shows something else than the store renders for its reference.

The reference is looked up and formatted again, and every character is compared.

Mend it: write numbers with the template function that stamps them, and never by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lens.errors import LensError, StoreError
from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule


@rule("EV102", "stamp-text", "a stamped element differs from what the store renders")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for stamped in built.stamped:
        try:
            expected = built.lookup.cite(stamped.ref).text
        except StoreError:
            raise
        except LensError as error:
            wrong, hint = error.message, error.remedy
        else:
            if stamped.text == expected:
                continue
            wrong, hint = (
                f"the store renders {expected!r}, the page shows {stamped.text!r}",
                "look it up in the template",
            )
        yield built.finding(rule, stamped.text, wrong, hint, within=f'data-ev="{escape(stamped.ref)}"')
