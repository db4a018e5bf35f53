"""Run mutants over corpora: each until the first row that comes out otherwise than it did unmutated."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lens.graders.mutate import caches, edit, plan, scope, units, verdicts
else:
    from ..engine import engine

    caches, edit, plan = (engine(name) for name in ("caches", "edit", "plan"))
    scope, units, verdicts = (engine(name) for name in ("scope", "units", "verdicts"))

_WARM_UP = 8  # rows asked first, so that what is imported late is there to be mutated
_BEAT = 0.2  # seconds after which the parent hears that work goes on
_LOOK = 0.02  # seconds between looks at the CPU clock, which is slower to read than most graders are to run
_STRIDE = 16  # calls between looks at any clock, where a call takes less than a millisecond


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """The first item is {"differ"}: the rows whose outcome, asked again unmutated, isn't the expected one (none
    are asked without `replay`). After it comes an item for each mutant and corpus, the corpora of one mutant
    together: {"first", "calls", "slow", "cpu"}, the first row of the corpus's order that differs (-1 for none), the
    calls made, whether it had run out of CPU there, and CPU seconds spent; with the first corpus also "code", a number
    for the bytecode, "same" as the original's, or "invalid": then nothing is asked. None in between says that the item
    before is long done.

    rows        [[response, gold, columns], ...]
    expected    for each row, its recorded outcome
    replay      whether to ask every row again first
    paths       for each row, which of `lines` it ran through; -1 where that isn't known
    lines       for each path, the lines run, by file
    orders      for each corpus, its rows in the order they are asked
    limits      for each corpus, CPU seconds a mutant may take over it
    mutants     [{"key": [file, line, name], "number", "lines": [first, last]}, ...], or, in place of a number,
                "returns": a constant that the function's body is replaced by
    """
    index = start
    campaign = Campaign(grader, payload, lambda: emit(index - 1, None))
    corpora = len(payload["orders"])
    for index in range(start, 1 + corpora * len(payload["mutants"])):
        if index == 0:
            emit(0, {"differ": campaign.replay() if payload["replay"] else []})
        else:
            mutant, corpus = divmod(index - 1, corpora)
            emit(index, campaign.meet(payload["mutants"][mutant], corpus))
        campaign.beaten = perf_counter()


class Campaign:
    """The expected outcomes, and the mutant now installed."""

    def __init__(self, grader: Any, payload: dict[str, Any], alive: Callable[[], None]) -> None:
        self.grader, self.payload, self.alive = grader, payload, alive
        pairs = zip(payload["rows"], payload["expected"], strict=True)
        self.expected = [verdicts.Expected(grader, row, outcome) for row, outcome in pairs]
        cpu = [outcome[5] for outcome in payload["expected"]]
        self.stride = _STRIDE if sum(cpu) < 1e-3 * len(cpu) else 1
        self.asked = sorted({row for order in payload["orders"] for row in order})
        for row in self.asked[:_WARM_UP]:
            with suppress(BaseException):
                grader.outcome(*payload["rows"][row])
        in_scope = scope.scope_of(grader.module, grader.path)
        self.live = units.live_functions(in_scope)
        self.caches = caches.Caches(in_scope)
        self.lines = [{file: set(some) for file, some in path.items()} for path in payload["lines"]]
        self.swaps: dict[Any, Any] = {}
        self.sites: dict[Any, Any] = {}
        self.originals: dict[Any, int] = {}
        self.orders: dict[Any, list[list[int]]] = {}
        self.mutant: Any = None
        self.compiled: Any = None
        self.code: int | str = "invalid"
        self.known: dict[int, bool] = {}
        self.beaten = perf_counter()

    def _beat(self, now: float) -> None:
        if now - self.beaten > _BEAT:
            self.alive()
            self.beaten = now

    def replay(self) -> list[int]:
        """Rows that come out otherwise without any mutant."""
        differ = []
        for row in self.asked:
            if self.expected[row].differs_recorded():
                differ.append(row)
            self._beat(perf_counter())
        return differ

    def meet(self, mutant: dict[str, Any], corpus: int) -> dict[str, Any]:
        """One mutant over one corpus. Rows it shares with the corpora before are not asked again."""
        key = units.Key(*mutant["key"])
        if mutant is not self.mutant:
            self.mutant, self.known = mutant, {}
            self._compile(key, mutant)
        code = {"code": self.code} if corpus == 0 else {}
        if self.code in ("same", "invalid"):
            return {"first": -1, "calls": 0, "slow": False, "cpu": 0.0, **code}
        with self._installed(key):
            return self._ask(self._order(key, mutant, corpus), self.payload["limits"][corpus]) | code

    def _ask(self, order: list[int], limit: float) -> dict[str, Any]:
        calls, began, looked = 0, process_time(), perf_counter()
        first, slow = -1, False
        for row in order:
            differs = self.known.get(row)
            if differs is None:
                calls += 1
                differs = self.known[row] = self.expected[row].differs()
                if calls % self.stride == 0 and (now := perf_counter()) - looked > _LOOK:
                    looked = now
                    self._beat(now)
                    slow = not differs and process_time() - began > limit
            if differs or slow:
                first = row
                break
        return {"first": first, "calls": calls, "slow": slow, "cpu": process_time() - began}

    def _swap(self, key: Any) -> Any:
        if key not in self.swaps:
            unit = units.units_of(key.file)[key]
            self.swaps[key] = units.Swap(unit, self.live)
            self.sites[key] = plan.sites(unit)
            self.originals[key] = plan.imprint(self.swaps[key], self.swaps[key].original)
        return self.swaps[key]

    def _compile(self, key: Any, mutant: dict[str, Any]) -> None:
        swap = self._swap(key)
        if "returns" in mutant:
            body = ast.parse(f"def _(): return {mutant['returns']!r}").body[0].body  # type: ignore[attr-defined]
            change = edit.Edit(swap.unit.node, "body", None, body, "constant")
        else:
            change = self.sites[key][mutant["number"]].edit
        self.compiled = plan.compiled_with(change, swap)
        self.code = "invalid" if self.compiled is None else plan.imprint(swap, self.compiled)
        if self.code == self.originals[key]:
            self.code = "same"

    @contextmanager
    def _installed(self, key: Any) -> Iterator[None]:
        swap = self._swap(key)
        self.caches.clear()
        swap.install(self.compiled)
        try:
            yield
        finally:
            swap.restore()
            recorder = getattr(self.grader, "recorder", None)
            if recorder is not None:  # what a mutant printed, or called that isn't there, isn't the next one's
                recorder.placeholders.clear()
                os.ftruncate(recorder.output, 0)

    def _order(self, key: Any, mutant: dict[str, Any], corpus: int) -> list[int]:
        """The rows of a corpus that run through the mutant's statement: no other can tell it apart."""
        if "returns" in mutant:
            return self.payload["orders"][corpus]  # type: ignore[no-any-return]
        place = (key.file, *mutant["lines"])
        if place not in self.orders:
            statement = range(mutant["lines"][0], mutant["lines"][1] + 1)
            ran = [not lines.get(key.file, set()).isdisjoint(statement) for lines in self.lines]
            through = {path for path, did in enumerate(ran) if did} | {-1}
            paths = self.payload["paths"]
            self.orders[place] = [[row for row in order if paths[row] in through] for order in self.payload["orders"]]
        return self.orders[place][corpus]
