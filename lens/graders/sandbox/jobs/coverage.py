"""Ask the grader about rows, each once while following which line leads to which, and once plainly."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lens.graders.mutate import caches, scope, tracer, verdicts
else:
    from ..engine import engine

    caches, scope, tracer, verdicts = (engine(name) for name in ("caches", "scope", "tracer", "verdicts"))


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns].

    Emits {"loaded", "outcome", "cpu", "wall", "path", "arcs", "whole"}: CPU seconds the worker had taken before its
    first row; the plain outcome; CPU seconds of the plain and of the
    followed call, the processes they started included; seconds of the plain one; a digest of the arcs taken, and,
    where this worker meets them first, the arcs by file; `whole` where they may be incomplete (the call forked, or
    came to something else when watched).
    """
    loaded = _spent()
    in_scope = scope.scope_of(grader.module, grader.path)
    follow, kept = tracer.Tracer(in_scope), caches.Caches(in_scope)
    seen: set[str] = set()
    for index in range(start, len(payload["rows"])):
        row = payload["rows"][index]
        kept.clear()
        began = _spent()
        with follow:
            watched = grader.outcome(*row)
        kept.clear()
        between, clock = _spent(), perf_counter()
        outcome = grader.outcome(*row)
        cpu, wall = [_spent() - between, between - began], perf_counter() - clock
        path = hashlib.sha256(repr(sorted(follow.arcs)).encode()).hexdigest()[:16]
        whole = follow.forked or verdicts.verdict(watched) != verdicts.verdict(outcome)
        arcs = {} if path in seen else _by_file(follow.arcs)
        emit(
            index,
            {
                "loaded": loaded,
                "outcome": outcome,
                "cpu": cpu,
                "wall": wall,
                "path": path,
                "arcs": arcs,
                "whole": whole,
            },
        )
        seen.add(path)


def _spent() -> float:
    """CPU seconds of this process and of the children it has waited for."""
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def _by_file(arcs: set[tuple[str, int, int]]) -> dict[str, list[list[int]]]:
    found: dict[str, list[list[int]]] = {}
    for file, first, last in sorted(arcs):
        found.setdefault(file, []).append([first, last])
    return found
