"""Progress: prices weigh the work, and time left is right once a fifth of it is done."""

from __future__ import annotations

import random

import pytest

from measure.progress import Pace, Progress, clock_time


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(prices: dict[str, float], truth: dict[str, float]) -> list[tuple[float, float, float]]:
    """(share done, time left as told, time left in truth) at forty moments of each part."""
    clock = Clock()
    pace = Pace({name: (price, 400) for name, price in prices.items()}, clock)
    seen = []
    for name, seconds in truth.items():
        pace.start(name)
        for _ in range(40):
            clock.now += seconds / 40
            pace.advance(10)
            seen.append((pace.share, pace.left, sum(truth.values()) - clock.now))
        pace.finish()
    assert pace.share == pytest.approx(1)
    assert pace.left == pytest.approx(0, abs=1e-9)
    return seen


@pytest.mark.parametrize("machine", [0.2, 1.0, 7.0])
def test_on_a_faster_or_slower_machine_time_left_is_right_after_a_fifth(machine: float) -> None:
    prices = {"a": 1.0, "b": 10.0, "c": 30.0, "d": 2.0}
    for share, told, left in run(prices, {name: machine * price for name, price in prices.items()}):
        if share >= 0.2 and left > 0.5:
            assert left / 2 <= told <= left * 2


@pytest.mark.parametrize("seed", range(20))
def test_prices_off_by_a_quarter_each_leave_it_within_a_factor_of_two(seed: int) -> None:
    draw = random.Random(seed)
    prices = {f"part {at}": draw.uniform(1, 20) for at in range(12)}
    truth = {name: price * draw.uniform(0.75, 1.25) * 3 for name, price in prices.items()}
    late = [(told, left) for share, told, left in run(prices, truth) if 0.2 <= share <= 0.97]
    assert late
    assert all(left / 2 <= told <= left * 2 for told, left in late)


def test_a_part_that_reports_no_calls_is_carried_by_the_clock() -> None:
    clock = Clock()
    pace = Pace({"one": (10.0, 0), "two": (10.0, 0)}, clock)
    pace.start("one")
    pace.finish()
    clock.now = 10
    pace.start("two")
    shares = []
    for clock.now in (12.0, 15.0, 25.0, 60.0):
        shares.append(pace.share)
    assert shares == sorted(shares)
    assert shares[-1] <= 0.975


def test_plain_lines_when_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress({"contract": (1.0, 10), "exploits": (1.0, 10)}) as progress:
        progress.start("contract")
        progress.advance(10)
        progress.finish("shape: boxed")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("[1/2] contract: shape: boxed (0.0 s), about ")


def test_quiet_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress({"contract": (1.0, 10)}, show=False) as progress:
        progress.start("contract")
        progress.finish("")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.2, "0 s"), (89.4, "89 s"), (120, "2 min"), (5400, "1 h 30 min"), (9000, "2 h 30 min")]
)
def test_times_are_told_in_words(seconds: float, told: str) -> None:
    assert clock_time(seconds) == told
