"""The template environment: strict about names, escapes everything, and refuses None and NaN by name."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from lens.errors import LensError
from lens.resource import resource


class EmptyPrinted(LensError):
    """A template would print None or NaN."""


def environment(cache: Path | None = None) -> Environment:
    """Templates of this package; compiled ones are kept in `cache` where given."""
    bytecode = None
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
        bytecode = FileSystemBytecodeCache(str(cache))
    made = Environment(
        loader=FileSystemLoader(resource("templates")),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=bytecode,
    )
    made.filters["codeish"] = codeish
    return made


def _printable(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        raise EmptyPrinted(
            f"a template printed {value}", remedy="decline the field, or leave the line out with {% if %}"
        )
    return value


@lru_cache(maxsize=4096)
def codeish(text: str) -> Markup:
    """Words with an underscore, a backslash or brackets are set as code: `MATH is_equiv`."""
    return Markup(" ").join(_word(word) for word in text.split(" "))


def _word(word: str) -> Markup:
    bare = word.rstrip(":;,.")
    if not re.search(r"[_\\{}()]", bare):
        return escape(word)
    return Markup(f"<code>{escape(bare)}</code>{escape(word[len(bare) :])}")
