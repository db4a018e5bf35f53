"""The template environment: strict about names, escapes everything, and refuses None and NaN by name."""

from __future__ import annotations

import hashlib
import math
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from lens.errors import LensError
from lens.resource import cache_folder, resource


class EmptyPrinted(LensError):
    """A template would print None or NaN."""


class _Compiled(FileSystemBytecodeCache):
    """Compiled templates beside other things that are dear to get; where they can't be kept, they are made again.

    Each is good for one text of a template and one version of Python and of jinja's compiler; the folder is named
    after what else shapes them, the settings in this file.
    """

    def __init__(self) -> None:
        settings = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
        self.folder = cache_folder() / "templates" / settings[:16]
        super().__init__(str(self.folder))

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


def environment() -> Environment:
    """Templates of this package."""
    made = Environment(
        loader=FileSystemLoader(resource("templates")),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_Compiled(),
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
