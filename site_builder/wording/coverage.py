"""Coverage, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "coverage",
    "Coverage",
    what="How much of the run its record holds, and what reading the files brought to light.",
    use="Use it beside every other number of this run: none of them reaches further than the rollouts counted here.",
    row=(
        "{rollouts} rollouts",
        "{groups} groups",
        "{steps} steps",
        "{trained} trained on",
        "{findings} findings",
    ),
    fields={
        "rollouts": "rollouts of {subject} are in its record",
        "steps": "steps of {subject} have rollouts",
        "groups": "groups of rollouts of {subject} are in its record",
        "trained": "rollouts that {subject} trained on are in its record",
        "unique": "rollouts of {subject} differ in their text",
        "files": "files of {subject} were read",
        "findings": "things reading the files of {subject} brought to light",
        "found.{r}": "rollouts of {subject} are touched: {r}",
        "format": "is the format of {subject}",
        "trainer": "wrote {subject}",
    },
    order=10,
)
