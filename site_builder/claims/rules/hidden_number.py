"""**EV029 hidden-number**: a number that looks hidden in the source and shows on the page.

Comments, link targets and settings are no claims. Renderers differ in what ends a comment and what opens one, so the
text is also rendered and parsed as a browser would; a digit that only shows up there is reported.

Mend it: write the comment or the tag so that every reader agrees, or back the number.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.claims.second import unseen


@rule("EV029", "hidden-number", "a number that looks hidden in the source and shows on the page")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    span = unseen(page) if page.strict else None
    if span is not None:
        text = page.document.text[slice(*span)]
        yield page.at(rule, *span, f"{text} shows once rendered, and has no evidence behind it", "close what hides it")
