"""Advantages, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "advantages",
    "Advantages",
    what="What selection gave each rollout: how many were pushed up, how many down, and how many neither way.",
    use="Use it for what the update was asked to do. A sign says which way, not how far the policy went; it hangs on "
    "the tolerance it is counted with.",
    row=("{low|d3} to {high|d3}", "{up} pushed up", "{down} pushed down", "{zero} exactly zero"),
    fields={
        "high": "is the largest advantage of {subject}",
        "low": "is the smallest advantage of {subject}",
        "zero": "rollouts of {subject} have an advantage of exactly nought",
        "up": "rollouts of {subject} were pushed up",
        "down": "rollouts of {subject} were pushed down",
        "still": "rollouts of {subject} were pushed neither way",
        "{c}.tenth": "rollouts of {subject} were counted so at a tenth of the tolerance: {c}",
        "{c}.tenfold": "rollouts of {subject} were counted so at ten times the tolerance: {c}",
        "dead-groups": "groups of {subject} pushed nothing",
        "group-sum": "is the largest sum of a group’s advantages, {subject}",
        "group-size": "rollouts are in the largest group of {subject}",
        "bound.ddof-1": "is as large as an advantage of {subject} can be under a sample deviation",
        "bound.ddof-0": "is as large as an advantage of {subject} can be under a population deviation",
        "excluded": "is what the sizes of {subject}’s advantages rule out",
    },
    order=40,
)
