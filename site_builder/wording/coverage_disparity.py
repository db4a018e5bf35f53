"""Is it as good everywhere, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "coverage-disparity",
    "Is it as good everywhere",
    what="Whether the model prefers the labelled reply more often on some parts of a set than on others, beyond what "
    "sampling gives.",
    use="Use the spread beyond sampling. The range between the best and the worst part is above zero by chance alone, "
    "as is the public index.",
    row=("{disparity} logits between parts",),
    fields={
        "disparity": "logits is the spread between parts beyond sampling, {subject}",
        "p": "is the p of parts that are all alike, {subject}",
        "null": "logits would be read with prompts dealt to the parts at random, {subject}",
        "null-mean": "logits, on average over such deals, {subject}",
        "lowest": "is the part on which the labelled reply is preferred least often, {subject}",
        "highest": "is the part on which the labelled reply is preferred most often, {subject}",
        "{c}.accuracy": "pairs of {c} have their labelled reply preferred by {subject}",
    },
    order=330,
)
