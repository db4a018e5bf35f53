"""Adjudications, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "adjudication",
    "Adjudication",
    what="What came of a study’s predictions, by the rule that was frozen with them.",
    use="An outcome answers to its own threshold and control; inconclusive says nothing either way.",
    row=("{confirmed} confirmed", "{refuted} refuted", "{inconclusive} inconclusive", "{void} void"),
    fields={
        "confirmed": "predictions lie where they were predicted to, and their control does not, {subject}",
        "refuted": "predictions lie clear of it, or their kill rule holds, {subject}",
        "inconclusive": "predictions are not settled, {subject}",
        "void": "predictions can’t be adjudicated, {subject}",
        "{c}.outcome": "is what came of this prediction, {subject}",
        "{c}.p": "p of the rule, unadjusted, {subject}",
        "{c}.holm": "p of the rule, by Holm over the family, {subject}",
        "code": "is how the code that measured it stands to what was frozen, {subject}",
    },
    order=420,
)
