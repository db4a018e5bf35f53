"""What figures of reward models call things: axes, components, edits, in words a newcomer reads."""

from __future__ import annotations

import re

from site_builder.svg.metrics import width

_KINDS = {"attn": "attention", "mlp": "MLP", "head": "head", "embed": "embedding"}


def words(name: str) -> str:
    """`null-reply` as words; a part that begins with a digit stays joined, so that it is read as a name.

    >>> words("null-reply"), words("fill-3")
    ('null reply', 'fill-3')
    """
    return re.sub(r"-(?!\d)", " ", name)


def site(name: str) -> str:
    """`mlp.5` and `head.3.1` as they are written in text: a letter before a number makes it a name.

    >>> site("mlp.5"), site("head.3.1"), site("embed")
    ('MLP L5', 'head L3H1', 'embedding')
    """
    kind, *numbers = name.split(".")
    if not numbers:
        return _KINDS.get(kind, words(kind))
    layer, *head = numbers
    return f"{_KINDS.get(kind, kind)} L{layer}" + (f"H{head[0]}" if head else "")


def brief_site(name: str) -> str:
    """The same for a narrow drawing.

    >>> brief_site("attn.2"), brief_site("embed")
    ('attn L2', 'embed')
    """
    kind, *numbers = name.split(".")
    return f"{kind if kind != 'mlp' else 'MLP'} L{numbers[0]}" if numbers else kind


def shortened(name: str, room: float, size: float) -> str:
    """A name cut where it would not fit, with a mark that it was."""
    if width(name, size) <= room:
        return name
    while name and width(f"{name}…", size) > room:
        name = name[:-1]
    return f"{name.rstrip(' -')}…"


def listed(names: list[str]) -> str:
    """Names in a sentence.

    >>> listed(["thanks", "fill", "right"])
    'thanks, fill and right'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def capital(text: str) -> str:
    """The first letter raised, the others as they are: `MLP L5` stays itself."""
    return text[:1].upper() + text[1:]
