"""What repeats from page to page is read once, and nothing is missed for it."""

from __future__ import annotations

from conftest import READINGS, MemoryStore

from site_builder.claims.readback import Reader, read
from site_builder.claims.readback.repeats import apart
from site_builder.lookup import Lookup

LOOKUP = Lookup(MemoryStore(READINGS))  # type: ignore[arg-type]
KILLED = '<data value="5" data-ev="graders/toy/kill-matrix#gold.killed">5 of 374</data>'


def sheet(at: int, text: str, root: str = "") -> str:
    return (
        f'<div class="sheet" popover id="n{at}" role="dialog" aria-labelledby="n{at}v">\n<p id="n{at}v">{text}</p>'
        f'<dl><div><dd><a href="{root}evidence/x/index.html">Record</a></dd></div></dl>\n</div>\n'
    )


def page(body: str, *sheets: str) -> str:
    return f'<main><p>{body}</p><section class="sheets">{"".join(sheets)}</section></main><footer><p>End</p></footer>'


def test_page_and_sheets_are_everything() -> None:
    one, two = sheet(1, KILLED), sheet(2, "words")
    body, sheets = apart(page("Text.", one, two))
    assert body == page("Text.")
    assert list(sheets.values()) == [one, two]
    assert apart("<p>No sheets</p>") == ("<p>No sheets</p>", {})


def test_a_sheet_is_the_same_under_another_id_and_root() -> None:
    first, second = (apart(page("", sheet(at, KILLED, root)))[1] for at, root in ((1, "../"), (7, "../../")))
    assert first.keys() == second.keys()


def test_a_digit_that_differs_in_one_sheet_is_found_on_its_page() -> None:
    found = (
        Reader(LOOKUP)
        .read(
            {
                "a.html": page("Text.", sheet(1, KILLED)),
                "b.html": page("Text.", sheet(1, KILLED), sheet(2, KILLED.replace("5 of", "6 of"))),
                "c.html": page("Text.", sheet(3, KILLED), sheet(4, "9 mutants")),
            }
        )
        .findings
    )
    assert [(one.path, one.name, one.text.strip()) for one in found] == [
        ("b.html", "stamp-text", "6 of 374"),
        ("c.html", "loose-digit", "9"),
    ]


def test_digits_are_counted_on_every_page_that_shows_them() -> None:
    dated = "measured on 29 November 2026"
    pages = {name: page(f"{KILLED} {dated}", sheet(1, KILLED), sheet(2, dated)) for name in ("a.html", "b.html")}
    together = read(pages, LOOKUP)
    alone = read({"b.html": pages["b.html"]}, LOOKUP)
    assert together.digits == {"a.html": 20, "b.html": 20} == {**together.digits, **alone.digits}
    assert together.allowed["a.html"] == together.allowed["b.html"] == {"date": 12}
