"""Pages of runs that were really read: from the files to the page, in a browser too."""

from __future__ import annotations

import gzip
import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from built_site import tree
from site_evidence import MADE

from lens.reading import Evidence, Quote, Reported
from measure.reviewing import RunRequest, reviewed
from measure.store import Store
from site_builder.build import build
from site_builder.commands import options

STEPS, SIZE = 40, 4
SERIES = "step,loss,grad_norm\n" + "".join(f"{at},{at / 40},{0.3 + at % 5 / 50}\n" for at in range(STEPS))


def rollouts() -> Iterator[dict[str, Any]]:
    """Two groups of four a step, paid for being right and, from step 24 on, for a trick that a trusted grader isn't
    taken in by; the last line of the file is cut in half."""
    for step in range(STEPS):
        for group in range(2):
            right = [float((step + group + place) % 3 == 0) for place in range(SIZE)]
            trick = [float(step >= 24 and place == group) for place in range(SIZE)]
            reward = [max(pair) for pair in zip(right, trick, strict=True)]
            mean = sum(reward) / SIZE
            spread = math.sqrt(sum((one - mean) ** 2 for one in reward) / (SIZE - 1))
            for place in range(SIZE):
                yield {
                    "step": step,
                    "group": f"{step}-{group}",
                    "prompt": f"q{step}-{group}",
                    "completion": f"a{place}",
                    "reward": reward[place],
                    "advantage": (reward[place] - mean) / (spread + 1e-4),
                    "gold": right[place],
                    "exploit": "trick" if trick[place] else "",
                }


def measured(path: Path, name: str, data: Path) -> None:
    with reviewed(RunRequest(str(path), name=name, surrogates=20, baseline=12), data, workers=1) as reviewing:
        ending = reviewing.run(show=False)
    assert not ending.failed


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two runs that were really read: one with its rollouts, and one of which only a log was kept."""
    here = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("EVIDENCE_LENS_CACHE", str(here / "cache"))
        (here / "made.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rollouts()) + '{"step": 40, "gro')
        (here / "log.csv").write_text(SERIES)
        measured(here / "made.jsonl", "made-run", here / "data")
        measured(here / "log.csv", "made-log", here / "data")
        store = Store.open(here / "data")
        quotes = {
            "rollouts": Quote("321", "rollouts", "size", 321, None, "counts the line that was cut"),
            "exactly-zero": Quote("12", "rollouts", "size", 12, None, ""),
            "cancels": Quote("most", "of the gradient", "proportion", None, None, ""),
        }
        subject = store.record("runs/made-run/coverage").evidence.subject
        reading = Reported(quotes, "rollouts", "a site", "front page", "d4" * 32, "Figures of others.")
        cited = Evidence("reported", 1, subject, reading, variant="site", varied={"source": "site"})
        store.write([(cited, {}, MADE)])
        (here / "content").mkdir()
        (here / "content" / "index.md").write_text("# Home\n\nText.\n")
        build(options(here / "data", here / "content", here / "_site"))
    return here / "_site"


def text(path: Path, selector: str = "main") -> str:
    return " ".join(tree(path / "index.html").css_first(selector).text().split())


def headings(path: Path) -> list[str]:
    return [heading.text() for heading in tree(path / "index.html").css("h2:not(.printed)")]


def test_a_run_page_tells_the_story_in_order(site: Path) -> None:
    assert headings(site / "runs/made-run") == [
        "What the record holds, and whether it replays",
        "What the score was made of",
        "What selection did with it",
        "What the update kept and cancelled",
        "How the policy moved",
        "When a warning came, and what it cost",
        "Published figures, and why they differ",
        "Every reading",
        "What was declined, and what would measure it",
    ]
    finding = text(site / "runs/made-run", ".finding")
    assert "Its record holds 320 rollouts of 40 steps." in finding
    assert "A known rule turns its scores into its advantages" in finding
    assert "A grader it was not trained on would have pushed" in finding


def test_what_reading_the_files_found_is_told_where_the_record_is(site: Path) -> None:
    found = tree(site / "runs/made-run/index.html").css_first("section.part ul:not(.clauses)")
    assert found is not None
    assert "line" in found.text()
    cited = found.css_first("[data-ev]")
    assert cited is not None
    assert (cited.attributes["data-ev"] or "").startswith("runs/made-run/coverage#findings/0/detail")


def test_a_reading_that_declined_says_so_where_it_would_stand(site: Path) -> None:
    page = tree(site / "runs/made-run/index.html")
    update = next(one for one in page.css("section.part") if "kept and cancelled" in one.css_first("h2").text())
    box = update.css_first(".decline")
    assert box is not None
    assert "no gradient of a single rollout" in box.text()
    assert "lens measure run" in box.css_first(".cmd").text()
    listed = next(one for one in page.css("section.part") if one.css_first("h2").text().startswith("What was declined"))
    assert "Declined: what the update kept and cancelled" not in " ".join(listed.text().split())


def test_a_log_alone_is_read_for_what_it_holds(site: Path) -> None:
    page = site / "runs/made-log"
    assert "Its record holds series by step and no rollouts." in text(page, ".finding")
    assert "What the score was made of" not in headings(page)
    assert "How long the gradient was" in text(page)


def test_what_takes_more_room_has_pages_beside(site: Path) -> None:
    links = {link.attributes["href"] for link in tree(site / "runs/made-run/index.html").css(".more a")}
    made = {f"../../runs/made-run/{part}/index.html" for part in ("another-reward", "series", "readings")}
    assert made <= links | {link.attributes["href"] for link in tree(site / "runs/made-run/index.html").css("p a")}
    assert not (site / "runs/made-run/update").exists()  # no norm was logged, and no gradients were kept
    assert tree(site / "runs/made-run/another-reward/index.html").css_first("figure") is not None
    rows = tree(site / "runs/made-run/readings/index.html").css("tbody tr")
    assert {row.css_first("th a").text() for row in rows} > {"Coverage", "Replay", "Alarms", "Group size"}


def test_published_figures_stand_beside_ours(site: Path) -> None:
    page = tree(site / "runs/made-run/index.html")
    rows = {row.css_first("th").text(): row.css("td") for row in page.css("tbody tr") if len(row.css("td")) == 3}
    assert rows["rollouts"][0].text().startswith("“321”")
    assert rows["rollouts"][1].text() == "320"
    assert rows["rollouts"][2].text() == "counts the line that was cut"
    assert rows["cancels"][1].css_first(".plate, .quiet") is not None
    zero = sum(row["advantage"] == 0 for row in rollouts())
    assert rows["exactly zero"][1].text() == f"{zero} of 320"


def test_alarms_never_stand_without_what_chance_gives(site: Path) -> None:
    cells = [row.css_first('[data-label="alarms"]') for row in tree(site / "runs/index.html").css("tbody tr")]
    assert len(cells) == 2
    assert all(cell.css_first(".plate") or "by chance" in cell.text() for cell in cells)
    told = text(site / "runs/made-run")
    assert "without a change" in told or "without any change" in told


def test_declines_of_runs_have_a_page_of_their_own(site: Path) -> None:
    assert "What declined of runs" in text(site / "declined/runs", "h1")
    assert "no gradient of a single rollout" in text(site / "declined/runs")
    assert tree(site / "declined/index.html").css_first('a[href="../declined/runs/index.html"]') is not None


def test_every_page_of_a_run_fits_its_budget(site: Path) -> None:
    css = (site / "site.css").read_bytes()
    pages = sorted((site / "runs").rglob("*.html"))
    assert len(pages) >= 6
    for path in pages:
        html = path.read_bytes()
        assert len(gzip.compress(html, mtime=0)) + len(gzip.compress(css, mtime=0)) <= 40_000, path
        assert len(html) + len(css) <= 250_000, path


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_pages_of_runs_fit_a_phone_and_please_axe(site: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox"])
        for width, scheme in ((390, "dark"), (1280, "light")):
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
            )
            page = context.new_page()
            for path in sorted((site / "runs").rglob("*.html")):
                page.goto(f"file://{path}")
                assert page.evaluate("document.documentElement.scrollWidth") <= width, path
                found = axe.run(page, options={"runOnly": rules, "resultTypes": ["violations"]}).response["violations"]
                assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found] == [], path
        browser.close()
