"""What a built-in grader declares: where it is, what it judges, how it is called.

One grader a file under `lens/graders/adapters/`, each with one `ADAPTER`; the registry finds it there.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any


def plain(grader: Any, response: Any, gold: Any, **_columns: Any) -> Any:
    """The usual call: `grader(response, gold)`."""
    return grader(response, gold)


@dataclass(frozen=True)
class Adapter:
    """A grader's own facts.

    spec          `pypi:DIST==VERSION/module:function` or `file.py:function`
    answer        answer format under `lens.graders.formats` ("integer", "latex", "qa", "countdown", ...):
                  decides the embedded corpus, variants, near misses and exploits
    call          self-contained function `(grader, response, gold, **columns) -> result`; its source text is
                  what the worker compiles, so it imports what it needs inside and closes over nothing.
                  `grader` is the entry function, or the module where the spec names no function
    requires      pinned requirements its module needs, `name==version`; fetched with hashes
    corpora       names of the real corpora (lens.graders.corpora) its published card is measured on
    """

    slug: str
    title: str
    judges: str
    spec: str
    answer: str
    licence: str
    call: Callable[..., Any] = plain
    requires: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    published: bool = False


@cache
def adapters() -> dict[str, Adapter]:
    """Every built-in grader by slug."""
    package = importlib.import_module("lens.graders.adapters")
    modules = (
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    )
    found = [module.ADAPTER for module in modules]
    return {adapter.slug: adapter for adapter in sorted(found, key=lambda adapter: adapter.slug)}
