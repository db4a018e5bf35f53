"""The site in a real browser: from disk, without scripts, on a phone and a wide screen, light and dark."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import site_evidence
from built_site import content_on

from lens.resource import resource
from site_builder.build import build
from site_builder.commands import options

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
CARD = "graders/tidy-equal/"
MODEL = "models/organism-made/"
PAGES = [
    "",
    "graders/",
    CARD,
    "models/",
    MODEL,
    f"{MODEL}inside/",
    f"{MODEL}concepts/",
    "models/quiet-8b/",
    "models/made-panel/",
    "runs/",
    "runs/made-run/",
    "runs/made-run/another-reward/",
    "runs/made-run/update/",
    "runs/made-run/readings/",
    "runs/made-series/",
    "runs/gone-over/",
    "runs/gone-over/series/",
    "evidence/runs/made-run/selection/",
    "evidence/models/organism-made/patching/",
    "evidence/",
    "evidence/graders/tidy-equal/",
    "evidence/graders/tidy-equal/kill-matrix/",
    "evidence/graders/tidy-equal/survivors~log/",
    "evidence/graders/tidy-equal/reported~public-site/",
    "ledger/",
    "public-figures/",
    "declined/",
    "changes/",
    "downloads/",
    "capabilities/",
    "search/",
    "about/",
    "docs/audit-a-grader/",
    "docs/instruments/",
    "compare/graders/",
]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("browser")
    site_evidence.write(root / "data")
    build(options(root / "data", content_on(resource("content"), root / "content"), root / "_site"))
    return root / "_site"


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_fit_and_say_nothing_on_the_console(site: Path, browser: Any, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in PAGES:
        page.goto(f"file://{site}/{path}index.html")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    context.close()
    assert said == []


def test_a_number_opens_without_a_script_and_escape_closes_it(site: Path, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"file://{site}/graders/tidy-equal/index.html")
    sheet = page.locator(".sheet:popover-open")
    assert sheet.count() == 0
    page.locator(".finding .n").first.click()
    assert sheet.count() == 1
    assert "mutants of Tidy is_equal are noticed by gold answers" in sheet.inner_text()
    page.keyboard.press("Escape")
    assert sheet.count() == 0
    page.locator(".finding .n").first.focus()
    page.keyboard.press("Enter")
    assert sheet.count() == 1
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_an_open_sheet_stays_on_the_screen(site: Path, browser: Any, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 700})
    page = context.new_page()
    page.goto(f"file://{site}/graders/tidy-equal/index.html")
    for button in page.locator("main > :not(.sheets) button[popovertarget]").all()[::9]:
        if not button.is_visible():
            continue
        button.scroll_into_view_if_needed()
        button.click()
        box = page.locator(".sheet:popover-open").bounding_box()
        assert box["x"] >= 0, button.inner_text()
        assert box["x"] + box["width"] <= width + 1, button.inner_text()
        assert box["y"] >= -1, button.inner_text()
        assert box["y"] + box["height"] <= 701, button.inner_text()
        page.keyboard.press("Escape")
    context.close()


@pytest.mark.parametrize(
    ("scheme", "width", "paths"),
    [
        ("light", 1280, PAGES),
        ("dark", 390, PAGES),
        ("light", 390, [CARD, MODEL, f"{MODEL}inside/"]),
        ("dark", 1280, [CARD, MODEL, f"{MODEL}inside/"]),
    ],
)
def test_axe_finds_nothing(site: Path, browser: Any, scheme: str, width: int, paths: list[str]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    found = []
    for path in paths:
        openers = [".n:not(.r)", ".plate[popovertarget]", ".n.r"] if path == CARD else []
        for opener in ["", *openers]:
            page.goto(f"file://{site}/{path}index.html")
            if opener:
                page.locator(opener).first.click()
            answer = axe.run(page, options={"runOnly": RULES, "resultTypes": ["violations"]}).response
            found += [(path, opener, one["id"], one["nodes"][0]["html"][:120]) for one in answer["violations"]]
    context.close()
    assert found == []


def test_figures_are_drawn_by_plotly_under_its_pages_policy(site: Path, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"file://{site}/figures/graders/tidy-equal/kill-matrix/index.html#kill-matrix")
    page.wait_for_selector("[id=kill-matrix] .main-svg")
    shown = page.evaluate("document.querySelector('[id=kill-matrix] .plot').textContent")
    page.close()
    assert "92" in shown
    assert "rate declined" in shown
    assert said == []


def test_search_works_from_disk(site: Path, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"file://{site}/search/index.html")
    page.fill("#q", "tidy kill matrix")
    first = page.locator("#hits a").first
    assert first.inner_text() == "Kill matrix, Tidy is_equal"
    page.fill("#q", "2 of 92")
    assert page.locator("#hits a").count() >= 2
    page.fill("#q", "nowhere to be found")
    assert page.locator("#status").inner_text() == "Nothing has all of these words."
    page.fill("#q", "tidy kill matrix")
    first.click()
    assert page.locator("h1").inner_text() == "2 of 92"
    context.close()


def shown(page: Any) -> list[str]:
    """The heads of the columns that show."""
    heads = "[...document.querySelectorAll('thead th')].filter(th => th.offsetWidth).map(th => th.textContent)"
    return list(page.evaluate(heads))


def test_two_are_shown_and_another_choice_shows_another(site: Path, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"file://{site}/compare/graders/index.html")
    options = page.locator("select[name=first] option").all_inner_texts()
    assert shown(page) == ["reading", *options[:2]]
    page.select_option("select[name=second]", label=options[-1])
    assert shown(page) == ["reading", options[0], options[-1]]
    context.close()


def test_print_has_footnotes_with_ids(site: Path, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 900, "height": 900})
    page = context.new_page()
    page.goto(f"file://{site}/graders/tidy-equal/index.html")
    page.emulate_media(media="print")
    note = page.locator(".sheet#n1")
    assert note.is_visible()
    assert "graders/tidy-equal/kill-matrix#gold.killed" in note.inner_text()
    mark = "getComputedStyle(document.querySelector('.finding .n'), '::after').content"
    assert page.evaluate(mark) in ('"n1"', "attr(popovertarget)")
    context.close()


def test_the_checker_of_the_html_standard_finds_nothing(site: Path) -> None:
    jar = os.environ.get("VNU_JAR", "")
    if not (jar and shutil.which("java")):
        pytest.skip("set VNU_JAR to the Nu HTML checker, and have java")
    files = [str(path) for path in sorted(site.rglob("*.html"))]
    done = subprocess.run(
        ["java", "-Xss4m", "-jar", jar, "--errors-only", *files], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
