"""False accept and reject, variants, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "variants",
    "False accept and reject, variants",
    what="Wrong answers made from right ones that it pays, and right answers spelled otherwise that it refuses.",
    use="Use it for one kind of change at a time; how often each occurs in training is not measured here.",
    row=(
        "at worst {worst-reject} right answers refused",
        "at worst {worst-accept} wrong answers paid",
    ),
    fields={
        "accept.{r}": "wrong answers are paid by {subject}: {r}",
        "reject.{r}": "right answers are refused by {subject}: {r}",
        "worst-reject": "right answers are refused by {subject}, in the form it treats worst",
        "worst-accept": "wrong answers are paid by {subject}, in the form it treats worst",
    },
    order=70,
)
