"""Divergence-aware patching, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "divergence-patching",
    "Divergence-aware patching",
    what="How much of the margin moves with only the tokens at which the two texts’ streams differ.",
    use="Use it beside as many tokens drawn at random.",
    row=(
        "{share.0-5} of the margin with {positions.0-5} of the tokens",
        "{random.0-5} with as many at random",
    ),
    fields={
        "share.{r}": "of the margin moves with the tokens that diverge, {subject}",
        "random.{r}": "of the margin moves with as many tokens at random, {subject}",
        "positions.{r}": "of the aligned tokens diverge, {subject}",
        "full": "of the margin moves with every aligned token, {subject}",
    },
    order=258,
)
