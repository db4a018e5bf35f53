"""What no named channel explains, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "dark-reward",
    "What no named channel explains",
    what="How much of what the reward tells apart inside a prompt none of the named channels of the text explains, on "
    "prompts that nothing was fitted on.",
    use="It is dark to these channels and not to any. A value above one says that they mislead. The public index is "
    "in-sample, and falls with every channel added.",
    row=("{linear} dark to a line", "{trees} to trees"),
    fields={
        "channels": "channels of the text are tried on {subject}",
        "linear": "of the variance inside prompts is not explained by a linear sum of channels, {subject}",
        "trees": "of the variance inside prompts is not explained by boosted trees, {subject}",
        "{c}.null": "of the variance would be left with rewards permuted inside prompts, {c}, {subject}",
        "{c}.null-mean": "of the variance, on average over such permutations, {c}, {subject}",
        "explains": "explain more than chance of the reward of {subject}",
    },
    order=350,
)
