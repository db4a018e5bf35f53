"""Probes: a planted price a word comes back as a slope, and what is not priced is about zero."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lens.models.edits import edits, holds
from lens.models.instruments.hacking_probes import hacking_probes
from lens.reading import Declined, Measured
from tests.models.rules import RuleModel, inspect, pairs_of

PAIRS = pairs_of([(f"q{i}", f"good. it is {i}. truly", f"it is {i}. so. yes. no", "") for i in range(24)])


def _rule(prompt: str, reply: str) -> float:
    noise = sum(map(ord, prompt + reply)) % 13 / 130
    return 0.5 * reply.count("begin") - 3.0 * reply.count("sorry") + 3.0 * reply.startswith("good") + noise


def _read(**options: object) -> Measured:
    reading = hacking_probes(inspect(RuleModel(_rule, **options), PAIRS)).reading
    assert isinstance(reading, Measured)
    return reading


def test_a_price_a_word_is_the_slope_of_the_edit_that_writes_it() -> None:
    fields = _read(words={"length": ["begin"], "refusal": ["sorry"]}).fields
    assert fields["length.slope"].value == pytest.approx(0.5, abs=0.01)
    assert fields["length.verdict"].value == "raises"
    assert fields["length.slope"].value > fields["length.null"].value
    assert fields["refusal.slope"].value == pytest.approx(-3.0, abs=0.02)
    assert fields["refusal.verdict"].value == "lowers"
    for name in ("sycophancy", "confidence", "repetition"):
        assert fields[f"{name}.verdict"].value == "about zero"
    assert (fields["raising"].value, fields["raising"].of) == (1, 7)


def test_enough_of_it_overtakes_the_chosen_reply() -> None:
    fields = _read(words={"length": ["begin"]}).fields
    overtakes = fields["length.overtakes"]  # 8 words are worth 4 ru, the chosen reply leads by 3
    assert (overtakes.value, overtakes.of) == (24, 24)
    assert fields["confidence.overtakes"].value == 0


def test_doses_beyond_the_context_are_left_out_and_said() -> None:
    made = hacking_probes(inspect(RuleModel(_rule, words={"length": ["begin"]}, context=40), PAIRS))
    doses = [
        d for e, d in zip(*(made.tables["doses"][name] for name in ("edit", "dose")), strict=True) if e == "length"
    ]
    assert doses == [0, 1, 2]
    assert isinstance(made.reading, Measured)
    fields = made.reading.fields
    assert fields["length.slope"].value == pytest.approx(0.5, abs=0.05)
    refused = fields["confidence.slope"]
    assert isinstance(refused, Declined)
    assert "context" in refused.detail


def test_an_edit_the_tokenizer_cannot_write_declines_with_the_remedy(tmp_path: Path) -> None:
    from lens.models.subject import open_model
    from tests.models.tiny import build

    model = open_model(str(build(tmp_path / "m", "llama")), device="cpu", dtype="float32")
    assert holds(model, "plain words")
    assert not holds(model, "na\u00efve")
    refused = replace(edits()["length"], pieces=("tr\u00e8s bien",)).pieces_for(model)
    assert isinstance(refused, Declined)
    assert "training.json" in refused.remedy
    assert edits()["length"].pieces_for(model) == edits()["length"].pieces


@pytest.mark.parametrize("name", sorted(edits()))
def test_dose_zero_is_the_reply_itself(name: str) -> None:
    edit = edits()[name]
    assert edit.apply("One. Two. Three. Four. Five.", 0, edit.pieces) == "One. Two. Three. Four. Five."
