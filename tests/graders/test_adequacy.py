"""Corpus adequacy: null graders, identities, and the share each condition needs."""

from __future__ import annotations

import pytest

from lens.graders.adequacy import adequacy, same_text
from lens.graders.corpus import Corpus, Row
from lens.graders.instruments.corpus_adequacy import corpus_adequacy
from lens.graders.outcome import Outcome
from lens.reading import Result
from tests.graders.direct import careful, direct, fields, golds


def _corpus(pairs: list[tuple[str | None, object]]) -> Corpus:
    rows = tuple(Row(at, answer, gold, answer=answer) for at, (answer, gold) in enumerate(pairs))
    return Corpus("planted", "gold", "planted", rows, "0" * 64)


def _paid(*given: float) -> list[Outcome]:
    return [Outcome("value", "", value) for value in given]


def test_gold_identity_is_inadequate_since_a_constant_does_as_well() -> None:
    judged = adequacy(_corpus([("7", "7")] * 20), _paid(*[1.0] * 20), 1.0)
    assert (judged.identical, judged.equality_differs, judged.constant_differs) == (20, 0, 0)
    assert not judged.adequate
    assert "constant" in judged.why


def test_golds_half_crossed_are_inadequate_since_raw_equality_does_as_well() -> None:
    judged = adequacy(_corpus([("7", "7"), ("7", "8")] * 50), _paid(*[1.0, 0.0] * 50), 1.0)
    assert (judged.constant_differs, judged.equality_differs) == (50, 0)
    assert judged.why == "raw equality of the answer text gives the same verdict on 100 of 100 rows"


@pytest.mark.parametrize(("spelled", "adequate"), [(4, False), (5, True)])
def test_raw_equality_has_to_differ_on_a_twentieth(spelled: int, adequate: bool) -> None:
    pairs = [("7.0", "7")] * spelled + [("7", "7")] * (50 - spelled) + [("8", "7")] * 50
    judged = adequacy(_corpus(pairs), _paid(*[1.0] * 50, *[0.0] * 50), 1.0)
    assert judged.equality_differs == spelled
    assert judged.adequate is adequate


@pytest.mark.parametrize(("minority", "adequate"), [(4, False), (5, True)])
def test_two_outcome_classes_need_a_twentieth_each(minority: int, adequate: bool) -> None:
    pairs = [("7.0", "7")] * 100
    judged = adequacy(_corpus(pairs), _paid(*[0.0] * minority, *[1.0] * (100 - minority)), 1.0)
    assert judged.constant_differs == minority
    assert judged.adequate is adequate


def test_exceptions_are_outcome_classes_of_their_own() -> None:
    given = [Outcome("exception", "ValueError")] * 10 + [Outcome("exception", "KeyError")] * 10
    judged = adequacy(_corpus([("7.0", "7")] * 20), given, None)
    assert judged.outcomes == (("exception ValueError", 10), ("exception KeyError", 10))


def test_without_an_answer_slot_equality_does_not_apply() -> None:
    rows = tuple(Row(at, {"log": at}, {"want": at}) for at in range(20))
    judged = adequacy(Corpus("logs", "gold", "logs", rows, "0" * 64), _paid(*[1.0, 0.0] * 10), 1.0)
    assert (judged.slots, judged.adequate) == (0, True)


def test_returned_text_is_named_by_a_digest() -> None:
    judged = adequacy(_corpus([("7", "7")] * 2), [Outcome("value", "", "somebody's words")] * 2, None)
    ((name, count),) = judged.outcomes
    assert (name.split()[0], count) == ("str", 2)
    assert "somebody" not in name


def test_the_normaliser_counts_where_it_acts_on_one_side_only() -> None:
    pairs = [("7.", "7"), ("7.", "8."), ("7", "7"), (" x ", "x")]
    assert adequacy(_corpus(pairs), _paid(1, 1, 0, 0), 1.0).normalised == 2
    assert adequacy(_corpus(pairs), _paid(1, 1, 0, 0), 1.0, normalise=lambda text: text).normalised == 0


def test_raw_equality_takes_any_of_several_golds_and_looks_inside_dollars() -> None:
    assert same_text("Oslo", ["the city of Oslo", "Oslo"])
    assert same_text("x", "$x$")
    assert not same_text("oslo", ["Oslo"])
    assert not same_text("7.0", "7")


def test_one_outcome_a_row_is_asked_for() -> None:
    with pytest.raises(ValueError, match="one a row"):
        adequacy(_corpus([("7", "7")]), [], 1.0)


def test_an_empty_corpus_is_inadequate() -> None:
    assert adequacy(_corpus([]), [], 1.0).why == "it has no rows"


def test_the_instrument_tells_inadequate_corpora_from_adequate_ones() -> None:
    asked = corpus_adequacy(direct(careful))
    assert isinstance(asked, Result)
    result = fields(asked)
    said = {name: result[f"{name}.adequate"].value for name in ("gold", "crossed", "labelled")}  # type: ignore[union-attr]
    assert said == {"gold": "inadequate", "crossed": "inadequate", "labelled": "adequate"}
    assert result["gold.identical"].value == result["gold.identical"].of == 120  # type: ignore[union-attr]
    assert result["crossed.equality-differs"].value == 0  # type: ignore[union-attr]
    assert result["crossed.outcomes"].value == 2  # type: ignore[union-attr]
    adequate = [name for name, field in result.items() if name.endswith(".adequate") and field.value == "adequate"]  # type: ignore[union-attr]
    assert result["adequate"].value == len(adequate)  # type: ignore[union-attr]
    assert sum(asked.tables["outcomes"]["rows"]) == sum(asked.tables["corpora"]["rows"])


def test_every_corpus_is_noted_as_an_input() -> None:
    audit = direct(careful, source=golds("7", "12", "36"))
    audit.used.clear()
    corpus_adequacy(audit)
    assert set(audit.used) == {*audit.corpora, "golds"}
