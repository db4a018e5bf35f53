"""Silent zeros, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "silent-zeros",
    "Silent zeros",
    what="Zeros in a run’s record that stand for a failure, not for a wrong answer.",
    order=150,
)
