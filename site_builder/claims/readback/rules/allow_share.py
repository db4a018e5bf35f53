"""**EV110 allow-share**: too many of a page's digits stand on the allow list.

Dates, versions, references and the like may stand unbacked, each class for a reason. Together they may be a twentieth
of the digits a page prints outside code, or a few dozen digits on a page that prints little else.

Mend it: look some of them up (a record's date, a subject's version), or shorten the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule

_SHARE = 0.05
_ALWAYS = 48


@rule("EV110", "allow-share", "too many of a page's digits stand on the allow list")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    allowed = built.allowed.total()
    if allowed > max(_ALWAYS, _SHARE * built.digits):
        classes = ", ".join(f"{name} {count}" for name, count in built.allowed.most_common())
        message = f"{allowed} of {built.digits} digits stand on the allow list: {classes}"
        yield built.finding(rule, "", message, "look some of them up", within="<main")
