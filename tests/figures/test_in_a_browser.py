"""The same promises measured in Chromium, in two faces: no text meets another or an interval, nothing is scaled."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from figure_cases import CASES

from site_builder import figures
from site_builder.lookup import Lookup
from site_builder.svg import drawing
from site_builder.svg.boxes import Box, problems
from site_builder.svg.palette import LIGHT

pytestmark = pytest.mark.browser
TEMPLATES = Path(__file__).parents[2] / "templates"
FACES = {"widest": "'DejaVu Sans'", "usual": "Inter, Arial"}
MEASURE = """() => [...document.querySelectorAll('svg')].filter(svg => svg.getClientRects().length).map(svg => ({
  id: svg.getAttribute('aria-labelledby').split(' ')[0],
  scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
  right: svg.getBoundingClientRect().right,
  texts: [...svg.querySelectorAll('text')].map(text => {
    const box = text.getBBox();
    return [box.x, box.y, box.width, box.height, text.textContent, parseFloat(getComputedStyle(text).fontSize)];
  }),
}))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no chromium on the path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


def page_of(lookup: Lookup, face: str) -> str:
    names = ";".join(f"--{name}:{value}" for name, value in LIGHT.items())
    css = (TEMPLATES / "figures.css").read_text("utf-8").replace("system-ui", face)
    drawn = "".join(
        figures.render(name, lookup, id_, prefix=case, **options).html for case, (name, id_, options) in CASES.items()
    )
    style = f":root{{{names};font-size:18px}}body{{margin:20px auto;max-width:1163px;padding:0 20px}}"
    return f"<!doctype html><meta charset=utf-8><title>figures</title><style>{style}{css}</style><main>{drawn}</main>"


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_meets_another_or_an_interval(
    lookup: Lookup, browser: Any, tmp_path: Path, width: int, face: str
) -> None:
    file = tmp_path / "figures.html"
    file.write_text(page_of(lookup, FACES[face]), "utf-8")
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(file.as_uri())
    measured = page.evaluate(MEASURE)
    page.close()
    assert len(measured) == len(CASES)
    found: list[str] = []
    for one in measured:
        case, which = re.fullmatch(r"(.*)-([wn])-t", one["id"]).groups()  # type: ignore[union-attr]
        name, id_, options = CASES[case]
        spec = figures.find(name).spec(lookup, id_, "wide" if which == "w" else "narrow", **options)
        drawn = drawing(spec, prefix="p")
        intervals = [box for box in drawn.boxes if box.kind == "interval"]
        texts = [
            Box(
                x, y + 0.15 * tall, x + wide, y + 0.85 * tall, "text", text, size
            )  # a line box holds room above and below
            for x, y, wide, tall, text, size in one["texts"]
        ]
        assert len(texts) == len([box for box in drawn.boxes if box.kind == "text"])
        found += [f"{case}: {problem}" for problem in problems(texts + intervals, drawn.width, drawn.height)]
        assert one["scale"] == pytest.approx(1), case
        assert one["right"] <= width
    assert found == []


def test_estimates_are_no_narrower_than_the_widest_face(lookup: Lookup, browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "figures.html"
    file.write_text(page_of(lookup, FACES["widest"]), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(file.as_uri())
    measured = page.evaluate(MEASURE)
    page.close()
    for one in measured:
        case = one["id"].removesuffix("-w-t")
        name, id_, options = CASES[case]
        drawn = drawing(figures.find(name).spec(lookup, id_, "wide", **options), prefix="p")
        estimated = {box.what: box.x1 - box.x0 for box in drawn.boxes if box.kind == "text"}
        for _, _, wide, _, text, _ in one["texts"]:
            assert wide <= estimated[text] + 1.5, text
