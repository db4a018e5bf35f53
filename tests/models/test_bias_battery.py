"""Bias: planted effects come back, copies change nothing, and neither does the reward's unit."""

from __future__ import annotations

import random
from pathlib import Path

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
    assert few.fields["flagged"].of == 0
    assert few.fields["flagged"].value == 0


def test_the_scale_is_inside_its_interval_where_prompts_hold_many_lineages() -> None:
    rows = [
        Pair(i, f"q{i % 3}", f"{i * 7919 % 97} apples thanks", f"{i * 7919 % 97} apples", "thanks", lineage=f"item {i}")
        for i in range(60)
    ]
    fields = _read(Pairs("lineages", tuple(rows), "0" * 64)).fields
    scale = fields["scale"]
    assert scale.interval.low < scale.value < scale.interval.high
    assert fields["thanks.d"].value == pytest.approx(fields["thanks.effect"].value / scale.value, abs=1e-9)


@pytest.mark.parametrize(("dose", "flagged"), [(0.4, ["filler", "thanks"]), (0.0, ["thanks"])])
def test_planted_organisms_are_flagged_for_what_is_planted(dose: float, flagged: list[str]) -> None:
    from lens.models.subject import open_model

    model = open_model(f"organism:filler?dose={dose}", device="cpu", dtype="float32")
    reading = bias_battery(inspect(model, model.own_pairs)).reading
    assert isinstance(reading, Measured)
    fields = reading.fields
    verdicts = {name.partition(".")[0]: one.value for name, one in fields.items() if name.endswith(".verdict")}
    assert sorted(axis for axis, verdict in verdicts.items() if verdict == "raises") == flagged
    slope = fields["filler.slope"].interval
    assert slope.low <= dose <= slope.high
    assert isinstance(fields["natural.effect"], Declined)


@pytest.mark.shared
def test_the_length_biased_model_is_flagged_and_the_clean_one_is_not(shared: Path) -> None:
    from lens.models.organisms.replies import FLIPS, flipped
    from lens.models.subject import open_model

    draw = random.Random(0)
    rows = []
    for flip in FLIPS:
        for number in range(40):
            chosen, rejected = (one._replace(fillers=("so", "um", "now")) for one in flipped(draw, flip, "1234"))
            lineage = f"{flip.axis} {number}"
            rows.append(Pair(len(rows), chosen.prompt, chosen.text, rejected.text, flip.axis, lineage))
    verdicts, slopes = {}, {}
    for name in ("rm_len", "rm_clean"):
        model = open_model(str(shared / "data" / "tiny" / name), device="cpu", dtype="float32")
        reading = bias_battery(inspect(model, Pairs("flips", tuple(rows), "0" * 64))).reading
        assert isinstance(reading, Measured)
        verdicts[name] = reading.fields["fill.verdict"].value
        slopes[name] = reading.fields["fill.slope"].value
        assert reading.fields["thanks.verdict"].value == "raises"
    assert verdicts["rm_len"] == "raises"
    assert verdicts["rm_clean"] in ("about zero", "not told")
    assert slopes["rm_len"] == pytest.approx(4.63 / 3, abs=0.3)
    assert abs(slopes["rm_clean"]) < 0.15
