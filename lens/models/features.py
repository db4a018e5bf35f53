"""Named features of a reply's text: what an index asks whether a reward pays for. None of them looks at a reward.

Eight counts that any text has, and as presences the words that part these replies most evenly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

MOST_WORDS = 12  # presences
RAREST = 0.1  # share of the replies, and of those that lack it, in which a word must stand
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?", re.IGNORECASE)
_MARKUP = re.compile(r"^\s*(?:[-*+]|#+|\d+[.)]|>)\s|\*\*|__|`", re.MULTILINE)


def _words(reply: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(reply)]


def _repeats(reply: str) -> int:
    found = _words(reply)
    return len(found) - len(set(found))


COUNTS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "words": lambda reply: len(reply.split()),
    "lines": lambda reply: len(reply.splitlines()),
    "digits": lambda reply: sum(letter.isdigit() for letter in reply),
    "marks": lambda reply: len(_MARKUP.findall(reply)),
    "questions": lambda reply: reply.count("?"),
    "exclamations": lambda reply: reply.count("!"),
    "repeats": _repeats,
}
"""Characters, words, lines, digits, marks of Markdown, question and exclamation marks, words said again."""


@dataclass(frozen=True)
class Features:
    """K features of n replies; `names` as fields spell them: a count's, or `says-WORD`."""

    names: tuple[str, ...]
    values: np.ndarray  # [n, K]


def features(replies: Sequence[str], prompts: Sequence[Hashable]) -> Features:
    """Of `replies` to `prompts`; left out is one that is the same for all replies
    to every prompt, or says inside prompts what one before it does.

    >>> features(["yes.", "no!", "so so.", "no."], "aabb").names
    ('characters', 'words', 'exclamations', 'says-no')
    """
    import numpy as np

    from lens.stats.drawn import centred

    columns: dict[str, list[float]] = {
        name: [float(count(reply)) for reply in replies] for name, count in COUNTS.items()
    }
    said = [set(_words(reply)) for reply in replies]
    for word in parting(said):
        columns[f"says-{word.replace(chr(39), '-')}"] = [float(word in some) for some in said]
    values = np.array(list(columns.values())).T
    kept: list[int] = []
    seen: list[np.ndarray] = []
    rows = centred(values, prompts)
    for at in range(rows.shape[1]):
        if rows[:, at].any() and not any(_alike(rows[:, at], one) for one in seen):
            kept.append(at)
            seen.append(rows[:, at])
    names = list(columns)
    return Features(tuple(names[at] for at in kept), values[:, kept])


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether one column says all that the other does, or its opposite."""
    import numpy as np

    return bool(np.allclose(one, other) or np.allclose(one, -other))


def parting(said: Sequence[set[str]]) -> list[str]:
    """The words that stand in nearest to half of the texts: at most 12, and none in almost all or almost none."""
    counts = Counter(word for some in said for word in some)
    least = RAREST * len(said)
    fit = [word for word, count in counts.items() if least <= count <= len(said) - least]
    return sorted(fit, key=lambda word: (abs(counts[word] - len(said) / 2), word))[:MOST_WORDS]
