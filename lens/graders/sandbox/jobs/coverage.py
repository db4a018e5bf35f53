"""Ask the grader about rows, each once while following which line leads to which, and once plainly."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lens.graders.mutate import caches, scope, tracer, verdicts
else:
    from ..engine import engine

    caches, scope, tracer, verdicts = (engine(name) for name in ("caches", "scope", "tracer", "verdicts"))


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns].

    Emits {"outcome", "cpu", "wall", "path", "arcs", "whole"}: the untraced outcome; CPU seconds of the traced call,
    seconds of the untraced one; a digest of the arcs taken, and, where this worker meets them first, the arcs by file;
    `whole` where they may be incomplete (the call forked, or came to something else when watched).
    """
    in_scope = scope.scope_of(grader.module, grader.path)
    follow, kept = tracer.Tracer(in_scope), caches.Caches(in_scope)
    seen: set[str] = set()
    for index in range(start, len(payload["rows"])):
        row = payload["rows"][index]
        kept.clear()
        with follow:
            watched = grader.outcome(*row)
        kept.clear()
        began = perf_counter()
        outcome = grader.outcome(*row)
        wall = perf_counter() - began
        path = hashlib.sha256(repr(sorted(follow.arcs)).encode()).hexdigest()[:16]
        whole = follow.forked or verdicts.verdict(watched) != verdicts.verdict(outcome)
        arcs = {} if path in seen else _by_file(follow.arcs)
        emit(index, {"outcome": outcome, "cpu": watched[5], "wall": wall, "path": path, "arcs": arcs, "whole": whole})
        seen.add(path)


def _by_file(arcs: set[tuple[str, int, int]]) -> dict[str, list[list[int]]]:
    found: dict[str, list[list[int]]] = {}
    for file, first, last in sorted(arcs):
        found.setdefault(file, []).append([first, last])
    return found
