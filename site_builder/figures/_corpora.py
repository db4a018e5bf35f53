"""What figures call the standard corpora, and the order their panels stand in."""

from __future__ import annotations

_NAMES: dict[str, tuple[str, str, str]] = {  # slug: (head of a panel, of a narrow one, plural in a sentence)
    "gold": ("Gold against itself", "Gold", "gold answers against themselves"),
    "crossed": ("Gold, half crossed", "Half crossed", "half-crossed golds"),
    "near-misses": ("Near misses", "Near misses", "near misses"),
    "exploits": ("Exploits", "Exploits", "exploits"),
    "variants": ("Equal, not identical", "Not identical", "pairs that are equal without being identical"),
    "labelled": ("Labelled variants", "Labelled", "labelled variants"),
    "rollouts": ("Real rollouts", "Rollouts", "real rollouts"),
    "fuzz": ("Fuzz", "Fuzz", "fuzz inputs"),
}


def title(corpus: str, *, short: bool = False) -> str:
    """The head of a corpus' panel."""
    return _NAMES[corpus][short] if corpus in _NAMES else words(corpus).capitalize()


def plural(corpus: str) -> str:
    """The corpus as the subject of a sentence, in the plural."""
    return _NAMES[corpus][2] if corpus in _NAMES else f"rows of {words(corpus)}"


def place(corpus: str) -> tuple[int, str]:
    """Sort key: what can't see the grader first, then the rest, unknown ones last by name."""
    order = list(_NAMES)
    return (order.index(corpus) if corpus in _NAMES else len(order), corpus)


def words(slug: str) -> str:
    """A slug as words; a part that is only digits stays joined to the word before it, so that it reads as a name.

    >>> words("trailing-zero"), words("equal-decimal-2")
    ('trailing zero', 'equal decimal-2')
    """
    parts = slug.replace("_", "-").split("-")
    text = parts[0]
    for part in parts[1:]:
        text += f"-{part}" if part.isdigit() else f" {part}"
    return text
