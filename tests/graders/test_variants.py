"""Rates over derived answers and over labelled real output: planted counts, and the intervals that go with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lens.graders.instruments.rollouts import rollouts
from lens.graders.instruments.variants import variants
from lens.graders.items import Rollout, Source
from lens.graders.shapes import SHAPES
from lens.reading import Declined, Quantity, Result
from lens.stats.intervals import wilson
from tests.graders.direct import careful, direct, fields, golds


def _strict(response: str, gold: str) -> float:
    return float(SHAPES["four-hash"].slot(response) == gold)


def test_a_careful_grader_gets_every_relation_right() -> None:
    result = fields(variants(direct(careful)))
    rates = {name: field for name, field in result.items() if name.startswith(("reject.", "accept."))}
    assert len(rates) >= 20
    assert all(isinstance(field, Quantity) and field.value == 0 for field in rates.values())
    worst = result["worst-reject"]
    assert isinstance(worst, Quantity)
    assert (worst.value, worst.of) == (0, 120)
    assert worst.interval == wilson(0, 120)


def test_rates_are_over_distinct_golds() -> None:
    """Twelve rows of three golds: n is three, whatever the number of rows a relation makes of each."""
    result = fields(variants(direct(_strict, source=golds(*["70", "71", "1200"] * 4))))
    assert [(result[name].value, result[name].of) for name in ("reject.identity", "reject.trailing-zeros")] == [  # type: ignore[union-attr]
        (0, 3),
        (3, 3),
    ]
    assert (result["reject.thousands-separator"].value, result["reject.thousands-separator"].of) == (1, 1)  # type: ignore[union-attr]
    assert (result["accept.other-number"].value, result["accept.other-number"].of) == (0, 3)  # type: ignore[union-attr]


def test_the_worst_relation_is_named() -> None:
    def lenient(response: str, gold: str) -> float:
        slot = SHAPES["four-hash"].slot(response) or ""
        return float(careful(response, gold) or slot.lstrip("-") == gold.lstrip("-"))

    result = fields(variants(direct(lenient)))
    assert result["worst-accept.relation"].value == "sign-flip"  # type: ignore[union-attr]
    assert result["worst-accept"].value == result["accept.sign-flip"].value  # type: ignore[union-attr]
    assert result["worst-reject"].value == 0  # type: ignore[union-attr]


def test_exceptions_and_abstentions_on_refused_rows_are_counted_apart() -> None:
    def grade(response: str, gold: str) -> float | None:
        slot = SHAPES["four-hash"].slot(response) or ""
        if slot.startswith("+"):
            raise ValueError
        return None if slot.endswith(".") else _strict(response, gold)

    asked = variants(direct(grade))
    assert isinstance(asked, Result)
    shown = asked.tables["relations"]
    plus, stop = shown["relation"].index("plus-sign"), shown["relation"].index("full-stop")
    assert (shown["raised"][plus], shown["abstained"][plus]) == (shown["wrong"][plus], 0)
    assert (shown["raised"][stop], shown["abstained"][stop]) == (0, shown["wrong"][stop])


def _output(right: list[str], wrong: list[str], clusters: int) -> Source:
    rows = [
        Rollout(at, "7", "So it is.", answer, label, str(at % clusters))
        for at, (answer, label) in enumerate([*((one, True) for one in right), *((one, False) for one in wrong)])
    ]
    return replace(golds("7", "12"), rollouts=tuple(rows))


def test_real_output_is_judged_by_its_labels() -> None:
    source = _output(["7"] * 18 + ["7.0"] * 2, ["8"] * 29 + ["7"], clusters=10)
    asked = rollouts(direct(_strict, source=source))
    assert isinstance(asked, Result)
    result = fields(asked)
    reject, accept = result["false-reject"], result["false-accept"]
    assert isinstance(reject, Quantity)
    assert isinstance(accept, Quantity)
    assert [(one.value, one.of, one.n_eff) for one in (reject, accept)] == [(2, 20, 10), (1, 30, 10)]
    assert reject.interval is not None
    assert reject.interval.method == "t-over-clusters"
    assert reject.interval.low <= 0.1 <= reject.interval.high
    assert asked.tables["rollouts"]["row"] == [18, 19, 49]
    assert asked.tables["rollouts"]["earned"] == ["0", "0", "1"]


def test_no_mistake_takes_wilson_over_problems_not_over_responses() -> None:
    result = fields(rollouts(direct(_strict, source=_output(["7"] * 40, ["8"] * 40, clusters=10))))
    reject = result["false-reject"]
    assert isinstance(reject, Quantity)
    assert reject.interval == wilson(0, 10)


def test_few_problems_get_no_interval() -> None:
    reject = fields(rollouts(direct(_strict, source=_output(["7"] * 40, ["8"] * 40, clusters=5))))["false-reject"]
    assert isinstance(reject, Quantity)
    assert reject.interval is None
    assert reject.note == "5 problems are too few for an interval"


@pytest.mark.parametrize(("right", "wrong", "absent"), [(["7"], [], "false-accept"), ([], ["8"], "false-reject")])
def test_a_rate_without_its_rows_declines(right: list[str], wrong: list[str], absent: str) -> None:
    declined = fields(rollouts(direct(_strict, source=_output(right * 20, wrong * 20, clusters=10))))[absent]
    assert isinstance(declined, Declined)
    assert declined.reason == "corpus_inadequate"


def test_without_labels_or_output_the_remedy_is_a_command() -> None:
    unlabelled = replace(golds("7"), rollouts=(Rollout(0, "7", "x", "7", None, "a"),))
    for source, reason in ((golds("7"), "not_run"), (unlabelled, "record_incomplete")):
        declined = rollouts(direct(_strict, source=source))
        assert isinstance(declined, Declined)
        assert declined.reason == reason
        assert declined.remedy.startswith("lens measure grader")
