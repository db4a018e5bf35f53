"""**EV101 loose-digit**: a digit on a built page that nothing backs.

Whatever wrote it (a template, a macro, prose that slipped through), the page prints a number no record stands behind.

Mend it: let the template look the number up: `{{ w.n("id#field|format") }}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from site_builder.claims.code import is_bare
from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.readback.digests import is_digest
from site_builder.claims.rules import Rule, rule

_PRINTED = re.compile(r"content\s*:[^;}]*[0-9][^;}]*|counter-(?:reset|set|increment)\s*:[^;}]*[2-9][^;}]*")


@rule("EV101", "loose-digit", "a digit on a built page that nothing backs")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    hint = "look it up in the template"
    for numeral in built.numerals:
        if not numeral.allowed:
            yield built.finding(rule, numeral.text, f"{numeral.text} has no evidence behind it", hint)
    for code in built.code:
        if any(map(str.isdigit, code)) and is_bare(code) and not is_digest(code.strip(), built.lookup.store):
            yield built.finding(rule, code, f"{code.strip()} in code has no evidence behind it", hint)
    for style in built.styles:
        for match in _PRINTED.finditer(style):
            yield built.finding(rule, match[0], f"a style sheet prints {match[0]!r}", hint)
