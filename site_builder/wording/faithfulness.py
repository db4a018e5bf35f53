"""Attribution against patching, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "faithfulness",
    "Attribution against patching",
    what="Whether what components write orders what patching them does, beyond what untrained copies show.",
    use="Use the excess over the control. A correlation alone says nothing: untrained networks have one too.",
    row=(
        "ρ {rho-pair}, {untrained.rho-pair} in untrained copies",
        "{verdict}",
    ),
    fields={
        "rho-pair": "is the mean rank correlation over pairs, {subject}",
        "rho-mean": "is the rank correlation of the pair means, {subject}",
        "untrained.rho-pair": "is the mean rank correlation in re-initialised copies of {subject}",
        "untrained.rho-mean": "is the rank correlation of the pair means in re-initialised copies of {subject}",
        "random-heads.rho-pair": "is the mean rank correlation with random heads of equal norm, {subject}",
        "random-heads.rho-mean": "is the rank correlation of the pair means with random heads of equal norm, {subject}",
        "excess": "is the rank correlation over that of untrained copies, {subject}",
        "random-heads.excess": "is the rank correlation over that of random heads, {subject}",
        "verdict": "is the verdict, {subject}",
        "{c}.rho-pair": "is the mean rank correlation over pairs of {c}, {subject}",
        "{c}.rho-mean": "is the rank correlation of the pair means of {c}, {subject}",
        "{c}.excess": "is the rank correlation over that of untrained copies, {c}, {subject}",
        "{c}.untrained.rho-pair": "is the mean rank correlation in re-initialised copies, {c}, {subject}",
        "{c}.untrained.rho-mean": "is the rank correlation of the pair means in re-initialised copies, {c}, {subject}",
    },
    order=260,
)
