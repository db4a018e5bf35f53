"""Does the wording matter, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "robustness",
    "Does the wording matter",
    what="How much the reward differs between replies, beside how much it differs between wordings of one reply.",
    use="It is worth what the paraphrases are: the reading says who certified them. The public index is above zero "
    "without any signal.",
    row=("{icc} is of what is said",),
    fields={
        "snr": "times the variance between wordings is that between replies, {subject}",
        "null": "times would be read with wordings dealt to replies at random, {subject}",
        "null-mean": "times, on average over such deals, {subject}",
        "icc": "of the variance is of what is said and not of how, {subject}",
        "certified": "are the paraphrases certified, {subject}",
        "compared": "are compared, {subject}",
        "flipped": "of rewordings turn a verdict of {subject}",
    },
    order=340,
)
