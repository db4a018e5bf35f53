"""The contract, found by asking planted graders."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lens.errors import UsageError
from lens.graders.contract import contract, format_of
from lens.graders.instruments.contract import contract_of
from lens.graders.instruments.corpus_adequacy import corpus_adequacy
from lens.graders.instruments.variants import variants
from lens.graders.items import Rollout, Source
from lens.reading import Declined
from tests.graders.direct import classes, direct, fields, golds, unfilled

PATTERNS = {
    "four-hash": r"#### (-?\d+)$",
    "boxed": r"\\boxed\{(.*)\}",
    "answer-tag": r"<answer>(.*)</answer>",
    "answer-line": r"^Answer: (.*)$",
    "bold": r"\*\*(.*)\*\*",
    "prose": r"The answer is (-?\d+)\.",
}


@pytest.mark.parametrize("shape", PATTERNS)
def test_the_shape_that_pays_is_found(shape: str) -> None:
    def grade(response: str, gold: str) -> int:
        found = re.search(PATTERNS[shape], response, re.MULTILINE)
        return 3 if found and found[1] == gold else -1

    found = contract(direct(grade))
    assert found.shape is not None
    assert (found.shape.name, found.ceiling, found.floor) == (shape, 3.0, -1.0)
    assert found.returns == "int"
    result = fields(contract_of(direct(grade)))
    assert (result["oracle-paid"].value, result["oracle-paid"].of) == (24, 24)  # type: ignore[union-attr]
    assert result["wrong-paid"].value == 0  # type: ignore[union-attr]


def test_refused_shapes_are_policy_and_quiet_once_the_grader_takes_them() -> None:
    def strict(response: str, gold: str) -> bool:
        found = re.search(PATTERNS["four-hash"], response, re.MULTILINE)
        return bool(found and found[1] == gold)

    def boxes_too(response: str, gold: str) -> bool:
        return strict(response, gold) or f"\\boxed{{{gold}}}" in response

    asked = contract_of(direct(strict))
    assert classes(asked) == set()
    assert {"boxed-refused", "prose-refused", "display-math-refused"} <= classes(asked, policy=True)
    mended = classes(contract_of(direct(boxes_too)), policy=True)
    assert mended & {"boxed-refused", "display-math-refused", "prose-refused"} == {"prose-refused"}


def test_golds_are_enclosed_in_dollars_for_a_grader_that_wants_them_so() -> None:
    def grade(response: str, gold: str) -> bool:
        if not gold.startswith("$"):
            raise ValueError(gold)
        return f"\\boxed{{{gold.strip('$')}}}" in response

    audit = direct(grade, "latex")
    result = fields(contract_of(audit))
    assert result["golds"].value == "enclosed in dollar signs"  # type: ignore[union-attr]
    assert result["raised"].value == 24  # type: ignore[union-attr]
    assert "raises-on-valid" in classes(contract_of(audit))
    assert all(row.gold == f"${row.answer}$" for row in audit.corpora["gold"].rows)


def test_of_two_shapes_that_pay_the_lenient_one_is_audited_and_the_other_named() -> None:
    def grade(response: str, gold: str) -> bool:
        boxed = re.search(PATTERNS["boxed"], response)
        line = re.search(PATTERNS["answer-line"], response, re.MULTILINE)
        lenient = bool(line) and line[1].strip().lstrip("+").removesuffix(".0") == gold  # type: ignore[index]
        return lenient or bool(boxed and boxed[1] == gold)

    found = contract(direct(grade))
    assert found.shape is not None
    assert found.shape.name == "answer-line"
    assert [shape.name for shape in found.also] == ["boxed"]


@pytest.mark.parametrize("worth", [0, 0.0, -1, None, "no"])
def test_rates_decline_where_the_oracle_earns_nothing(worth: Any) -> None:
    audit = direct(lambda response, gold: worth)
    assert contract(audit).shape is None
    declined = variants(audit)
    assert isinstance(declined, Declined)
    assert (declined.reason, "def reward(response, gold)" in declined.remedy) == ("assumption_violated", True)
    result = fields(contract_of(audit))
    assert isinstance(result["shape"], Declined)
    assert isinstance(result["ceiling"], Declined)


def test_a_grader_that_pays_everything_has_a_contract_and_pays_wrong_answers() -> None:
    asked = contract_of(direct(lambda response, gold: 1.0))
    assert fields(asked)["wrong-paid"].value == 24  # type: ignore[union-attr]
    assert "wrong-answer-paid" in classes(asked)


def test_abstaining_and_raising_on_valid_golds_are_told_apart_from_nought() -> None:
    def grade(response: str, gold: str) -> float | None:
        if gold == "7":
            return None
        if gold == "12":
            raise ValueError
        return float(response == gold)

    asked = contract_of(direct(grade, "latex-bare", golds("7", "12", "5", "9")))
    found = fields(asked)
    assert [(found[name].value, found[name].of) for name in ("abstained", "raised", "oracle-paid")] == [  # type: ignore[union-attr]
        (1, 4),
        (1, 4),
        (2, 4),
    ]
    assert {"abstains-on-valid", "raises-on-valid", "gold-refused"} <= classes(asked)


def test_a_shape_of_the_graders_own_is_judged_by_output_labelled_right() -> None:
    rows = [
        Rollout(at, str(at), f"FINAL={at if right else at + 1}", None, right, str(at))
        for at in range(10)
        for right in (True, False)
    ]
    source = Source("mine", "mine", "0" * 64, "file:mine.jsonl", "MIT", golds(*map(str, range(10))).items, tuple(rows))
    audit = direct(lambda response, gold: 2.0 if response == f"FINAL={gold}" else 0.5, source=source)
    found = contract(audit)
    assert (found.shape, found.ceiling) == (None, 2.0)


def test_without_a_declared_format_the_golds_say_it_or_the_pay_does() -> None:
    def tagged(response: str, gold: Any) -> bool:
        return isinstance(gold, list) and any(f"<answer>{one}</answer>" in response for one in gold)

    assert format_of(unfilled(tagged, "")).name == "qa"
    assert format_of(unfilled(tagged, "", source=golds("12", "7"))).name == "integer"
    with pytest.raises(UsageError, match="names the answer format"):
        format_of(unfilled(tagged, "no-such-format"))


def test_every_distinct_row_is_asked_once_an_audit() -> None:
    audit = direct(lambda response, gold: response == gold, "latex-bare")
    corpus_adequacy(audit)
    asked = audit.asked
    variants(audit)
    corpus_adequacy(audit)
    assert audit.asked == asked
