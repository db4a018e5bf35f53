"""Published by others, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "reported",
    "Published by others",
    what="Figures that somebody else published, printed as they stand there.",
    use="Ours only once measured here.",
    fields={
        "mutants-killed": "mutants of {subject} noticed",
        "branches-never-taken": "branches of {subject} never taken",
        "grader-calls": "grader calls",
        "metamorphic-violations": "metamorphic violations of {subject}",
    },
    order=900,
)
