"""List the mutants of every function that the audited call can reach."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lens.graders.mutate import graph, plan, quiet, scope, units
else:
    from ..engine import engine

    graph, plan, quiet, scope, units = (engine(name) for name in ("graph", "plan", "quiet", "scope", "units"))


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """Emits one item: {"entries", "units", "mutants", "same_bytecode", "duplicates"}, the last a count. Without
    `distinct` nothing is compiled and nothing set aside: the worker that runs the mutants tells.

    call, name  the source that defines the adapter's call, and the name it has there
    rows        a few rows to ask first, so that what is imported late is there
    columns     names of the further columns that any row brings
    distinct    whether to set aside mutants that repeat the original or each other, and those that are no program
    """
    for response, gold, columns in payload["rows"]:
        with suppress(BaseException):
            grader.call(response, gold, **columns)
    in_scope = scope.scope_of(grader.module, grader.path)
    live = units.live_functions(in_scope)
    root = graph.definition(payload["call"], payload["name"])
    reached = graph.Graph(root, {"grader": grader.function}, live, in_scope, payload["columns"])
    found: dict[str, Any] = {"units": [], "mutants": [], "same_bytecode": [], "duplicates": 0}
    for key in sorted(reached.units):
        unit = reached.units[key]
        planned = plan.plan(unit, units.Swap(unit, live)) if payload["distinct"] else plan.whole(unit)
        _add(found, unit, reached.folded(key), planned)
    found["entries"] = [list(key) for key in reached.entries]
    emit(start, found)


def _add(found: dict[str, Any], unit: Any, folded: Any, planned: Any) -> None:
    number, silent = len(found["units"]), quiet.Quiet(unit.node)
    described = {"key": list(unit.key), "name": unit.name, "lines": list(unit.lines), "dead": folded.dead}
    found["units"].append({**described, "forced": [list(forced) for forced in folded.forced]})
    found["duplicates"] += planned.duplicates
    for kind, sites in (("mutants", planned.kept), ("same_bytecode", planned.same_bytecode)):
        for site in sites:
            found[kind].append(
                {
                    "unit": number,
                    "number": site.number,
                    "operator": site.operator,
                    "what": site.edit.what,
                    "place": [site.line, site.column],
                    "lines": [site.first, site.last],
                    "dead": folded.is_dead(site.first, site.last),
                    "quiet": silent.covers(site.line, site.column, site.first, site.last),
                }
            )
