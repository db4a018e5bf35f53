"""Score tree, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "score-tree",
    "What the score was made of",
    what="The leaves whose weighted sum was the reward, and which of them decided inside a group.",
    use="Use it to say which leaf told rollouts of one prompt apart. One leaf is no decomposition; an abstention is "
    "not a zero.",
    row=("leaves: {leaves}", "{decomposition}", "reward {low} to {high}", "{abstained} without a score"),
    fields={
        "leaves": "leaves make up the reward of {subject}",
        "decomposition": "is what the reward of {subject} comes apart into",
        "weights-from": "is how the weights of {subject} are known",
        "low": "is the lowest reward of {subject}",
        "high": "is the highest reward of {subject}",
        "abstained": "rollouts of {subject} have no score",
        "partly": "rollouts of {subject} have a score of some leaves and not of others",
        "{c}.weight": "is the weight of {c} in the reward of {subject}",
        "{c}.low": "is the lowest {c} of {subject}",
        "{c}.high": "is the highest {c} of {subject}",
        "{c}.scored": "rollouts of {subject} have a {c}",
        "{c}.abstained": "rollouts of {subject} have no {c}",
        "{c}.share": "of the variance of {subject}’s reward inside groups is {c}",
    },
    order=30,
)
