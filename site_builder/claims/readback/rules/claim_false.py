"""**EV106 page-claim-false**: words backed by a condition that does not hold, or that say more than the value gives.

Mend it: change the words, or cite the field that carries them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lens.errors import LensError, StoreError
from site_builder.claims.finding import Finding
from site_builder.claims.meaning import disagrees
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule


@rule("EV106", "page-claim-false", "words whose condition does not hold")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for said in built.claims:
        try:
            wrong = disagrees(said.text, built.lookup.claim(f"{said.text}|{said.ref}").cited)
        except StoreError:
            raise
        except LensError as error:
            wrong = error.message
        if wrong:
            yield built.finding(rule, said.text, wrong, within=f'data-ev-claim="{escape(said.ref)}"')
