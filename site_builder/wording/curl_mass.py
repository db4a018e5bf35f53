"""Curl mass, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "curl-mass",
    "Curl mass",
    what="How far a grader’s preferences are from any single score.",
    order=180,
)
