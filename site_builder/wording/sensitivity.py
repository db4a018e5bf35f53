"""Sensitivity, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "sensitivity",
    "Sensitivity",
    what="Which numeric parts of a grader its score depends on.",
    order=130,
)
