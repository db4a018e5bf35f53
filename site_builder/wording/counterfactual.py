"""Counterfactual reward, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "counterfactual",
    "Had the reward been another",
    what="The same rollouts under a reward with one leaf changed, and how many would have been pushed the other way.",
    use="Use it for these rollouts alone: under another reward the policy would have sampled others later on.",
    fields={
        "identity.flips": "rollouts of {subject} are pushed the other way by the reward as it was, as none must be",
        "{r}.flips": "rollouts of {subject} would have been pushed the other way: {r}",
        "{r}.flips.tenth": "rollouts of {subject} would, at a tenth of the tolerance: {r}",
        "{r}.flips.tenfold": "rollouts of {subject} would, at ten times the tolerance: {r}",
        "{r}.to-zero": "rollouts of {subject} would no longer have been pushed: {r}",
        "{r}.from-zero": "rollouts of {subject} would have been pushed that were not: {r}",
        "{r}.moved": "rollouts of {subject} would have moved by more than a spread of advantages: {r}",
        "{r}.degenerate": "groups of {subject} would have had nothing to choose between: {r}",
    },
    order=50,
)
