"""Series, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "series",
    "Series",
    what="What moved over the run: reward and its variance inside groups, dead groups, length, entropy, KL.",
    use="Use a change with its interval. Reward and length are compared inside a prompt, never over prompts.",
    row=(
        "reward by {reward.change}",
        "variance inside groups by {within-group-variance.change}",
        "{dead.groups} groups dead",
    ),
    fields={
        "dead.groups": "groups have equal rewards and teach nothing, {subject}",
        "dead.steps": "steps have no group whose rewards differ, {subject}",
        "{c}.first": "is {c} over the first tenth of the steps, {subject}",
        "{c}.last": "is {c} over the last tenth of the steps, {subject}",
        "{c}.change": "is the change of {c} from the first tenth of the steps to the last, {subject}",
    },
    order=90,
)
