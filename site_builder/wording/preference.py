"""What it prefers, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "preference",
    "What it prefers",
    what="How often the labelled reply scores more than the other, and by how much.",
    use="Use it with its control beside it: a rule that reads length alone. Rewards are in the model’s own "
    "units and never compared between models.",
    row=(
        "{accuracy} preferred as labelled",
        "{over-length-rule} over the better length rule",
        "mean margin {margin.mean} ru",
    ),
    fields={
        "accuracy": "pairs are preferred as labelled by {subject}",
        "tied": "pairs have equal scores from {subject}",
        "prefer-longer": "pairs have the longer reply as the labelled one",
        "prefer-shorter": "pairs have the shorter reply as the labelled one",
        "over-length-rule": "is {subject}’s share of pairs over that of the better length rule",
        "length-rule": "is the better of the two length rules on these pairs",
        "margin.mean": "is the mean margin of {subject}, ru",
        "margin.null": "is how large the mean margin of {subject} gets with labels turned at random, ru",
        "margin.standardised": "spreads within a prompt is the mean margin of {subject}",
        "part.{r}": "pairs are preferred as labelled by {subject}: {r}",
        "parts.lowest": "is the lowest share of any part, {subject}",
        "parts.highest": "is the highest share of any part, {subject}",
    },
    order=20,
)
