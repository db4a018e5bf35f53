"""What a page calls a subject. A name with a bare number in it, such as a release's, is no heading: the slug stands in.

The full name is in the record, and every page of a subject quotes what a person typed to name it.
"""

from __future__ import annotations

from functools import lru_cache

from lens.reading import Subject
from site_builder.claims.numerals import judged
from site_builder.claims.units import Units


def of(subject: Subject) -> str:
    """The subject's name, or its slug where the name holds a numeral that is not part of a word."""
    return _shown(subject.name, subject.slug)


@lru_cache(maxsize=65_536)
def _shown(name: str, slug: str) -> str:
    bare = any(one.allowed != "name" for one in judged(name, Units(), exotic=not name.isascii()))
    return slug if bare else name
