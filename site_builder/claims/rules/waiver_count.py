"""**EV030 waiver-count**: an entry of `claims.toml` covers more or fewer numbers than it says.

A waiver is for numbers somebody looked at. One more number under the same pattern is a number nobody looked at; one
fewer means the entry is out of date. The count is exact, so that a waiver can't grow unseen.

```toml
[[waive]]
file = "README.md"
pattern = "port \\d+"
reason = "the development server's default port"
count = 2
```

Mend it: read the numbers again, then set the count, or delete the entry.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV030", "waiver-count", "a waiver's count is not met")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for entry, used in page.waived:
        if used != entry.count:
            hint = "read them again, then set the count" if used else "delete the waiver"
            yield entry.finding(rule, f"waives {entry.count} in {page.document.path}, covers {used}", hint)
