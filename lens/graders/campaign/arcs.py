"""Branch arcs of the functions an audited call reaches, as coverage.py defines them, and which of them are dead.

An arc leads from a line that control can leave two ways to the line it goes to next. coverage.py's own parser says
which there are; nothing is run here. An arc is dead under the audited call where a constant argument decides the test.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lens.graders.campaign.observe import Arc


@dataclass(frozen=True)
class Branches:
    """The branch arcs of the reached functions, and those of them the audited call could ever take."""

    plan: dict[str, Any]

    @cached_property
    def all(self) -> dict[Arc, str]:
        """Every branch arc, with its function's name."""
        return {arc: self._function(arc) for file in self._files for arc in sorted(self._of_file(file))}

    @cached_property
    def reachable(self) -> dict[Arc, str]:
        return {arc: name for arc, name in self.all.items() if not self._dead(arc)}

    def taken(self, raw: Iterable[Arc]) -> frozenset[Arc]:
        """The reachable branch arcs among line-to-line steps as they were followed."""
        by_file: dict[str, list[tuple[int, int]]] = {}
        for file, first, last in raw:
            by_file.setdefault(file, []).append((first, last))
        found = {
            (file, *arc)
            for file, pairs in by_file.items()
            if file in self._parsers
            for arc in self._translated(file, pairs)
        }
        return frozenset(found & self.reachable.keys())

    def _translated(self, file: str, pairs: list[tuple[int, int]]) -> set[tuple[int, int]]:
        """Between first lines of statements. Twice, as coverage.py does it: what leaves a `with` block is recognised
        by its first line."""
        parser = self._parsers[file]
        translated: set[tuple[int, int]] = parser.translate_arcs(parser.translate_arcs(pairs))
        return translated

    @cached_property
    def statements(self) -> dict[tuple[str, int], str]:
        """First lines of the statements of the reached functions, with the function's name."""
        return {
            (file, line): self._function((file, line, line))
            for file in self._files
            for line in sorted(self._parsers[file].statements)
            if self._function((file, line, line))
        }

    def ran(self, raw: Iterable[Arc]) -> frozenset[tuple[str, int]]:
        """The statements run among line-to-line steps as they were followed."""
        by_file: dict[str, set[int]] = {}
        for file, _, line in raw:
            by_file.setdefault(file, set()).add(line)
        return frozenset(
            (file, line)
            for file, lines in by_file.items()
            if file in self._parsers
            for line in self._parsers[file].translate_lines({line for line in lines if line > 0})
        )

    def is_dead(self, file: str, line: int) -> bool:
        """Whether the audited call can never run this line."""
        unit = self._unit((file, line, line))
        return unit is not None and any(first <= line <= last for first, last in unit["dead"])

    @cached_property
    def _files(self) -> list[str]:
        return sorted({unit["key"][0] for unit in self.plan["units"]})

    @cached_property
    def _parsers(self) -> dict[str, Any]:
        from coverage.parser import PythonParser

        parsers = {file: PythonParser(text=_source(file), filename=file) for file in self._files}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about somebody else's source
            for parser in parsers.values():
                parser.parse_source()
        return parsers

    def _of_file(self, file: str) -> set[Arc]:
        parser = self._parsers[file]
        branching = {line for line, exits in parser.exit_counts().items() if exits > 1}
        return {(file, *arc) for arc in parser.arcs() if arc[0] in branching and self._function((file, *arc))}

    def _function(self, arc: Arc) -> str:
        unit = self._unit(arc)
        return str(unit["name"]) if unit else ""

    def _unit(self, arc: Arc) -> dict[str, Any] | None:
        file, line, _ = arc
        for unit in self.plan["units"]:
            if unit["key"][0] == file and unit["lines"][0] <= line <= unit["lines"][1]:
                return unit  # type: ignore[no-any-return]
        return None

    def _dead(self, arc: Arc) -> bool:
        file, line, target = arc
        unit = self._unit(arc)
        assert unit is not None
        return self.is_dead(file, line) or any(
            line == test and (first <= target <= last) is not taken for test, first, last, taken in unit["forced"]
        )


def _source(file: str) -> str:
    import tokenize

    with tokenize.open(Path(file)) as stream:
        return stream.read()
