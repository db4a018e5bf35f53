"""Calibrated on one range and read beyond it: made-up cards and readings in, at the edge and outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from store_samples import MADE

from lens.reading import Evidence, Input, Label, Measured, Quantity, Subject
from measure.store import Made, Store, Trust

READ = "models/some/bias-battery"


def card(
    family: str = "spurious",
    *,
    of: str = "|*.d|",
    low: float = 0.0,
    high: float = 1.5,
    doses: tuple[float, ...] = (0.0, 0.5, 1.0),
    **parameters: Any,
) -> tuple[Evidence, dict[str, Any], Made]:
    """A card that passed; without `of` it has no range of sizes."""
    fields: dict[str, Any] = {"passed": Label("yes")}
    if of:
        ends = {"low": low, "high": high}
        fields |= {"range.of": Label(of)}
        fields |= {f"range.{end}": Quantity(value, "s_r", "score") for end, value in ends.items()}
    given = {"instrument": "bias-battery", "version": 1, "subjects": "models", "quantity": f"{family}.effect"}
    return (
        Evidence(
            "scorecard", 2, Subject("project", f"card-{family}", "Scorecard", "c" * 64),
            Measured(fields, "passed", "made up"),
            parameters={**given, "family": family, "doses": list(doses), **parameters},
        ), {}, MADE,
    )  # fmt: skip


def trusted(root: Path, *cards: Any, spec: str = "hf:some", **fields: Quantity) -> Trust:
    """Trust of a reading with `fields`, `_` for a dot."""
    named: dict[str, Any] = {name.replace("_", "."): field for name, field in fields.items()}
    named["words.d"] = Label("none")
    one = Evidence(
        "bias-battery", 1, Subject("models", "some", "Some model", "f" * 64, spec), Measured(named, "words.d", "-")
    )
    store = Store.open(root / "data")
    store.write([(one, {}, MADE), *cards])
    return store.trust(READ)


def d(value: float) -> Quantity:
    return Quantity(value, "s_r", "difference")


@pytest.mark.parametrize("value", [0.0, 0.7, 1.5, -1.5])
def test_a_size_within_the_series_is_calibrated(tmp_path: Path, value: float) -> None:
    assert trusted(tmp_path, card(), thanks_d=d(value)).level == "calibrated"


@pytest.mark.parametrize(("value", "said"), [(1.501, "1.5"), (-4.25, "4.25"), (30.0, "30")])
def test_a_size_beyond_every_one_of_the_series_is_not(tmp_path: Path, value: float, said: str) -> None:
    why = f"bias-battery version 1 is calibrated on |*.d| from 0 to 1.5, read on thanks.d at {said}"
    assert trusted(tmp_path, card(), thanks_d=d(value), fill_d=d(0.2)) == ("exploratory", why, False)


def test_a_size_without_its_sign_is_never_too_small(tmp_path: Path) -> None:
    assert trusted(tmp_path / "in", card(low=0.2), thanks_d=d(0.1)).level == "calibrated"
    out = trusted(tmp_path / "out", card(of="*.d", low=0.2), thanks_d=d(0.1))
    assert out.why.endswith("calibrated on *.d from 0.2 to 1.5, read on thanks.d at 0.1")


def test_the_farthest_of_several_is_named(tmp_path: Path) -> None:
    why = trusted(tmp_path, card(), a_d=d(2), b_d=d(-3), c_d=d(1)).why
    assert why.endswith("read on b.d at 3")


def test_without_bars_the_sign_counts(tmp_path: Path) -> None:
    one = card(of="slope", low=-0.1, high=0.9)
    assert trusted(tmp_path / "in", one, slope=d(-0.1)).level == "calibrated"
    assert trusted(tmp_path / "out", one, slope=d(-0.2)).why == (
        "bias-battery version 1 is calibrated on slope from -0.1 to 0.9, read at -0.2"
    )


def test_a_count_is_held_by_its_share(tmp_path: Path) -> None:
    one = card(of="refused", high=0.8)
    assert trusted(tmp_path / "in", one, refused=Quantity(80, "golds", "count", of=100)).level == "calibrated"
    out = trusted(tmp_path / "out", one, refused=Quantity(90, "golds", "count", of=100))
    assert out.why.endswith("calibrated on refused from 0 to 0.8, read at 0.9")


def test_of_several_cards_the_widest_range_counts(tmp_path: Path) -> None:
    wide = card("filler", high=2.5)
    assert trusted(tmp_path / "in", card(), wide, thanks_d=d(2.4)).level == "calibrated"
    assert trusted(tmp_path / "out", card(), wide, thanks_d=d(2.6)).why.endswith("0 to 2.5, read on thanks.d at 2.6")


def test_a_field_that_no_card_sized_is_held_to_nothing(tmp_path: Path) -> None:
    assert trusted(tmp_path / "a", card(), thanks_effect=d(99)).level == "calibrated"
    assert trusted(tmp_path / "b", card(of=""), thanks_d=d(99)).level == "calibrated"


@pytest.mark.parametrize(
    ("spec", "level"),
    [
        ("organism:spurious?dose=1&seed=3", "calibrated"),
        ("organism:spurious?seed=3&dose=1.5", "exploratory"),
        ("planted:spurious?dose=3", "exploratory"),
        ("organism:spurious?dose=0", "calibrated"),
        ("organism:spurious?seed=3", "calibrated"),  # its family's own dose
        ("organism:spurious", "calibrated"),
        ("organism:cycle?dose=3", "calibrated"),  # of a family that no card has
        ("hf:spurious?dose=3", "calibrated"),
    ],
)
def test_a_planted_dose_is_held_to_its_familys(tmp_path: Path, spec: str, level: str) -> None:
    found = trusted(tmp_path, card(), card("filler", doses=(0.0, 9.0)), spec=spec, thanks_d=d(1))
    assert found.level == level
    if level == "exploratory":
        dose = "3" if "=3" in spec.partition("dose")[2] else "1.5"
        assert found.why == f"bias-battery version 1 is calibrated on doses of spurious up to 1, read at {dose}"


def test_a_card_of_a_blind_spot_widens_nothing(tmp_path: Path) -> None:
    blind = card("hidden", high=99.0, doses=(0.0, 99.0), limit="a rule behind a trigger")
    assert trusted(tmp_path, card(), blind, thanks_d=d(2)).level == "exploratory"


def test_a_card_that_failed_says_so_first(tmp_path: Path) -> None:
    evidence, tables, made = card()
    assert isinstance(evidence.reading, Measured)
    failed = Measured({**evidence.reading.fields, "passed": Label("no")}, "passed", "made up")
    why = trusted(tmp_path, (msgspec.structs.replace(evidence, reading=failed), tables, made), thanks_d=d(9)).why
    assert why == "bias-battery version 1 failed its newest scorecard, project/card-spurious/scorecard"


@pytest.mark.parametrize(
    ("subjects", "value", "beyond"),
    [
        ("models", 30.0, "on |*.d| from 0 to 1.5, read on thanks.d at 30"),
        ("graders", 0.5, "on graders, read on models"),
    ],
)
def test_a_study_that_names_the_family_counts_a_reading_beyond_it(
    tmp_path: Path, subjects: str, value: float, beyond: str
) -> None:
    """Sealed alike, with the same reading: only the freeze that cites the scorecard registers it."""
    made = card(subjects=subjects)
    levels = {}
    for cites in (True, False):
        store = Store.open(tmp_path / str(cites))
        store.write([made])
        cited = store.record("project/card-spurious/scorecard")
        given = (Input("subject", "hf:some", "f" * 64),)
        given += (Input("scorecard", cited.id, cited.digest, f"evidence:{cited.id}"),) * cites
        frozen = Measured({"hypotheses": Quantity(1, "hypotheses", "size")}, "hypotheses", "one study")
        store.write([(Evidence("freeze", 1, Subject("project", "s", "S", "s" * 64), frozen, inputs=given), {}, MADE)])
        named = (Input("study", "s", store.line("project/s/freeze").digest),)
        read = Measured({"thanks.d": d(value)}, "thanks.d", "-")
        subject = Subject("models", "some", "Some model", "f" * 64, "hf:some")
        store.write([(Evidence("bias-battery", 1, subject, read, inputs=named), {}, MADE)])
        levels[cites] = store.trust(READ)
    why = f"bias-battery version 1 is calibrated {beyond}"
    assert levels[True] == ("registered", f"frozen beforehand in project/s/freeze; {why}", False)
    assert levels[False] == ("exploratory", f"{why}; project/s/freeze cites none of its scorecards", False)
