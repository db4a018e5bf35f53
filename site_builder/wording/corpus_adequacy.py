"""Corpus adequacy, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "corpus-adequacy",
    "Corpus adequacy",
    what="Whether a corpus can tell the grader from something trivial: plain equality, or one constant answer.",
    use="Use it to decide which kill rates mean something. An inadequate corpus says nothing about the grader.",
    row=(
        "{adequate} can tell it from plain equality and from a constant",
        "on gold answers plain equality differs on {gold.equality-differs} rows",
    ),
    fields={
        "adequate": "can tell {subject} from plain equality and from a constant",
        "{c}.equality-differs": "rows where plain equality and {subject} disagree, {c}",
        "{c}.best-constant-differs": "rows where the best constant and {subject} disagree, {c}",
        "{c}.identical": "pairs are textually identical, {c}",
        "{c}.normalised": "rows where the normaliser acts on one side only, {c}",
        "{c}.outcomes": "outcomes of {subject} seen, {c}",
        "{c}.adequate": "is whether {c} can tell {subject} from something trivial",
    },
    order=20,
)
