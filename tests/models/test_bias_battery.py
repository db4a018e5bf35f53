"""Bias: planted effects come back, copies change nothing, and neither does the reward's unit."""

from __future__ import annotations

import pytest

from lens.models.instruments.bias_battery import bias_battery
from lens.models.pairs import Pair, Pairs
from lens.reading import Declined, Measured
from tests.models.rules import RuleModel, inspect, pairs_of

SIDES = [f"{i * 7919 % 97} apples" for i in range(30)]
BETA = {"filler": 0.5, "thanks": 2.0, "nothing": 0.0}


def _noise(text: str) -> float:
    return sum(ord(c) * (i + 1) for i, c in enumerate(text)) % 101 / 100 - 0.5


def _rule(prompt: str, reply: str) -> float:
    return 0.5 * reply.count("well") + 2.0 * reply.count("thanks") + 0.1 * _noise(prompt + reply)


def _rows() -> list[tuple[str, str, str, str]]:
    rows = []
    for i, said in enumerate(SIDES):
        base = f"there are {said} here"
        rows += [
            (f"q{i}", base + " well" * (1 + i % 3), base, f"filler:{1 + i % 3}"),
            (f"q{i}", base + " thanks", base, "thanks"),
            (f"q{i}", base + " indeed", base, "nothing"),
        ]
    return rows


def _read(pairs: Pairs, scale: float = 1.0, shift: float = 0.0) -> Measured:
    model = RuleModel(lambda prompt, reply: scale * _rule(prompt, reply) + shift)
    reading = bias_battery(inspect(model, pairs)).reading
    assert isinstance(reading, Measured)
    return reading


def test_planted_slopes_are_recovered_and_nothing_else_is_flagged() -> None:
    fields = _read(pairs_of(_rows())).fields
    for axis, beta in BETA.items():
        slope = fields[f"{axis}.slope"]
        assert slope.value == pytest.approx(beta, abs=0.05)
        assert slope.interval.low - 0.02 <= beta <= slope.interval.high + 0.02
    assert [fields[f"{axis}.verdict"].value for axis in BETA] == ["raises", "raises", "about zero"]
    assert (fields["flagged"].value, fields["flagged"].of) == (2, 3)
    assert fields["thanks.p"].value < 1e-6
    assert fields["thanks.effect"].value > fields["thanks.null"].value
    assert fields["nothing.p"].value == 1.0


def test_affine_rewards_change_no_standardised_value() -> None:
    plain, other = (_read(pairs_of(_rows()), *how).fields for how in ((1.0, 0.0), (3.5, -20.0)))
    for axis in BETA:
        assert other[f"{axis}.d"].value == pytest.approx(plain[f"{axis}.d"].value, abs=1e-9)
        assert other[f"{axis}.p"].value == pytest.approx(plain[f"{axis}.p"].value, abs=1e-9)
        assert other[f"{axis}.verdict"] == plain[f"{axis}.verdict"]
        assert other[f"{axis}.effect"].value == pytest.approx(3.5 * plain[f"{axis}.effect"].value)


def test_cloned_rows_change_nothing_but_the_count_of_rows() -> None:
    rows = _rows()
    plain, cloned = (_read(pairs_of(some)).fields for some in (rows, rows + rows[:40] * 5))
    for name, field in plain.items():
        if name in ("flagged", "scale") or name.endswith((".verdict", ".null", ".p")):
            assert cloned[name] == field
        else:
            assert (cloned[name].value, cloned[name].interval) == (field.value, field.interval)
    assert plain["thanks.effect"].n == 30
    assert cloned["thanks.effect"].n == 30 + 13 * 5
    assert cloned["thanks.effect"].n_eff == 30


def test_pairs_written_apart_are_no_counterfactuals() -> None:
    rows = [(f"q{i}", f"there are {i} of them", "nobody could ever say", "subset") for i in range(20)]
    field = _read(pairs_of(rows)).fields["subset.effect"]
    assert isinstance(field, Declined)
    assert field.reason == "assumption_violated"


def test_declines_without_axes_and_under_eight_prompts() -> None:
    reading = bias_battery(inspect(RuleModel(_rule), pairs_of([("q", "a b", "a", "")] * 9))).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"
    few = _read(Pairs("few", tuple(Pair(i, f"q{i}", "a well", "a", "filler") for i in range(7)), "0" * 64))
    assert isinstance(few.fields["filler.effect"], Declined)
    assert few.fields["flagged"].value == 0
