"""Markers, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "markers",
    "Markers",
    what="Steps that stand out when the whole run is looked at: its highest gradient norm, and where means moved.",
    use="They are known only when the run is over: they warn of nothing, and no lead may be quoted from them.",
    row=(
        "{changed} series changed their mean",
        "gradient norm highest at step {gradient-norm.peak}",
    ),
    fields={
        "changed": "series are better described by two means than by one, {subject}",
        "gradient-norm.peak": "is the step of the highest gradient norm, {subject}",
        "gradient-norm.highest": "is the highest gradient norm, {subject}",
        "{c}.change": "is the first step after {c} moved most, looking back, {subject}",
        "{c}.shift": "is how far the mean of {c} moved there, {subject}",
    },
    order=110,
)
