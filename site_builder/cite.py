"""How to cite the site, or one measurement of it: a BibTeX entry with the permalink and the digest, which says whether
it is still that measurement."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from site_builder import links

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Words

_SPECIAL = re.compile(r"([&%$#_{}])")
_ODD = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def bibtex(words: Words, record: Record, title: str, field: str) -> str:
    """A `@misc` entry for one field of a record; its key is the id with the first eight digits of the digest."""
    note = rf"evidence \texttt{{{_tex(f'{record.id}#{field}')}}}, record \texttt{{{record.digest[:16]}}}"
    key = f"{_key(record.id)}-{record.digest[:8]}"
    return _entry(words, key, title, record.made.time, links.evidence(record.id), note)


def whole(words: Words, clock: str) -> str:
    """A `@misc` entry for the whole site, of the year of its newest evidence (`clock`, an ISO 8601 time)."""
    return _entry(words, _key(words.title), words.title, clock, "")


def _entry(words: Words, key: str, title: str, time: str, path: str, note: str = "") -> str:
    rows = {
        "title": _tex(title),
        "author": f"{{{_tex(words.author or words.title)}}}",
        "year": time[:4],
        "howpublished": rf"\url{{{words.url}{path}}}",
        "note": note,
    }
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in rows.items() if value)
    return f"@misc{{{key},\n{body}\n}}"


def _key(text: str) -> str:
    """Text as BibTeX takes it for a key."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _tex(text: str) -> str:
    """Text with LaTeX's special characters escaped.

    >>> _tex("MATH is_equiv ~ 5 %")
    'MATH is\\\\_equiv \\\\textasciitilde{} 5 \\\\%'
    """
    pieces = (_ODD.get(one) or _SPECIAL.sub(r"\\\1", one) for one in text)
    return "".join(pieces)
