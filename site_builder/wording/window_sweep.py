"""Window sweep, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "window-sweep",
    "Window sweep",
    what="The false-alarm rate, and the alarm, at every baseline that could have been chosen.",
    use="Quote the range over windows in control, not one window. A window that reaches the change is no baseline.",
    row=(
        "{cusum.lowest|pct0} to {cusum.highest|pct0} of surrogates, by CUSUM, from window to window",
        "{in-control} windows in control",
        "{backward-difference.lowest|pct0} to {backward-difference.highest|pct0} by its backward difference",
    ),
    fields={
        "series": "is the series that is swept, {subject}",
        "windows": "baselines are tried, {subject}",
        "in-control": "windows end before the change begins, {subject}",
        "left-out": "windows hold a series that doesn’t move, {subject}",
        "{r}.lowest": "surrogates fire at the window where fewest do, {r}, {subject}",
        "{r}.highest": "surrogates fire at the window in control where most do, {r}, {subject}",
        "{r}.late-highest": "surrogates fire at a window that reaches the change, {r}, {subject}",
        "{r}.first": "is the earliest alarm over windows in control, {r}, {subject}",
        "{r}.last": "is the latest alarm over windows in control, {r}, {subject}",
        "{r}.silent": "windows in control give no alarm, {r}, {subject}",
    },
    order=105,
)
