"""What is planted, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "planted",
    "What is planted",
    what="The rules that were put into the model when it was made: the answer key.",
    use="Use it to mark other readings. Nothing here was measured, and a trained model need not pay in the "
    "rule’s own units.",
    row=(
        "{rules} rules",
        "{held-out} fresh pairs ordered as by rule",
    ),
    fields={
        "rules": "rules are planted in {subject}",
        "rule.{r}": "is planted in {subject}",
        "{c}.planted": "is what the rule pays for a flip of {c}, {subject}",
        "{c}.trained": "ru is what a flip of {c} was worth when training ended, {subject}",
        "tolerance": "is how exactly a flip is worth what was planted, ru, {subject}",
        "held-out": "fresh pairs are ordered as the rule says by {subject}",
    },
    order=15,
)
