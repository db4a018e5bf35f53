"""Sheets say the same on every page that quotes their number: each is read where it stands first.

Two sheets are the same when nothing differs but their own ids and the way back to the site's root.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

_SHEET = '<div class="sheet" popover'
_OWN = re.compile(r'="n\d+v?"')


class Counts(NamedTuple):
    """Digits outside code, and those that stand unbacked, by token class."""

    digits: int
    allowed: Counter[str]


def apart(html: str) -> tuple[str, dict[str, str]]:
    """A page without its sheets, and its sheets by what they say wherever they stand. Together they are the page."""
    start = html.find(_SHEET)
    if start < 0:
        return html, {}
    end = html.find("</section>", html.rfind(_SHEET))
    sheets = html[start : end if end >= 0 else len(html)]
    said = _OWN.sub("", sheets).replace("../", "").split(_SHEET)[1:]
    whole = [_SHEET + sheet for sheet in sheets.split(_SHEET)[1:]]
    return html[:start] + html[start + len(sheets) :], dict(zip(said, whole, strict=True))
