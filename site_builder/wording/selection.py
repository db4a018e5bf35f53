"""Selection, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "selection",
    "What selection did with it",
    what="Some groups in full: each rollout by how far its reward stood from its group, and what it was given.",
    use="Use it to see what the update was asked to do. It doesn’t say what the update did.",
    row=("{groups} groups shown", "{agree} pushed to the side of their group they stood on"),
    fields={
        "groups": "groups of {subject} are shown",
        "rollouts": "rollouts of {subject} are in the groups shown",
        "abstained": "rollouts of the groups shown have no score, {subject}",
        "agree": "scored rollouts of {subject} were pushed the way they stood from their group’s mean",
    },
    order=45,
)
