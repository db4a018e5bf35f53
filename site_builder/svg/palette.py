"""Colours by name. A spec holds the light values (plotly needs some); a drawing holds class names.

The page's stylesheet defines each name as a CSS variable for light and dark, so a drawing follows the theme.
"""

from __future__ import annotations

from typing import Literal

Tone = Literal[
    "paper", "ink", "ink2", "ink3", "rule", "hair", "accent", "hatch", "cell", "band",
    "s1", "s2", "s3", "s4", "s1t", "s2t",
]  # fmt: skip

LIGHT: dict[Tone, str] = {
    "paper": "#fbfaf6",
    "ink": "#1c1b18",
    "ink2": "#4d4a43",
    "ink3": "#696559",
    "rule": "#cbc6ba",
    "hair": "#e6e2d8",
    "accent": "#40359c",
    "hatch": "#8f897b",
    "cell": "#b7b1a2",
    "band": "#e3dfd4",
    "s1": "#0072b2",
    "s2": "#d55e00",
    "s3": "#00835f",
    "s4": "#b4588f",
    "s1t": "#00639b",  # series colours dark enough for text
    "s2t": "#a84700",
}
_NAMES = {value: name for name, value in LIGHT.items()}


def tone(colour: str) -> Tone:
    """The name of a spec's colour.

    >>> tone("#1c1b18")
    'ink'
    """
    try:
        return _NAMES[colour]
    except KeyError:
        raise ValueError(f"{colour} is not one of the palette's colours: {', '.join(LIGHT.values())}") from None
