"""Alarms, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "alarms",
    "Alarms",
    what="Which online detectors fire on which series of the run, when, and how often they fire where nothing changed.",
    use="Quote an alarm or a lead with the rate by its own step, and the rule that made the surrogates. An alarm says "
    "that a series left its baseline; whether that is a hack it can’t say.",
    row=(
        "{fired} pairs of series and detector fire",
        "{expected|d1} would where nothing changed",
    ),
    fields={
        "fired": "pairs of a series and a detector fire, {subject}",
        "expected": "pairs would fire on surrogates in which nothing changed, {subject}",
        "warned": "pairs fire before the change begins, {subject}",
        "warned.expected": "pairs would fire before that step on surrogates, {subject}",
        "series": "series are watched, {subject}",
        "baseline": "steps are taken for normal, {subject}",
        "horizon": "steps have the watched series, {subject}",
        "onset": "is the step at which the change begins, {subject}",
        "onset.rule": "is how the change’s beginning is known, {subject}",
        "onset.{r}": "is the step at which {r} shows the change, {subject}",
        "reproduce.{c}.alarm": "is when the published recipe fires, read on the {c}, {subject}",
        "reproduce.{c}.available": "is the step at which a live reader would have that alarm, {subject}",
        "reproduce.{c}.rate": "surrogates fire under the published recipe, read on the {c}, {subject}",
        "reproduce.{c}.by-alarm": "surrogates fire under it after the baseline and by the alarm’s step, {subject}",
        "reproduce.{c}.lead": "steps lie between that alarm and the change, {subject}",
        "{c}.{r}.alarm": "is when {r} fires on {c}, {subject}",
        "{c}.{r}.rate": "surrogates of {c} make {r} fire, {subject}",
        "{c}.{r}.by-alarm": "surrogates of {c} make {r} fire after the baseline and by the alarm’s step, {subject}",
        "{c}.{r}.lead": "steps lie between the alarm of {r} on {c} and the change, {subject}",
        "{c}.alarm": "can’t be watched, {subject}",
    },
    order=100,
)
