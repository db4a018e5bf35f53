"""**EV105 said-differs**: words marked as a record's own are not what the record says.

`data-said` quotes a record whole: every character is compared.

Mend it: write them with `{{ w.said("id@scope") }}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lens.errors import LensError, StoreError
from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule


@rule("EV105", "said-differs", "quoted words are not the record's")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for said in built.said:
        try:
            expected = built.lookup.said(said.ref)
        except StoreError:
            raise
        except LensError as error:
            wrong = error.message
        else:
            if said.text == expected:
                continue
            wrong = f"the record says {expected!r}, the page {said.text!r}"
        yield built.finding(rule, said.text, wrong, within=f'data-said="{escape(said.ref)}"')
