"""What touches a backed number and changes how it reads."""

from __future__ import annotations

import re
from functools import lru_cache

from site_builder.claims.visible import BACKED, OTHER

_BEFORE = re.compile(
    rf"(?:[0-9{OTHER}]+[.,'’/:×x*^ -]?|(?<![A-Za-z0-9])[.]|(?<![\w)])[-+−±–~≈<>≤≥](?:\s|\()?|[$€£#]|{BACKED}[.,'’/^]?|"
    r"\b(?:minus|negative|(?:less|more|fewer) than|over|under|at least|at most|up to|nearly|almost|below|above|not|"
    r"times|all but|except(?: for)?|other than|without)\s)\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"[0-9{OTHER}]+|[.,'’:/^×*–-][0-9{OTHER}{BACKED}]+|[ \n]?[%‰]|[ \n-]?(?:percent|per cent|percentage|pp|bps)\b|"
    rf"[eE][-+−]?[0-9]+|[ \n]?[×x*·][ \n]?[0-9{OTHER}]+|[ \n-]?(?:k|K|M|bn|thousands?|millions?|billions?|hundreds?|"
    r"dozens?|(?:and )?a half|or (?:more|fewer|less)|fold)\b|[+^]"
)


@lru_cache(maxsize=4096)
def glue_beside(before: str, after: str) -> list[tuple[int, int]]:
    """`glue` of one backed number with a little text on either side, which many numbers share."""
    return glue(before + BACKED + after)


def glue(text: str) -> list[tuple[int, int]]:
    """Spans of `text` that touch a backed number and are no part of it."""
    found = []
    for match in re.finditer(BACKED, text):
        at = match.start()
        before = _BEFORE.search(text, max(0, at - 24), at)
        after = _AFTER.match(text, match.end())
        if before and not _is_layout(text, before):
            found.append((before.start(), at))
        elif after:
            found.append(after.span())
    return found


def _is_layout(text: str, before: re.Match[str]) -> bool:
    """A dash that sets a clause off, or a bullet, is no sign."""
    dash = before[0].strip() in ("-", "–") and before[0][-1:].isspace()
    return before[0].isspace() or (dash and text[before.start() - 1 : before.start()] in ("", "\n", " "))
