"""The published site in Chromium: under a sub-path with a strict policy, from disk without scripts, by keyboard, on
paper, on a phone and a wide screen, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from published_site import LOST, OVERLAPS, UNREACHED, WIDER, chosen, plotted, served

from lens.resource import resource
from site_builder.assets import STYLES, narrowed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
ROOT = Path(__file__).parents[2]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CARD, MODEL, RUN = "graders/math-is-equiv/", "models/organism-length/", "runs/reference-long/"
BOTH = ["", CARD, MODEL, RUN]  # in both themes, with sheets open; every other page in one of them
OPENERS = {"measured": ".n:not(.r)", "reported": ".n.r", "declined": ".plate[popovertarget]"}
THEMES = (("light", 1280), ("dark", 390))
A4 = 718  # px between the margins that Chromium prints with


@dataclass
class Seen:
    """What one page said and did: console messages, requests, texts that meet, buttons out of reach, axe's findings."""

    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    meets: list[str] = field(default_factory=list)
    unreached: list[str] = field(default_factory=list)
    wider: dict[int, int] = field(default_factory=dict)
    axe: list[tuple[str, ...]] = field(default_factory=list)


@pytest.fixture(scope="module")
def paths(published: Path) -> list[str]:
    return chosen(published, resource("content"), ROOT / "data/manifest.jsonl")


@pytest.fixture(scope="module")
def address(published: Path) -> Iterator[str]:
    with served(published) as address:
        yield address


@pytest.fixture(scope="module")
def walk(browser: Any, address: str, paths: list[str]) -> dict[str, Seen]:
    """Every chosen page opened once, measured wide and narrow, and given to axe in one theme or both."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found: dict[str, Seen] = {}
    page, seen = browser.new_page(), Seen()
    page.on("console", lambda message: seen.said.append(message.text))
    page.on("pageerror", lambda error: seen.said.append(str(error)))
    page.on("request", lambda request: seen.asked.append(request.url))
    for at, path in enumerate(paths):
        found[path] = seen = Seen()
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{address}{path}index.html")
        if plotted(path):
            page.wait_for_selector(".main-svg")
        for turn, (scheme, width) in enumerate(THEMES):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            seen.wider[width] = page.evaluate(WIDER)
            seen.meets += [f"{width}: {text}" for text in page.evaluate(OVERLAPS)]
            seen.unreached += page.evaluate(UNREACHED)
            said = list(seen.said)
            if path in BOTH or at % 2 == turn:
                seen.axe += _axe(axe, page, scheme, list(OPENERS) if path in BOTH else [])
            seen.said = said  # what axe puts into a page is not the page's
    page.close()
    return found


def _axe(axe: Any, page: Any, scheme: str, sheets: list[str]) -> Iterator[tuple[str, ...]]:
    """What axe finds on a page as it stands, and with a sheet of each kind open."""
    for name in ["", *sheets]:
        if name:
            opener = page.locator(OPENERS[name]).locator("visible=true").first
            if opener.count() == 0:
                continue
            opener.click()
        answer = axe.run(page, options={"runOnly": RULES, "resultTypes": ["violations"]}).response
        for one in answer["violations"]:
            yield scheme, name, one["id"], one["nodes"][0]["html"][:160]
        page.keyboard.press("Escape")


def test_pages_say_nothing_and_ask_for_little(walk: dict[str, Seen]) -> None:
    assert {path: seen.said for path, seen in walk.items() if seen.said} == {}
    assert {path: seen.asked for path, seen in walk.items() if len(set(seen.asked)) > 5} == {}


def test_no_page_is_wider_than_its_screen(walk: dict[str, Seen]) -> None:
    assert {path: seen.wider for path, seen in walk.items() if any(seen.wider.values())} == {}


def test_no_text_of_a_drawing_meets_another(walk: dict[str, Seen]) -> None:
    assert {path: seen.meets for path, seen in walk.items() if seen.meets} == {}


def test_the_keyboard_reaches_every_number(walk: dict[str, Seen]) -> None:
    assert {path: seen.unreached for path, seen in walk.items() if seen.unreached} == {}


def test_axe_finds_nothing(walk: dict[str, Seen]) -> None:
    assert {path: seen.axe for path, seen in walk.items() if seen.axe} == {}


def test_pages_stand_on_a_small_phone_from_disk_without_scripts(
    published: Path, browser: Any, paths: list[str]
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 800}, java_script_enabled=False)
    page, said, wrong = context.new_page(), [], {}
    page.on("console", lambda message: said.append(message.text))
    for path in paths:
        page.goto(f"file://{published}/{path}index.html")
        wider, meets = page.evaluate(WIDER), page.evaluate(OVERLAPS)
        styled = page.evaluate("getComputedStyle(document.body).maxWidth") != "none"
        if wider or meets or not styled:
            wrong[path] = (wider, meets, styled)
    context.close()
    assert wrong == {}
    assert said == []


def test_a_number_opens_on_every_kind_of_page_without_a_script(published: Path, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=False)
    page = context.new_page()
    opened = set()
    for path in BOTH:
        page.goto(f"file://{published}/{path}index.html")
        sheet = page.locator(".sheet:popover-open")
        for name, opener in OPENERS.items():
            button = page.locator(opener).locator("visible=true").first
            if button.count():
                button.click()
                assert sheet.count() == 1, (path, name)
                assert sheet.locator("dl").inner_text(), (path, name)
                page.keyboard.press("Escape")
                assert sheet.count() == 0, (path, name)
                opened.add((path, name))
    context.close()
    assert {name for _, name in opened} == set(OPENERS)
    assert {path for path, name in opened if name == "measured"} == set(BOTH)


def test_tabbing_through_the_front_page_opens_and_closes_every_sheet(browser: Any, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    shown = "[...document.querySelectorAll('button[popovertarget]')].filter(one => one.checkVisibility())"
    page.evaluate(f"{shown}.forEach((one, at) => one.dataset.at = at)")
    count = page.evaluate(f"{shown}.length")
    opened = []
    for _ in range(1000):
        page.keyboard.press("Tab")
        at = page.evaluate("document.activeElement.dataset.at ?? null")
        if page.evaluate("document.activeElement === document.body"):
            break
        if at is None:
            continue
        page.keyboard.press("Enter")
        said = page.evaluate(
            "[document.querySelector('.sheet:popover-open')?.id, document.activeElement.getAttribute('popovertarget')]"
        )
        assert said[0] is not None
        assert said[0] == said[1]
        page.keyboard.press("Escape")
        assert page.evaluate("document.querySelector(':popover-open')") is None
        opened.append(int(at))
    page.close()
    assert opened == list(range(count))
    assert count > 20


def test_the_largest_paint_is_text_or_a_drawing_and_nothing_shifts(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script("""
      window.paints = []; window.shifts = [];
      const watch = (type, into, of) => new PerformanceObserver(
        list => list.getEntries().forEach(one => into.push(of(one)))).observe({type, buffered: true});
      watch('largest-contentful-paint', window.paints, one => [one.element?.tagName.toLowerCase() ?? '', one.url]);
      watch('layout-shift', window.shifts, one => one.value);
    """)
    page = context.new_page()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(address)
        page.evaluate("new Promise(done => setInterval(() => window.paints.length && done(), 20))")
        tag, url = page.evaluate("window.paints.at(-1)")
        assert url == "", width
        assert tag in ("h1", "h2", "p", "div", "li", "text", "svg"), (width, tag)
        assert sum(page.evaluate("window.shifts")) == 0, width
    context.close()


def test_paper_loses_no_figure_and_every_number_has_its_footnote(
    published: Path, browser: Any, paths: list[str]
) -> None:
    context = browser.new_context(viewport={"width": A4, "height": 1000})
    page = context.new_page()
    page.emulate_media(media="print")
    lost = {}
    for path in paths:
        if plotted(path):
            continue
        page.goto(f"file://{published}/{path}index.html")
        if found := page.evaluate(LOST):
            lost[path] = found[:6]
    sheets = {}
    for path in BOTH:
        page.goto(f"file://{published}/{path}index.html")
        sheets[path] = page.pdf(format="A4")
    context.close()
    assert lost == {}
    assert all(pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") > 1 for pdf in sheets.values())


def test_the_style_sheet_means_what_was_written(browser: Any) -> None:
    """Read by the browser, the sheet without its white space has the rules of the one with it."""
    rules = """css => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      return [...sheet.cssRules].map(rule => rule.cssText.replaceAll(', ', ','));
    }"""
    written = "".join((resource("templates") / name).read_text("utf-8") for name in STYLES)
    page = browser.new_page()
    assert page.evaluate(rules, narrowed(written)) == page.evaluate(rules, written)
    assert len(page.evaluate(rules, written)) > 200
    page.close()
