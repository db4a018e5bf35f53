"""False accept and reject, real rollouts, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "rollouts",
    "False accept and reject, real rollouts",
    what="Labelled answers of real models: right ones refused, wrong ones paid.",
    use="Use it for the models and problems named; another policy writes other answers.",
    row=(
        "{false-reject} right answers refused",
        "{false-accept} wrong answers paid",
    ),
    fields={
        "false-reject": "right model answers are refused by {subject}",
        "false-accept": "wrong model answers are paid by {subject}",
    },
    order=80,
)
