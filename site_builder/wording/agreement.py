"""Do they agree, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "agreement",
    "Do they agree",
    what="Whether two models prefer the same replies, beyond what their accuracies alone give.",
    use="Use it to ask whether several models are several opinions. Agreement says nothing of who is right.",
    row=(
        "kappa {kappa.lowest} to {kappa.highest}",
        "all right on {all-right}",
        "all wrong on {all-wrong}",
    ),
    fields={
        "kappa.lowest": "is the lowest kappa of two models, {subject}",
        "kappa.highest": "is the highest kappa of two models, {subject}",
        "all-right": "pairs are preferred as labelled by every model, {subject}",
        "all-wrong": "pairs are preferred the other way by every model, {subject}",
        "expected.all-right": "of pairs, were their errors independent, are right for all, {subject}",
        "expected.all-wrong": "of pairs, were their errors independent, are wrong for all, {subject}",
    },
    order=45,
)
