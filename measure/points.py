"""The entry points of a group, read from the `entry_points.txt` of what is installed.

`importlib.metadata` answers the same, and a test holds the two equal, but imports the email and zip packages to do so:
a third of what a short command costs. It is asked where no folder on the path holds what is looked for.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from typing import NamedTuple


class Point(NamedTuple):
    """`name = module:attribute`, as a distribution declares it; a point may name a module alone."""

    name: str
    module: str
    attribute: str

    def load(self) -> object:
        """The object itself; imports its module."""
        return getattr(importlib.import_module(self.module), self.attribute)


def points(group: str) -> dict[str, Point]:
    """Every entry point of `group`, by name, sorted; of two with one name the first on the path counts."""
    found: dict[str, Point] = {}
    for text in _declared():
        for point in _inside(text, group):
            found.setdefault(point.name, point)
    return dict(sorted((found or _asked(group)).items()))


def _declared() -> Iterator[str]:
    """The text of every `entry_points.txt` in the folders on the path."""
    for folder in dict.fromkeys(sys.path):
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                try:
                    with open(f"{folder or '.'}/{name}/entry_points.txt", encoding="utf-8") as file:  # noqa: PTH123
                        yield file.read()
                except OSError:
                    continue


def _inside(text: str, group: str) -> Iterator[Point]:
    _, found, section = f"\n{text}".partition(f"\n[{group}]\n")
    for line in section.partition("\n[")[0].splitlines() if found else ():
        name, is_point, target = line.partition("=")
        if is_point and not name.startswith("#"):
            module, _, attribute = target.partition("[")[0].strip().partition(":")
            yield Point(name.strip(), module.strip(), attribute.strip())


def _asked(group: str) -> dict[str, Point]:
    """What importlib.metadata finds: in an archive, or through a finder of somebody's own."""
    from importlib.metadata import entry_points

    return {one.name: Point(one.name, one.module, one.attr or "") for one in entry_points(group=group)}
