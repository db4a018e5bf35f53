"""What figures of a run's updates say follows from the numbers, and from their references."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import update_evidence as made

from lens.reading import Declined, Measured
from measure.store import Store
from site_builder import figures, wording
from site_builder.figures import _steps
from site_builder.lookup import Lookup
from site_builder.svg import drawing


def drawn(folder: Path, item: made.Item, figure: str) -> figures.FigureHtml:
    store = Store.open(folder / "data")
    store.write([item])
    return figures.render(figure, Lookup(store), item[0].id)


@pytest.mark.parametrize("figure", ["update-partition", "cancellation"])
@pytest.mark.parametrize(("excess", "word"), [(0.0, "about as much as"), (0.1, "more than"), (-0.1, "less than")])
def test_cancellation_is_titled_against_unrelated_gradients(
    tmp_path: Path, figure: str, excess: float, word: str
) -> None:
    one = drawn(tmp_path, made.partition(excess), figure)
    assert one.title.startswith(f"The update cancels {word}")
    assert one.title.endswith("unrelated gradients would")


@pytest.mark.parametrize("figure", ["update-partition", "cancellation"])
@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_cancellation_never_stands_without_right_angles(lookup: Lookup, figure: str, width: str) -> None:
    spec = figures.find(figure).spec(lookup, "runs/made-run/update-partition", width)
    cited = set(re.findall(r'data-ev="[^"#]*#([^"|]*)', drawing(spec, prefix="p").svg))
    assert {"cancellation.median", "orthogonal.median"} <= cited


def test_steps_that_were_not_parted_are_hatched_and_not_drawn(lookup: Lookup) -> None:
    spec = figures.find("update-partition").spec(lookup, "runs/made-run/update-partition", "wide")
    hatched = [trace for trace in spec["data"] if "fillpattern" in trace]
    assert [(min(trace["x"]), max(trace["x"])) for trace in hatched] == [(10.5, 13.5)]
    points = {x for trace in spec["data"] if trace["mode"] == "lines" and trace not in hatched for x in trace["x"]}
    assert not {11, 12, 13} & points


@pytest.mark.parametrize(
    ("item", "title"),
    [
        (made.norms(), "Some gradients were clipped: the norm in the log is from before"),
        (made.norms(5.0), "No logged gradient was long enough to be clipped"),
        (made.norms(None), "The gradient’s norm, as it was before clipping"),
    ],
)
def test_a_gradients_norm_is_titled_by_what_clipping_did(tmp_path: Path, item: made.Item, title: str) -> None:
    assert drawn(tmp_path, item, "gradient-norm").title == title


def test_a_step_without_signal_is_a_ring(lookup: Lookup) -> None:
    spec = figures.find("gradient-norm").spec(lookup, "runs/made-run/gradient-norm", "wide")
    (rings,) = [trace for trace in spec["data"] if trace.get("marker", {}).get("symbol") == "circle-open"]
    assert (rings["x"], rings["y"]) == ([20], [0.0])


def test_a_response_is_titled_by_its_movement_or_by_what_could_not_be_seen(tmp_path: Path) -> None:
    assert drawn(tmp_path / "a", made.response(), "policy-response").title.startswith(
        "The update made what was rewarded"
    )
    assert "under the floor" in drawn(tmp_path / "b", made.response(made.BARE), "policy-response").title


def test_nine_terms_are_rows_with_their_state(lookup: Lookup) -> None:
    for run, absent in (("made-run", 1), ("bare-run", 6)):
        spec = figures.find("policy-response").spec(lookup, f"runs/{run}/policy-response", "wide")
        rows = spec["layout"]["meta"]["table"]["rows"]
        terms = [row for row in rows if row[0][0][0] not in ("measured", "foretold")]
        assert len(terms) == 9
        assert sum(isinstance(row[1], dict) for row in terms) == absent


def test_points_alone_are_seen(lookup: Lookup) -> None:
    assert _steps.stretches([None, 1.0, None]) == [(1, 1)]
    assert _steps.shown(3) == [0, 1, 2]
    assert len(_steps.shown(1000)) == _steps.ROWS


@pytest.mark.parametrize("instrument", ["update-partition", "gradient-norm", "policy-response"])
def test_every_field_of_a_reading_has_words(instrument: str) -> None:
    for evidence, _, _ in made.items():
        if evidence.instrument != instrument:
            continue
        assert isinstance(evidence.reading, Measured)
        for name, field in evidence.reading.fields.items():
            said = wording.phrase(instrument, name, "SUBJECT", "" if isinstance(field, Declined) else "unit")
            assert "SUBJECT" in said
            assert not said.startswith("unit: ")
            assert not re.search(r"\d", said)
