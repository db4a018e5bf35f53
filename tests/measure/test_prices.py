"""Prices against what a real audit then costs, in CPU seconds, which other work on the machine leaves alone."""

from __future__ import annotations

import json

import pytest

from lens.graders.price import Price, cpu_seconds
from measure.commands.capabilities import survey
from measure.opening import opened
from measure.progress import Pace
from measure.request import Request
from measure.store import Store

GRADER = """
def grade(response, gold):
    work = 0
    for step in range(4000):
        work += step
    if not response:
        return 0.0
    return float(response.strip() == gold)
"""
SMALL = 0.3  # CPU seconds under which a price is only asked to be small as well


Audited = tuple[dict[str, float], dict[str, float], list[tuple[float, float]]]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """Prices and costs by instrument, and (time left as told, CPU clock) at the end of each part."""
    folder = tmp_path_factory.mktemp("prices")
    (folder / "mine.py").write_text(GRADER)
    golds = [{"gold": str(number)} for number in range(12, 36)]
    (folder / "golds.jsonl").write_text("".join(json.dumps(row) + "\n" for row in golds))
    request = Request(f"{folder / 'mine.py'}:grade", (str(folder / "golds.jsonl"),), budget=4.0)
    told: list[tuple[float, float, float]] = []

    class Told(Pace):
        """A pace that goes by CPU time and writes down what it tells."""

        def __init__(self, plan: dict[str, tuple[float, int]]) -> None:
            super().__init__(plan, cpu_seconds)

        def finish(self) -> None:
            super().finish()
            told.append((self.share, self.left, cpu_seconds()))

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("EVIDENCE_LENS_CACHE", str(folder / "cache"))
        patched.setattr("measure.progress.Pace", Told)
        with opened(request, folder / "data", workers=1) as auditing:
            prices = {line.instrument.name: line.price for line in survey(auditing)}
        with opened(request, folder / "data", workers=1) as auditing:
            assert auditing.run(show=False).failed == {}
    store = Store.open(folder / "data")
    costs = {
        record.evidence.instrument: record.made.cpu_seconds
        for record in map(store.record, store.ids())
        if record.evidence.variant != "log"
    }
    end = told[-1][2]
    late = [(left, end - clock) for share, left, clock in told if share >= 0.2]
    return {name: price.seconds for name, price in prices.items() if isinstance(price, Price)}, costs, late


def test_each_price_is_within_a_factor_of_three(audited: Audited) -> None:
    prices, costs, _ = audited
    off = {
        name: (round(price, 2), costs[name])
        for name, price in prices.items()
        if max(price, costs[name]) > SMALL and not costs[name] / 3 <= price <= costs[name] * 3
    }
    assert off == {}
    assert sum(costs[name] > SMALL for name in prices) >= 5  # enough of them were worth a price


def test_after_a_fifth_of_the_work_time_left_is_within_a_factor_of_two(audited: Audited) -> None:
    late = [(told, left) for told, left in audited[2] if left > 2 * SMALL]
    assert late
    assert [pair for pair in late if not pair[1] / 2 <= pair[0] <= pair[1] * 2] == []
