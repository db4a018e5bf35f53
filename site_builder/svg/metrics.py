"""How wide a text can get, without a font at hand.

Advances are those of DejaVu Sans, Sans Bold and Serif Italic in hundredths of an em: the widest faces
`system-ui` and the serif stack resolve to, about 12 % wider than Inter. A layout that fits these fits the rest.
"""

from __future__ import annotations

from functools import cache

_CHARACTERS = (
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    "−–—→←↑↓·×±≥≤≈≠µρλαβ“”‘’…°√\u00a0\u202f⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
)
_SANS = """
32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 100 68 69 70 77 63 58
77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 58 28 97 63
61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84 84 50 100 84 84 84 84 32 84 84 84 84 84 84 64 63 59 66 64 52 52 32 32
100 50 64 32 20 53 40 40 40 40 40 40 40 40 40 40"""
_BOLD = """
35 46 52 84 70 100 87 31 46 46 52 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 58 100 77 76 73 83 68 68
82 84 37 37 77 64 100 84 85 73 85 77 72 68 81 77 110 77 72 73 46 37 46 84 50 50 67 72 59 72 68 44 72 71 34 34 67 34 104
71 69 72 72 49 60 48 71 65 92 65 65 58 71 37 71 84 84 50 100 84 84 84 84 38 84 84 84 84 84 84 74 72 63 69 72 66 66 38
38 100 50 67 35 20 53 44 44 44 44 44 44 44 44 44 44"""
_ITALIC = """
32 40 46 84 64 95 89 27 39 39 50 84 32 34 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 54 100 72 73 77 80 73 69
80 87 40 40 75 66 102 88 82 67 82 75 69 67 84 72 103 71 66 69 39 34 39 84 50 50 60 64 56 64 59 37 64 64 32 31 61 32 95
64 60 64 64 48 51 40 64 56 86 56 56 53 64 34 64 84 84 50 100 84 84 84 84 32 84 84 84 84 84 84 65 59 63 68 58 51 51 32
32 100 50 64 32 20 53 40 40 40 40 40 40 40 40 40 40"""
_MONO = 60.2
_UNKNOWN = 100.0

Face = str  # "sans", "bold", "italic" (serif), "mono"


@cache
def _advances(face: Face) -> dict[str, int]:
    table = {"sans": _SANS, "bold": _BOLD, "italic": _ITALIC}[face]
    return dict(zip(_CHARACTERS, map(int, table.split()), strict=True))


@cache
def width(text: str, size: float = 12.5, face: Face = "sans") -> float:
    """An upper estimate of the advance of `text`, in px at font size `size`."""
    if face == "mono":
        return len(text) * _MONO * size / 100
    advances = _advances(face)
    return sum(advances.get(character, _UNKNOWN) for character in text) * size / 100


def wrap(text: str, room: float, size: float = 12.5, face: Face = "sans") -> list[str]:
    """`text` in lines no wider than `room` px, broken at spaces; a word wider than the room keeps its line.

    >>> wrap("spaces around the answer", 100)
    ['spaces around', 'the answer']
    """
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(f"{lines[-1]} {word}", size, face) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
