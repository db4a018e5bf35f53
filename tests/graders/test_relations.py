"""Relations: what each makes, that its label is true, and that planted defects, and no others, are found by it."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

import pytest

from lens.graders import corpora
from lens.graders.defects import DEFECTS, Finding, flagged, table
from lens.graders.exploits import exploits
from lens.graders.formats import formats
from lens.graders.instruments.metamorphic import metamorphic
from lens.graders.instruments.variants import variants
from lens.graders.items import Item
from lens.graders.relations import Case, relations
from lens.graders.shapes import SHAPES
from lens.reading import Result
from tests.graders.direct import careful, classes, direct, fields, golds


def made(name: str, answer: Any, fmt: str = "latex", shape: str = "boxed", gold: Any = None) -> list[Any]:
    """What a relation makes of one answer: slot texts, or whole responses where it writes those."""
    item = Item(0, answer if gold is None else gold, answer)
    pool = tuple(Item(at, text, text) for at, text in enumerate(("91", "92", "93", "94", "95")))
    case = Case(item, formats()[fmt], SHAPES[shape], pool, name)
    return [one if isinstance(one, str) else one.response or one.answer for one in relations()[name].make(case)]


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("full-stop", "7", ["7."]),
        ("thousands-separator", "1250", ["1,250"]),
        ("thousands-separator", "999", []),
        ("latex-thousands", "-27000", ["-27{,}000", "-27,\\!000"]),
        ("malformed-grouping", "36", ["3,6"]),
        ("malformed-grouping", "7", []),
        ("currency-sign", "18", ["\\$18"]),
        ("percent-spelling", "40\\%", ["40%"]),
        ("trailing-zeros", "7", ["7.0", "7.00"]),
        ("trailing-zeros", "3.75", ["3.750"]),
        ("trailing-zeros", "x", []),
        ("leading-zeros", "7", ["07"]),
        ("leading-zeros", "-7", []),
        ("bare-decimal-point", "0.25", [".25"]),
        ("plus-sign", "7", ["+7"]),
        ("typographic-minus", "-7", ["\u22127"]),
        ("sign-flip", "-4", ["4"]),
        ("sign-flip", "0", []),
        ("wide-digits", "36", ["３６"]),
        ("raised-digit", "36", ["3⁶"]),
        ("other-number", "36", ["37", "360", "3"]),
        ("near-number", "250", ["250.005", "250.5"]),
        ("hundredfold", "7", ["700", "0.07"]),
        ("fraction-size", "\\frac{3}{7}", ["\\dfrac{3}{7}", "\\tfrac{3}{7}"]),
        ("braceless-fraction", "\\frac{3}{7}", ["\\frac37"]),
        ("braceless-fraction", "\\frac{13}{7}", []),
        ("half-braced-fraction", "\\frac{3}{17}", ["\\frac3{17}"]),
        ("slash-fraction", "-\\frac{2}{9}", ["-2/9"]),
        ("decimal-for-fraction", "\\frac{5}{8}", ["0.625"]),
        ("decimal-for-fraction", "\\frac{1}{3}", []),
        ("sign-in-numerator", "-\\frac{2}{9}", ["\\frac{-2}{9}"]),
        ("inverted-fraction", "\\frac{3}{7}", ["\\frac{7}{3}"]),
        ("braceless-root", "2\\sqrt{5}", ["2\\sqrt5"]),
        ("braceless-root", "\\sqrt{15}", []),
        ("cut-root", "\\sqrt{23}", ["\\sqrt{2}3"]),
        ("bracket-size", "(3, 4)", ["\\left(3, 4\\right)"]),
        ("bracket-size", "\\left( 3, 4 \\right)", ["( 3, 4 )"]),
        ("number-in-text-macro", "13", ["\\text{13}"]),
        ("word-without-text-macro", "\\text{even}", ["even", "\\textbf{even}", "\\mathrm{even}"]),
        ("word-without-text-macro", "x", []),
        ("exponent-braces", "x^2", ["x^{2}"]),
        ("exponent-braces", "x^{2}", ["x^2"]),
        ("exponent-braces", "x^{12}", []),
        ("dropped-exponent", "x^{12}", ["x"]),
        ("degree-spelling", "30^\\circ", ["30^{\\circ}", "30°"]),
        ("assignment-prefix", "34", ["x = 34", "x=34"]),
        ("part-of-list", "2, 5, 11", ["2, 5"]),
        ("part-of-list", "(2, 5)", []),
        ("point-order", "(3, 4)", ["(4, 3)"]),
        ("point-order", "(4, 4)", []),
        ("operator-space", "x+1", ["x + 1"]),
        ("thin-space", "(1, 2)", ["(1,\\,2)"]),
        ("macro-synonym", "x \\le 4", ["x \\leq 4"]),
        ("macro-synonym", "\\left( 1, 2 \\right)", []),
        ("macro-synonym", "\\infty", ["+\\infty"]),
    ],
)
def test_what_a_relation_makes(name: str, answer: str, expected: list[str]) -> None:
    assert made(name, answer) == expected


@pytest.mark.parametrize(
    ("name", "gold", "expected"),
    [
        ("other-gold", ["Au", "gold"], ["gold"]),
        ("article", ["the Danube"], ["Danube"]),
        ("article", ["honey"], ["the honey"]),
        ("article", ["Oslo"], []),
        ("letter-case", ["Oslo"], ["oslo", "OSLO"]),
        ("hyphen", ["blue heron"], ["blue-heron"]),
        ("accents", ["Reykjavík"], ["Reykjavik"]),
        ("accents", ["Oslo"], []),
        ("missing-word", ["Pacific Ocean"], ["Pacific"]),
        ("missing-word", ["Pacific Ocean", "Pacific"], []),
        ("negated", ["ice"], ["not ice"]),
        ("repeated-space", ["blue heron"], ["blue  heron"]),
    ],
)
def test_what_a_relation_makes_of_words(name: str, gold: list[str], expected: list[str]) -> None:
    assert made(name, gold[0], "qa", "answer-tag", gold) == expected


def test_responses_around_the_answer_keep_it_in_its_slot() -> None:
    for name in ("trailing-text", "leading-text", "said-twice", "macro-mentioned", "inside-display"):
        responses = made(name, "7")
        assert responses
        assert all(SHAPES["boxed"].slot(response) == "7" for response in responses), name
    assert made("macro-mentioned", "7")[0].startswith("As told, \\boxed comes")
    assert made("dollars-before", "7", shape="dollars")[0].count("$") == 6
    assert [len(text) for text in made("trailing-text", "7", shape="boxed")] == sorted(
        len(text) for text in made("trailing-text", "7")
    )


def _value(text: str) -> Decimal | None:
    """The number a reader sees: separators only between full groups, signs and units as they are commonly written."""
    text = text.strip().strip("*").removesuffix(".").strip("*").replace("\u2212", "-").replace("$", "", 1)
    text = re.sub(r" (apples|coins|steps|cm|hours|dollars)$", "", text)
    if "," in text:
        if not re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", text):
            return None
        text = text.replace(",", "")
    try:
        return Decimal(text) if text.isascii() else None
    except InvalidOperation:
        return None


def test_labels_of_numbers_are_true() -> None:
    """Every derived integer answer, read by an independent reader, has its gold's value exactly when labelled right."""
    fmt = formats()["integer"]
    rows = [
        one.row for one in corpora.derive(fmt, SHAPES["four-hash"], corpora.embedded(fmt)) if one.row.label is not None
    ]
    assert len(rows) > 3000
    assert {row.label for row in rows} == {True, False}
    for row in rows:
        assert (_value(row.answer or "") == Decimal(row.gold)) is row.label, (row.relation, row.answer, row.gold)


def test_every_relation_and_exploit_names_a_known_class_and_every_class_has_one() -> None:
    declared = {one.defect for one in relations().values()} | {one.defect for one in exploits().values()}
    declared |= {shape.defect for shape in SHAPES.values()} - {""}
    declared |= {"gold-refused", "abstains-on-valid", "raises-on-valid", "wrong-answer-paid"}
    assert declared <= set(DEFECTS)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in relations())


def test_a_class_nobody_named_is_refused() -> None:
    with pytest.raises(ValueError, match="no class of defect"):
        Finding("no-such-class", "relation", "x", 1, 2)


def test_findings_become_columns_and_come_back_as_classes() -> None:
    columns = table(
        [
            Finding("sign-flip-paid", "relation", "sign-flip", 2, 9),
            Finding("prose-refused", "shape", "prose", 9, 9, policy=True),
            Finding("empty-paid", "exploit", "empty", 0, 9),
        ]
    )
    assert columns["violations"] == [2, 9, 0]
    assert flagged([columns]) == {"sign-flip-paid", "prose-refused"}
    assert flagged([columns], policy=False) == {"sign-flip-paid"}
    assert flagged([table([])]) == set()


def test_a_careful_grader_breaks_no_relation() -> None:
    audit = direct(careful)
    assert classes(metamorphic(audit), variants(audit)) == set()
    assert fields(metamorphic(audit))["violated"].value == 0  # type: ignore[union-attr]


def _edited(change: Callable[[str], str]) -> Callable[..., float]:
    return lambda response, gold: careful(change(response), gold)


def _spoiled(broken: Callable[[str, str], bool], pays: bool) -> Callable[..., float]:
    """The careful grader, save that `broken(slot text, gold)` decides the other way."""

    def grade(response: str, gold: str) -> float:
        slot = SHAPES["four-hash"].slot(response) or ""
        return float(pays) if broken(slot, gold) else careful(response, gold)

    return grade


PLANTED: dict[str, Callable[..., float]] = {
    "position-sensitive": _edited(lambda response: response[-120:]),
    "leading-text-refused": _edited(lambda response: response[:900]),
    "full-stop-refused": _spoiled(lambda slot, gold: slot.endswith("."), False),
    "thousands-separator-refused": _spoiled(lambda slot, gold: bool(re.fullmatch(r"\d+(,\d{3})+", slot)), False),
    "malformed-grouping-paid": _spoiled(lambda slot, gold: slot.replace(",", "") == gold, True),
    "currency-sign-refused": _spoiled(lambda slot, gold: "$" in slot, False),
    "trailing-zeros-refused": _spoiled(lambda slot, gold: bool(re.fullmatch(r"-?\d+\.0+", slot)), False),
    "leading-zeros-refused": _spoiled(lambda slot, gold: bool(re.match(r"0\d", slot)), False),
    "plus-sign-refused": _spoiled(lambda slot, gold: slot.startswith("+"), False),
    "unit-word-refused": _spoiled(lambda slot, gold: bool(re.search(r"\d [a-z]", slot)), False),
    "bold-answer-refused": _spoiled(lambda slot, gold: "*" in slot, False),
    "sign-flip-paid": _spoiled(lambda slot, gold: slot == f"-{gold}", True),
    "raised-digit-paid": _spoiled(
        lambda slot, gold: slot.isdigit() and not slot.isascii() and slot[0] == gold[0], True
    ),
    "guess-list-paid": _spoiled(lambda slot, gold: gold in slot.split(", "), True),
    "restatement-refused": lambda response, gold: careful(response, gold) * (response.count("####") < 2),
    "padding-paid": lambda response, gold: max(careful(response, gold), min(len(response), 600) / 10_000),
}


@pytest.mark.parametrize("defect", PLANTED)
def test_a_planted_defect_is_found_and_nothing_else_is(defect: str) -> None:
    asked = metamorphic(direct(PLANTED[defect]))
    found = classes(asked)
    companions = {
        "padding-paid": {"leading-text-refused", "position-sensitive", "restatement-refused", "guess-list-paid"}
    }
    assert defect in found
    assert found <= {defect} | companions.get(defect, set())


def test_a_violation_is_shown_in_its_smallest_form() -> None:
    """The shortest trailing text that a 500-character window loses, on the simplest gold."""
    asked = metamorphic(direct(_edited(lambda response: response[-500:])))
    assert isinstance(asked, Result)
    shown = asked.tables["relations"]
    at = shown["relation"].index("trailing-text")
    assert shown["gold"][at] == "7"
    assert shown["response"][at].count("Putting it back") == 8
    assert (shown["violations"][at], shown["applicable"][at]) == (240, 480)
    assert shown["earned"][at] == "0 after 1"
    count = fields(asked)["trailing-text.violations"]
    assert (count.n, count.n_eff) == (480, 120)  # type: ignore[union-attr]


def test_other_peoples_text_stays_out_of_the_table_until_it_is_asked_for() -> None:
    source = golds("70", "71", "72", own=False)
    grade = _spoiled(lambda slot, gold: slot == "71.", False)
    for disclose, response in ((False, ""), (True, "71.")):
        asked = metamorphic(direct(grade, source=source, disclose=disclose))
        assert isinstance(asked, Result)
        shown = asked.tables["relations"]
        at = shown["relation"].index("full-stop")
        assert shown["violations"][at] == 1
        assert shown["response"][at].endswith(response)
        assert bool(shown["response"][at]) is disclose
        assert len(shown["digest"][at]) == 16


def test_policies_are_listed_and_never_counted() -> None:
    def ascii_only(response: str, gold: str) -> float:
        return careful(response, gold) * response.isascii()

    asked = metamorphic(direct(ascii_only, source=golds("70", "71", "72")))
    result = fields(asked)
    assert result["wide-digits.policy"].value == 3  # type: ignore[union-attr]
    assert "wide-digits.violations" not in result
    assert classes(asked) == set()
    assert classes(asked, policy=True) == {"wide-digits-refused"}


def test_asymmetry_compares_verdicts_whatever_they_are() -> None:
    def one_way(response: str, gold: str) -> bool:
        return response == gold or ("\\in" in gold and "\\geq" in response)

    assert "asymmetric" in classes(metamorphic(direct(one_way, "latex-bare")))
    assert "asymmetric" not in classes(metamorphic(direct(lambda response, gold: response == gold, "latex-bare")))


def test_wrong_values_are_looked_for_in_every_shape_that_pays() -> None:
    """A grader that is exact on boxes and, between dollars, reads nothing after a root."""

    def grade(response: str, gold: str) -> bool:
        boxed, dollars = SHAPES["boxed"].slot(response), SHAPES["dollars"].slot(response)
        return boxed == gold if boxed is not None else bool(dollars) and dollars.split("\\sqrt(")[0] == gold  # type: ignore[union-attr]

    audit = direct(grade, "latex")
    assert "malformed-root-paid" in classes(metamorphic(audit))
    assert {row.relation for row in audit.corpora["other-shapes"].rows} >= {"malformed-root", "sign-flip"}


def test_rules_draw_the_same_whatever_stands_beside_them() -> None:
    fmt, shape = formats()["integer"], SHAPES["four-hash"]
    whole = corpora.embedded(fmt)
    first = [one.row for one in corpora.derive(fmt, shape, whole) if one.relation.name == "unit-word"]
    again = [one.row for one in corpora.derive(fmt, shape, golds(*(item.gold for item in whole.items[::-1])))]
    assert {row.answer for row in first} == {row.answer for row in again if row.relation == "unit-word"}
