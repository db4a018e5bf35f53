"""Determinism, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "determinism",
    "Determinism",
    what="Whether it says the same thing twice, in another thread, and what it leaves behind.",
    use="Use it for the rows named. A difference seen once is a fact; none seen is a bound.",
    row=(
        "{replay-differences} rows differ on replay",
        "{thread-differences} in another thread",
        "{consumes-random}",
    ),
    fields={
        "random-rows": "rows on which {subject} drew from a global generator",
        "replay-differences": "rows where {subject} gives another outcome on replay",
        "thread-differences": "rows where {subject} gives another outcome in another thread",
        "consumes-random": "is whether {subject} consumes global random numbers",
        "global-state": "is whether {subject} leaves global state changed",
        "files-written": "is whether {subject} writes files",
    },
    order=110,
)
