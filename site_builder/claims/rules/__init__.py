"""The rules: one a file, found here, listed nowhere else.

A rule is a function `check(page) -> Iterator[Finding]` under `@rule(code, name, summary)`; the module's docstring is
its page (`lens claims explain CODE`). A rule that isn't `waivable` is softened by no flag and no waiver.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from site_builder.claims.finding import Finding

Check = Callable[[Any, "Rule"], "Iterator[Finding]"]  # of a Page here, of a Built page in the read-back


@dataclass(frozen=True)
class Rule:
    """What the registry knows of a rule."""

    code: str
    name: str
    summary: str
    waivable: bool
    check: Check

    @property
    def body(self) -> str:
        """The explanation without the code and name it begins with."""
        return _sentence(self.page.removeprefix(f"**{self.code} {self.name}**: "))

    @property
    def page(self) -> str:
        """The rule's explanation, in Markdown."""
        return (sys.modules[self.check.__module__].__doc__ or "").strip()


def rule(code: str, name: str, summary: str, *, waivable: bool = False) -> Callable[[Check], Check]:
    """Registers the decorated function."""

    def register(check: Check) -> Check:
        check.__rule__ = Rule(code, name, summary, waivable, check)  # type: ignore[attr-defined]
        return check

    return register


@cache
def registry(package: str = __name__) -> dict[str, Rule]:
    """Every rule in the files of a package, by code, in order: those for sources, unless another is named."""
    found: list[Rule] = []
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"{package}.{info.name}")
        found += [
            value.__rule__
            for value in vars(module).values()
            if hasattr(value, "__rule__") and value.__module__ == module.__name__
        ]
    return {one.code: one for one in sorted(found, key=lambda one: one.code)}


def everything() -> dict[str, Rule]:
    """The rules for sources and those for built pages."""
    return {**registry(), **registry("site_builder.claims.readback.rules")}


def pages() -> dict[str, str]:
    """What `content/rules/` holds, by file name: a page for every rule, and the list of them.

    `python -m site_builder.claims.rules content/rules` writes them.
    """
    rules = everything().values()
    made = {
        f"{rule.code.lower()}.md": _page(f"{rule.code} {rule.name}", _sentence(rule.summary), rule.body)
        for rule in rules
    }
    rows = [f"| [{rule.code} {rule.name}](/rules/{rule.code.lower()}/) | {rule.summary} |" for rule in rules]
    body = "\n".join(
        ["What `lens claims` and the read-back of a build look for.", "", "| rule | finds |", "| --- | --- |", *rows]
    )
    return {**made, "index.md": _page("Rules of the claims check", "Every rule, with a page each.", body)}


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "`")) else ".")


def _page(title: str, description: str, body: str) -> str:
    return f"---\ntitle: {title}\nsection: How to\ndescription: {description}\n---\n# {title}\n\n{body}\n"
