"""**EV107 tick-differs**: an axis label is not the value the drawing's scale gives at its place.

Mend it: draw axes with the figure code, which prints ticks from the scale it stores.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.rules import Rule, rule


@rule("EV107", "tick-differs", "an axis label is not what its scale gives")
def check(built: Built, rule: Rule) -> Iterator[Finding]:
    from site_builder.svg.ticks import wrong

    for tick in built.ticks:
        try:
            what = wrong(tick.scale, tick.axis, float(tick.at), tick.text)
        except (ValueError, KeyError, TypeError, ZeroDivisionError):
            what = f"the tick {tick.text!r} has no scale to be recomputed from"
        if what:
            yield built.finding(rule, tick.text, what, within=f">{tick.text}</text>")
