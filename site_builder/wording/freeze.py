"""Frozen studies, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "freeze",
    "Frozen study",
    what="What a study predicts, by which rule it is adjudicated, and what that rule did where there was nothing.",
    use="Its digest stands for all of it: what was measured afterwards names the digest.",
    row=("{hypotheses} predictions frozen",),
    fields={
        "hypotheses": "predictions are frozen in {subject}",
        "alpha": "chance allowed of any false confirmation among them, {subject}",
        "units.{c}": "subjects of this arm will be read, {subject}",
        "{c}.says": "is one prediction of {subject}",
        "{c}.threshold": "is what the prediction is held against, {subject}",
        "{c}.margin": "to either side is what the prediction allows, {subject}",
        "{c}.smallest": "is the smallest effect that would be of interest, {subject}",
        "{c}.kill": "is where its kill rule begins, {subject}",
        "{c}.power": "chance of confirming it, were the smallest effect of interest true, {subject}",
        "{c}.null": "studies of null subjects confirm it too, {subject}",
        "question": "is what {subject} asks",
        "prediction": "is what {subject} predicts",
        "refuted-by": "is what would refute {subject}",
        "null-subjects": "is what a null subject of {subject} is",
        "amends": "is what this version of {subject} changed",
    },
    order=410,
)
