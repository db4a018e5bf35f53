"""Attribution patching, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "attribution-patching",
    "Attribution patching",
    what="Every place screened by slopes, and held against exact patching on a sample.",
    use="Use it to choose where to patch exactly. A saturated head is missed by a slope.",
    row=(
        "ρ {component.rho} with exact patching by component",
        "{missed} heads missed",
    ),
    fields={
        "{c}.rho": "is the rank correlation of slopes with exact effects, by {c}, {subject}",
        "{c}.error": "is the error of slopes as a share of the exact effects, by {c}, {subject}",
        "mismatched.{c}.rho": "is the rank correlation with another pair’s exact effects, by {c}, {subject}",
        "missed": "heads of large effect are missed by slopes, {subject}",
    },
    order=250,
)
