"""**EV104 glued-text**: what touches a stamped element changes the number it shows.

A minus or a digit before it, a percent sign, an exponent or a scale word after it.

Mend it: let the format print it.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from site_builder.claims.finding import Finding
from site_builder.claims.glue import glue_beside
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule
from site_builder.claims.visible import BACKED


@rule("EV104", "glued-text", "what touches a stamped element changes its number")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    for stamped in built.stamped:
        for start, end in glue_beside(stamped.before, stamped.after):
            what = (stamped.before + BACKED + stamped.after)[start:end].strip().replace(BACKED, "another stamp")
            message = f"{what!r} beside {stamped.text!r} changes it"
            yield built.finding(
                rule, what, message, "let the format print it", within=f'data-ev="{escape(stamped.ref)}"'
            )
