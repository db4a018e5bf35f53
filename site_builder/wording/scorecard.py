"""Scorecards, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "scorecard",
    "Scorecard",
    what="How an instrument does on subjects in which something was planted, dose by dose.",
    use="Read the smallest dose it finds: one that passes may still miss a smaller dose, or what is of another kind.",
    row=("passed {passed}", "smallest dose found {smallest-dose}", "{false-positives} false alarms"),
    fields={
        "passed": "every criterion of a calibration holds, {subject}",
        "smallest-dose": "{unit}: the smallest dose from which on nearly every planted subject is flagged, {subject}",
        "false-positives": "subjects with nothing planted are flagged, {subject}",
        "coverage": "intervals hold the planted value, {subject}",
        "decoys": "planted subjects have a decoy flagged, which is there and of another kind, {subject}",
        "power.{c}": "subjects at this dose are flagged, {subject}",
        "auc.{c}": "how well this dose is told from none by the size of the reading, {subject}",
        "trend.p": "chance of such a rise of the reading with dose where there is none, {subject}",
        "holds.{c}": "this criterion holds, {subject}",
        "dose.{c}": "{unit}: a dose that was planted, {subject}",
        "decoys.{c}": "planted subjects of this dose have a decoy flagged, {subject}",
        "coverage.{c}": "intervals at this dose hold the planted value, {subject}",
        "interval.of": "what the intervals are of, {subject}",
        "range.of": "fields of a reading that are held to the sizes of the series, {subject}",
        "range.low": "{unit}: the smallest size that was read in the series, {subject}",
        "range.high": "{unit}: the largest size that was read in the series, {subject}",
        "limit": "what the instrument is known not to see, {subject}",
    },
    order=400,
)
