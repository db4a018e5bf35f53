"""Answer formats and shapes: what is rendered is read back."""

from __future__ import annotations

import pytest

from lens.graders.corpora import embedded
from lens.graders.formats import formats, guess, plain_text
from lens.graders.shapes import SHAPES, braced, find_slot

MATHS = ("integer", "latex", "latex-bare", "qa")


def test_the_registry_names_every_format_after_itself() -> None:
    assert set(MATHS) <= set(formats())
    assert all(name == one.name for name, one in formats().items())


@pytest.mark.parametrize("name", MATHS)
def test_every_embedded_answer_is_read_back_out_of_every_shape(name: str) -> None:
    fmt = formats()[name]
    for shape in fmt.candidates:
        for item in embedded(fmt).items:
            answer = str(item.answer)
            if shape.name == "dollars" and "$" in answer:
                continue  # an amount of money closes the dollar span early
            assert shape.slot(shape.render(answer)) == answer, shape.name


@pytest.mark.parametrize("name", MATHS)
def test_embedded_golds_are_distinct_and_enough(name: str) -> None:
    items = embedded(formats()[name]).items
    assert len({item.cluster for item in items}) == len(items) >= 80
    assert all(item.own for item in items)


def test_golds_are_dressed_where_the_shape_says_so() -> None:
    plain, dressed = (
        next(shape for shape in formats()["latex"].candidates if shape.name == "boxed" and shape.dress == dress)
        for dress in ("", "$")
    )
    assert (plain.dressed("7"), dressed.dressed("7"), dressed.dressed(["7"])) == ("7", "$7$", ["7"])


@pytest.mark.parametrize(
    ("golds", "expected"),
    [
        (["12", "-7", "1,024"], "integer"),
        ([12, 7], "integer"),
        (["so 3 and 4\n#### 7"], "integer"),
        ([["Oslo", "the city of Oslo"]], "qa"),
        (["Oslo", "Lisbon"], "qa"),
        (["\\frac{1}{2}", "Oslo"], "latex"),
        (["0.5", "3"], "latex"),
        ([], "qa"),
    ],
)
def test_the_format_is_guessed_from_golds(golds: list[object], expected: str) -> None:
    assert guess(golds) == expected


def test_the_integer_format_reads_a_published_answer_field() -> None:
    reads = formats()["integer"].reads
    assert reads("She has 3 * 6 = 18.\n#### 1,018") == "1018"
    with pytest.raises(ValueError, match="no number"):
        reads("no marker and no number")


def test_a_box_is_read_to_its_balanced_end() -> None:
    assert braced(r"\boxed{1} then \boxed{\frac{a}{b}} end", r"\boxed") == r"\frac{a}{b}"
    assert braced(r"\boxed{never closed", r"\boxed") is None
    assert find_slot("<answer>x</answer>\n#### 7") == "x"
    assert find_slot("nothing marked") is None


def test_the_last_mark_counts_and_an_unclosed_one_does_not() -> None:
    assert SHAPES["answer-tag"].slot("<answer>a</answer><answer> b </answer><answer>") == "b"
    assert SHAPES["four-hash"].slot("#### 1\n#### 2\nmore") == "2"
    assert SHAPES["prose"].slot("We see. The answer is 12.") == "12"


def test_clean_up_takes_off_what_anybody_would_ignore() -> None:
    assert plain_text("  $ 7 $ ") == "7"
    assert plain_text("7.") == "7"
    assert plain_text("x  +  1") == "x + 1"
