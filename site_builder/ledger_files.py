"""What stands on the pages without evidence, by token class, and this build's line for `data/published.jsonl`.

The allow list is small and its growth is to be seen: `ledger/allowed.json` holds each class with its reason, its
digits now, and those of the last publication.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

import msgspec

from site_builder import published
from site_builder.cache import Kept
from site_builder.claims.allowed import classes
from site_builder.context import Site
from site_builder.output import Output


def write(site: Site, pages: Iterable[Kept], output: Output) -> None:
    """Add the read-back of every page up, whether it was made now or in an earlier build."""
    allowed: Counter[str] = Counter()
    digits = 0
    for page in pages:
        allowed.update(page.allowed)
        digits += page.digits
    now = published.current(site, dict(sorted(allowed.items())))
    output.put("published.json", msgspec.json.encode(now, order="sorted") + b"\n")
    past = published.read(site.options.data)
    before = past[-1].allowed if past else {}
    reasons = {one.name: one.reason for one in classes()}
    table = {
        "digits": digits,
        "classes": {
            name: {"reason": reasons.get(name, ""), "digits": count, "published": before.get(name, 0)}
            for name, count in sorted(allowed.items())
        },
    }
    output.put("ledger/allowed.json", json.dumps(table, indent=1, ensure_ascii=False).encode() + b"\n")
