"""What figures of a run's series say follows from the numbers: titles, gaps, bounds and bands."""

from __future__ import annotations

import alarm_evidence as made
import pytest

from lens.errors import UsageError
from lens.reading import Declined
from site_builder import figures, wording
from site_builder.lookup import Lookup


def traces(lookup: Lookup, figure: str, id_: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = figures.find(figure).spec(lookup, id_, "wide")["data"]
    return found


def test_a_reward_that_rises_while_gold_falls_is_the_title(lookup: Lookup) -> None:
    spec = figures.find("run-series").spec(lookup, "runs/gone-over/series", "wide")
    assert spec["layout"]["meta"]["title"] == "The reward rises while the trusted grader’s score falls"


def test_steps_without_a_number_are_hatched_and_no_zero(lookup: Lookup) -> None:
    found = traces(lookup, "run-series", "runs/steady-run/series")
    hatched = [trace for trace in found if "fillpattern" in trace]
    edges = [x for trace in hatched for x in trace["x"] if x is not None]  # type: ignore[attr-defined]
    assert (min(edges), max(edges)) == (40.5, 43.5)  # steps 41 to 43 were never logged
    beside = hatched[0]["xaxis"]
    lines = [trace for trace in found if trace["mode"] == "lines" and trace["xaxis"] == beside]
    norms = [y for trace in lines if trace not in hatched for y in trace["y"]]  # type: ignore[attr-defined]
    assert len(norms) == made.STEPS - 3
    assert min(norms) > 0.5


def test_bands_of_shares_stay_between_none_and_all(lookup: Lookup) -> None:
    table = lookup.table("runs/gone-over/series", "steps")
    shares = {"dead-groups", "exploits"}
    rows = zip(table["series"], table["low"], strict=True)
    assert min(low for name, low in rows if name in shares) < 0  # a t interval knows no bounds
    spec = figures.find("run-series").spec(lookup, "runs/gone-over/series", "wide", only="dead-groups exploits")
    ends = [y for trace in spec["data"] if trace.get("fill") == "toself" for y in trace["y"]]
    assert 0.0 == min(ends) <= max(ends) <= 1.0


def test_a_transition_is_told_by_its_way_and_pace(lookup: Lookup) -> None:
    spec = figures.find("transition").spec(lookup, "runs/gone-over/transition", "wide")
    assert spec["layout"]["meta"]["title"].startswith("Exploits rises from one level to another")
    length = figures.find("transition").spec(lookup, "runs/gone-over/transition", "wide", series="length")
    assert length["layout"]["meta"]["title"].startswith("Length rises")
    with pytest.raises(UsageError, match="no series 'weather'"):
        figures.find("transition").spec(lookup, "runs/gone-over/transition", "wide", series="weather")


def test_the_usual_kl_is_dashed_beside_the_one_that_counts_ties(lookup: Lookup) -> None:
    found = traces(lookup, "best-of-n", "runs/gone-over/best-of-n")
    dashed = [trace for trace in found if trace.get("line", {}).get("dash") == "dash"]  # type: ignore[attr-defined]
    (bound,) = dashed
    table = lookup.table("runs/gone-over/best-of-n", "curve")
    assert bound["y"] == [0.0, *table["bound"][1:]]  # one sample is the policy itself
    assert table["kl"][-1] < table["bound"][-1]


def test_every_field_of_these_instruments_has_words_of_its_own() -> None:
    for evidence, *_ in made.items():
        if isinstance(evidence.reading, Declined):
            continue
        for name, field in evidence.reading.fields.items():  # type: ignore[union-attr]
            said = wording.phrase(evidence.instrument, name, "it", getattr(field, "unit", ""))
            plain = wording.plain(name)
            assert said not in (f"{getattr(field, 'unit', '')}: {plain}, it", f"{plain}, it"), (evidence.id, name)
