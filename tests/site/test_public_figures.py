"""The list of public figures: every one with its source, its state and ours beside it, and none of them ours."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from built_site import laid_out, tree
from selectolax.lexbor import LexborHTMLParser, LexborNode
from site_evidence import MADE, TIDY, version_of

from lens.reading import Declined, Evidence, Label, Measured, Quantity, Quote, Reading, Reported, Subject
from measure.store import Store
from site_builder import printed
from site_builder.build import build, open_site
from site_builder.claims.readback import check
from site_builder.commands import options
from site_builder.context import Options
from site_builder.lookup import Lookup
from site_builder.pages import public_figures

ROOT = Path(__file__).parent.parent.parent
Fields = dict[str, Quantity | Label | Declined]
MODEL = Subject("models", "made-8b", "Made 8B", "as published", "made/8b")
RUN = Subject("runs", "made-run", "A made run", "f0" * 32)


def quoted(subject: Subject, source: str, fields: dict[str, Quote], differs: str = "") -> Evidence:
    reading = Reported(fields, next(iter(fields)), f"{source}, table 3", "table 3", "d4" * 32, "Figures of others.")
    return Evidence("reported", 1, subject, reading, variant=source, varied={"source": source}, differs=differs)


def rho(text: str, note: str = "") -> Quote:
    return Quote(text, "Spearman's rho", "correlation", float(text), None, note)


def read_(name: str, subject: Subject, reading: Reading, *access: str) -> Evidence:
    return Evidence(name, version_of(name, subject.kind), subject, reading, access=access)


def everything() -> list[Evidence]:
    killed = Quote("0 of 60", "mutants", "count", 0, 60, "the first of them in operator order")
    not_run = Declined("not_run", "its weights were not at hand", "lens measure model made/8b --device cuda")
    norm: Fields = {"pre-clip.min": Quantity(0.25329, "gradient norm", "score")}
    share: Fields = {
        f"{name}.median": Quantity(value, "of the lengths", "proportion")
        for name, value in (("cancellation", 0.59), ("orthogonal", 0.55))
    }
    other = Subject("runs", "made-other", "Another made run", "f1" * 32)
    lost = Declined("record_incomplete", "no gradient was kept", "lens measure run RUN --model FOLDER")
    return [
        quoted(
            TIDY, "site", {"mutants-killed": killed, "fields-read-full": Quote("5 of 13", "fields", "count", 5, 13)}
        ),
        quoted(MODEL, "fixtures", {f"faithfulness.{name}": rho(text) for name, text in (("a", "-0.3"), ("b", "0.1"))}),
        quoted(MODEL, "paper", {"faithfulness": rho("-0.4"), "faithfulness-below-zero": Quote("one", "dimensions")}),
        quoted(MODEL, "site", {"faithfulness": rho("-0.10")}, "the paper and the site disagree, and neither says why"),
        quoted(MODEL, "tutorial", {"faithfulness.a": rho("-0.30"), "liked": Quote("much", "of it")}, "it rounds"),
        read_("faithfulness", MODEL, not_run, "grader.record"),
        quoted(RUN, "front", {"cancels": Quote("more than half", "of it"), "clipped-norm-minimum": Quote("0.25", "-")}),
        read_("gradient-norm", RUN, Measured(norm, "pre-clip.min", "made up"), "record.record"),
        read_("update-partition", RUN, lost, "record.record"),
        read_("update-partition", other, Measured(share, "cancellation.median", "made up"), "record.record"),
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, small: Path) -> Path:
    """Made-up figures of a grader, a model and a run, and what stands beside them."""
    here = tmp_path_factory.mktemp("public")
    killed = Store.open(small).record("graders/tidy-equal/kill-matrix").evidence.reading
    assert isinstance(killed, Measured)
    told = Measured(dict(killed.fields), "mutants", "made up")
    store = Store.open(here / "data")
    store.write([(read_("kill-matrix", TIDY, told, "grader.source"), {}, MADE)])
    store.write([(one, {}, MADE) for one in everything()])
    (here / "content").mkdir()
    (here / "content" / "index.md").write_text("# Home\n\nText.\n")
    build(options(here / "data", here / "content", here / "_site"))
    return here / "_site"


def rows(path: Path) -> dict[str, list[str]]:
    found = tree(path / "index.html").css("table.public tbody tr")
    return {_text(row.css_first("th")): [_text(cell) for cell in row.css("td")] for row in found}


def _text(node: LexborNode | None) -> str:
    assert node is not None
    return " ".join(node.text().split())


def test_a_figure_of_a_grader_stands_beside_what_was_measured(site: Path) -> None:
    found = rows(site / "public-figures")
    assert found["mutants killed"] == [
        "“0 of 60” site",
        "measured here",
        "2 of 92 by gold answers",
        "the first of them in operator order",
    ]
    assert found["fields read full"][1:3] == ["measured here", "1 of 1 instruments"]


def test_sources_that_disagree_stand_in_one_row_with_what_is_said_of_it(site: Path) -> None:
    found = rows(site / "public-figures")
    prints, state, ours, why = found["faithfulness Spearman's rho"]
    assert prints == "“-0.4” paper“-0.10” site"
    assert state == "recomputed here, sources disagree"
    assert ours.startswith("−0.100000, the mean of the dimensions as published; ")
    assert why == "the paper and the site disagree, and neither says why"


def test_what_follows_from_a_published_table_is_recomputed(site: Path) -> None:
    found = rows(site / "public-figures")
    assert found["faithfulness below zero dimensions"][1] == "recomputed here"
    assert found["faithfulness below zero dimensions"][2].startswith("1 of 2 of the dimensions as published")


def test_a_figure_nobody_could_measure_is_declined_with_the_command(site: Path) -> None:
    page = tree(site / "public-figures" / "index.html")
    prints, state, ours, _ = rows(site / "public-figures")["faithfulness, by part Spearman's rho"]
    assert prints == "a “-0.3” fixtures “-0.30” tutorialb “0.1” fixtures"  # one number, printed to two lengths
    assert (state, ours) == ("declined here", "not run")
    assert [_text(one) for one in page.css("main .cmd code")][:1] == ["lens measure model made/8b --device cuda"]
    assert rows(site / "public-figures")["liked of it"][1:3] == [
        "reported only",
        "no reading here gives it",
    ]


def test_another_runs_number_is_no_reading_of_this_one(site: Path) -> None:
    found = rows(site / "public-figures")
    assert found["clipped norm minimum"][1:3] == ["recomputed here", "0.253290, before clipping"]
    _, state, ours, _ = found["cancels of it"]
    assert state == "declined here"
    assert ours.endswith("59 % in the median step of another run read here, where unrelated gradients give 55 %")


def test_counts_are_those_of_the_rows(site: Path) -> None:
    told = _text(tree(site / "public-figures" / "index.html").css_first('[aria-label="How they stand"]'))
    assert (
        "In all, 9 figures of 3 subjects, from 5 sources: 2 measured here, 3 recomputed here, 3 declined here, "
        "1 reported only; of 1 the sources disagree." in told
    )
    page = tree(site / "public-figures" / "index.html")
    sections = {_text(one.css_first("h2")): _text(one.css_first("p")) for one in page.css("section.part:has(h2)")[:3]}
    assert sections["Graders"] == "2 figures of 1 subject, from 1 source: 2 measured here."
    assert sections["Runs"] == "2 figures of 1 subject, from 1 source: 1 recomputed here, 1 declined here."
    stamps = page.css('td[data-label="as printed"] [data-ev]')
    assert len({(one.attributes["data-ev"] or "").partition("#")[2] for one in stamps}) == 9


def test_each_source_is_told_once_with_its_place(site: Path) -> None:
    page = tree(site / "public-figures" / "index.html")
    told = [_text(one) for one in page.css("dl.facts > div")]
    assert told == [f"{name}{name}, table 3; table 3" for name in ("fixtures", "front", "paper", "site", "tutorial")]


def test_a_long_list_has_a_page_a_kind(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_site(options(site.parent / "data", site.parent / "content", site.parent / "elsewhere"))
    monkeypatch.setattr(public_figures, "MOST", 8)
    made = {job.path: job.make() for job in public_figures.jobs(opened)}
    assert list(made) == ["public-figures/", "public-figures/models/", "public-figures/runs/"]
    page, body = made["public-figures/runs/"]
    assert page.title == "Public figures of runs"
    assert [_text(one) for one in LexborHTMLParser(body.html).css("h2")] == ["Runs", "Sources"]
    assert '<a href="../../public-figures/models/index.html">models</a>' in body.html


def test_every_page_leads_to_the_list_and_none_where_nothing_was_reported(
    site: Path, place: Callable[..., Options]
) -> None:
    assert all("public-figures/index.html" in page.read_text("utf-8") for page in laid_out(site))
    chosen = place("# Home\n\nText.\n")
    build(chosen)
    assert not (chosen.out / "public-figures").exists()
    assert "public-figures" not in (chosen.out / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("prints", "one"),
    [
        (("-0.171", "-0.170885"), True),
        (("-0.256", "-0.170885"), False),
        (("+0.047", "-0.027"), False),
        (("0.9350", "0.93"), True),
        (("0.9351", "0.93"), False),
        (("64", "65"), False),
    ],
)
def test_prints_of_one_number_may_differ_in_length_alone(prints: tuple[str, str], one: bool) -> None:
    assert printed.meet(*map(rho, prints)) is one


def test_operands_below_zero_are_counted(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    fields: Fields = {
        name: Quantity(value, "rho", "correlation") for name, value in (("a", -0.1), ("b", 0.0), ("c", -2.0))
    }
    store.write([(read_("preference", MODEL, Measured(fields, "a", "made up"), "grader.record"), {}, MADE)])
    lookup = Lookup(store)
    of = ", ".join(f"models/made-8b/preference#{name}" for name in fields)
    assert lookup.cite(f"= negatives({of})").text == "2 of 3"
    assert lookup.cite(f"= negatives({of}) | pct").ascii == "66.7 %"
    assert lookup.cite(f"= 1 - negatives({of})").text == "−1"


G, M, R = "graders/{}/reported~public-site", "models/{}/reported~{}", "runs/{}/reported~{}"
IS_EQUIV, SWE = G.format("math-is-equiv"), G.format("swebench-grading")
GSM8K, SEARCH = G.format("verl-gsm8k"), G.format("verl-search-r1-em")
SKYWORK, ARMO = "skywork-reward-llama-3-1-8b-v0-2", "armorm-llama3-8b-v0-1"
GOLDEN, SITE, TUTORIAL = (M.format(SKYWORK, source) for source in ("golden", "public-site", "public-tutorial"))
PAPER, README = M.format(SKYWORK, "paper-abstract"), M.format(SKYWORK, "public-readme")
LONG, SERIES = R.format("reference-long", "public-front"), R.format("public-series", "public-front")
LISTED = R.format("public-series", "design-list")


def _of(id_: str, *names: str) -> list[str]:
    return [f"{id_}#{name}" for name in names]


ROWS: dict[tuple[str, str], list[str]] = {
    ("score tree", "leaves"): _of(LONG, "leaves"),
    ("score tree", "leaf minimum"): _of(LONG, "leaf-minimum"),
    ("score tree", "leaf maximum"): _of(LONG, "leaf-maximum"),
    ("score tree", "rollouts"): _of(LONG, "rollouts"),
    ("score tree", "abstained"): _of(LONG, "abstained"),
    ("score tree", "leaf values"): _of(LONG, "leaf-values"),
    ("is_equiv", "mutants killed"): _of(IS_EQUIV, "mutants-killed"),
    ("is_equiv", "grader calls"): _of(IS_EQUIV, "grader-calls"),
    ("is_equiv", "metamorphic violations"): _of(IS_EQUIV, "metamorphic-violations"),
    ("is_equiv", "branches never taken"): _of(IS_EQUIV, "branches-never-taken"),
    ("is_equiv", "coverage against random sample"): _of(IS_EQUIV, "coverage", "coverage-random-sample"),
    ("is_equiv", "fields read full / log only"): _of(IS_EQUIV, "fields-read-full", "fields-read-log"),
    ("swebench", "mutants killed"): _of(SWE, "mutants-killed"),
    ("swebench", "fields read full / log only"): _of(SWE, "fields-read-full", "fields-read-log"),
    ("gsm8k", "mutants killed"): _of(GSM8K, "mutants-killed"),
    ("gsm8k", "metamorphic violations"): _of(GSM8K, "metamorphic-violations"),
    ("gsm8k", "fields read full / log only"): _of(GSM8K, "fields-read-full", "fields-read-log"),
    ("search_r1", "mutants killed"): _of(SEARCH, "mutants-killed"),
    ("search_r1", "metamorphic violations"): _of(SEARCH, "metamorphic-violations"),
    ("search_r1", "fields read full / log only"): _of(SEARCH, "fields-read-full", "fields-read-log"),
    ("graders", "grader calls of the other three"): [f"{id_}#grader-calls" for id_ in (SWE, GSM8K, SEARCH)],
    ("skywork v0.2", "mean rank correlation of attribution and patching"): [
        *_of(SITE, "faithfulness"),
        *_of(GOLDEN, "faithfulness"),
    ],
    ("skywork v0.2", "code correctness rank correlation"): [
        *_of(SITE, "faithfulness.code-correctness"),
        *_of(GOLDEN, "faithfulness.code-correctness"),
    ],
    ("skywork v0.2", "helpfulness rank correlation"): _of(TUTORIAL, "faithfulness.helpfulness"),
    ("skywork v0.2", "dimensions below zero"): _of(SITE, "faithfulness-below-zero"),
    ("skywork v0.2", "largest patch movement over pair margin"): _of(SITE, "largest-over-margin"),
    ("skywork v0.2", "attributed / patched components"): _of(SITE, "attributed-components", "patched-components"),
    ("skywork v0.2", "rank correlation in the paper"): [*_of(README, "faithfulness"), *_of(PAPER, "faithfulness")],
    ("skywork v0.2", "reward chosen / rejected / margin"): _of(TUTORIAL, "pair.chosen", "pair.rejected", "pair.margin"),
    ("skywork v0.2", "crystallization layer of the sky-blue pair"): _of(TUTORIAL, "pair.crystallization"),
    ("skywork v0.2", "attribution mlp_L31 / mlp_L30 / mlp_L29"): _of(
        TUTORIAL, "pair.mlp-31", "pair.mlp-30", "pair.mlp-29"
    ),
    ("skywork v0.2", "head_L12_H6 patch effect on safety"): _of(TUTORIAL, "head-12-6.safety"),
    ("skywork v0.2", "head_L0_H29 patch effect on helpfulness"): _of(GOLDEN, "top-head.helpfulness"),
    ("skywork v0.2", "mean crystallization fraction"): _of(M.format(SKYWORK, "getting-started"), "crystallization"),
    ("armorm", "mean rank correlation"): _of(M.format(ARMO, "public-tutorial"), "faithfulness"),
    ("armorm", "mean rank correlation in the paper"): _of(M.format(ARMO, "paper-abstract"), "faithfulness"),
    ("paper", "RewardBench pairs"): [
        f"{M.format(slug, 'paper-abstract')}#rewardbench-pairs" for slug in (SKYWORK, ARMO)
    ],
    ("selection", "advantage minimum / maximum"): _of(LONG, "advantage-minimum", "advantage-maximum"),
    ("selection", "exactly zero"): _of(LONG, "exactly-zero"),
    ("selection", "steps / rollouts a step"): _of(LONG, "steps", "rollouts-a-step"),
    ("update", "clipped gradient norm minimum / maximum"): _of(LONG, "clipped-norm-minimum", "clipped-norm-maximum"),
    ("update", "share of per-rollout gradient mass that cancels"): _of(LONG, "cancels"),
    ("response", "detection floor / prediction / ratio"): _of(LONG, "floor", "prediction", "floor-over-prediction"),
    ("response", "median ratio over six pairs"): _of(LONG, "floor-over-prediction-median"),
    ("response", "budget terms computed / absent"): _of(LONG, "budget-computed", "budget-absent"),
    ("public series", "labelled rollouts"): _of(SERIES, "labelled-rollouts"),
    ("public series", "transition midpoint"): _of(SERIES, "transition-midpoint"),
    ("public series", "ten-to-ninety width"): _of(SERIES, "transition-width"),
    ("public series", "promoted alarm step"): _of(SERIES, "promoted-alarm"),
    ("public series", "promoted alarm on surrogates"): _of(SERIES, "promoted-on-surrogates"),
    ("public series", "level alarm step / surrogates"): _of(SERIES, "level-alarm", "level-on-surrogates"),
    ("public series", "roughly two thirds of surrogates (two signals)"): [
        *_of(SERIES, "two-thirds", "level-on-surrogates"),
        *_of(LISTED, "second-on-surrogates"),
    ],
    ("public series", "detectors drawn"): _of(SERIES, "detectors"),
    ("public series", "gradient-norm peak"): _of(LISTED, "gradient-norm-peak-smoothed", "gradient-norm-peak-raw"),
    ("public series", "step indices"): _of(SERIES, "steps"),
    ("drawing", "draws"): [*_of(LONG, "drawn-score-tree", "drawn-selection", "drawn-update"), *_of(SERIES, "drawn")],
}
"""Every row of the list that the design gives: where the store holds it."""

STATES = {  # what the list asks for -> how the row may stand
    "recompute": {"recomputed here"},
    "measure": {"measured here", "recomputed here"},
    "measure on our own run": {"declined here"},  # this run kept no gradients; a run of ours stands beside it
    "derive": {"recomputed here"},
    "read": {"declined here"},  # read in the authors' table, and not measured
    "not_run": {"declined here"},
    "reported": {"measured here", "recomputed here", "declined here", "reported only"},
}


@pytest.fixture(scope="module")
def listed(shared: Path) -> list[dict[str, str]]:
    path = shared / "design" / "public-figures.csv"
    if not path.is_file():
        pytest.skip("the list of public figures is not beside the checkout")
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lookup, dict[str, str]]:
    """The committed store, and the HTML of its pages of public figures."""
    here = tmp_path_factory.mktemp("published")
    (here / "content").mkdir()
    site = open_site(options(ROOT / "data", here / "content", here / "_site"))
    return site.lookup, {job.path: job.make()[1].html for job in public_figures.jobs(site)}


def _numbers(text: str) -> set[str]:
    return {one.replace(",", "").lstrip("+") for one in re.findall(r"[-+]?\d+(?:[.,]\d+)*(?:e-\d+)?", text)}


def _printed(lookup: Lookup, ref: str) -> set[str]:
    """The digits of a figure as its source printed them; where it printed words, the number they say."""
    quote = lookup.field(*ref.split("#", 1))
    assert isinstance(quote, Quote)
    return _numbers(quote.printed) or _numbers(f"{quote.value or 0:g} of {quote.of}")


@pytest.mark.shared
def test_every_row_of_the_list_is_in_the_store_as_printed(
    listed: list[dict[str, str]], published: tuple[Lookup, dict[str, str]]
) -> None:
    lookup, _ = published
    assert {(row["group"], row["figure"]) for row in listed} == set(ROWS)
    for row in listed:
        refs = ROWS[row["group"], row["figure"]]
        found = set().union(*(_printed(lookup, ref) for ref in refs))
        assert _numbers(row["value"]) <= found, row
    assert lookup.cite(f"{LONG}#cancels").text == "more than half"


@pytest.mark.shared
def test_every_row_of_the_list_stands_on_the_site_in_its_state(
    listed: list[dict[str, str]], published: tuple[Lookup, dict[str, str]]
) -> None:
    _, pages = published
    found: dict[str, LexborNode] = {}
    trees = [LexborHTMLParser(html) for html in pages.values()]
    for line in (line for page in trees for line in page.css("table.public tbody tr")):
        for stamp in line.css('td[data-label="as printed"] [data-ev]'):
            found[stamp.attributes["data-ev"] or ""] = line
    for row in listed:
        asked = row["ours"].partition(":")[0]
        cells = [found[ref] for ref in ROWS[row["group"], row["figure"]]]
        states = [_text(one.css_first('td[data-label="state"]')).partition(",")[0] for one in cells]
        assert set(states) <= STATES["reported"], row
        if row["figure"].startswith("roughly two thirds"):
            states, cells = states[:2], cells[:2]  # the second signal is named by no source
        assert set(states) & STATES[asked], row
        if asked not in ("reported",):
            assert all(one.css_first('td[data-label="ours"] :is([data-ev], [data-said], .plate)') for one in cells), row
        if asked == "not_run":
            assert all(one.css_first('td[data-label="ours"] .plate') for one in cells), row


@pytest.mark.shared
def test_conflicts_of_the_list_are_named(published: tuple[Lookup, dict[str, str]]) -> None:
    lookup, _ = published
    split = {(one.subject, one.name) for one in printed.figures(lookup) if one.disagree}
    assert split == {(f"models/{SKYWORK}", "faithfulness"), (f"models/{ARMO}", "faithfulness")}


def _written(text: str) -> set[str]:
    """Numbers as a text writes them, thousands and all."""
    return set(re.findall(r"(?<![\d.])\d+(?:[.,]\d+)*(?:e-\d+)?", text))


@pytest.mark.shared
def test_what_no_source_text_prints_says_so(shared: Path, published: tuple[Lookup, dict[str, str]]) -> None:
    lookup, _ = published
    text = "".join(path.read_text("utf-8") for path in sorted((shared / "seeds").glob("*.txt")))
    for name in lookup.fields(LISTED):
        assert lookup.cite(f"{LISTED}#{name}").text.rstrip("%") not in _written(text)
        assert "in no source text we have" in lookup.said(f"{LISTED}#{name}@note")


@pytest.mark.shared
def test_committed_figures_of_the_seeds_stand_in_their_text(
    shared: Path, published: tuple[Lookup, dict[str, str]]
) -> None:
    """Digits as the source printed them: every number of a quote is in the text whose digest the record names."""
    from lens.canonical import file_digest

    lookup, _ = published
    texts = {file_digest(path): path.read_text("utf-8") for path in (shared / "seeds").glob("*.txt")}
    checked = 0
    for one in printed.figures(lookup):
        for id_, _, name in (ref.partition("#") for ref in one.refs):
            reading = lookup.record(id_).evidence.reading
            assert isinstance(reading, Reported)
            if text := texts.get(reading.source_digest):
                assert set(_written(reading.fields[name].printed)) <= _written(text), (id_, name)
                checked += 1
    assert checked > 60


@pytest.mark.shared
def test_the_committed_pages_are_backed_and_light(published: tuple[Lookup, dict[str, str]]) -> None:
    lookup, pages = published
    assert list(pages) == ["public-figures/"]
    assert check({path: f"<main>{html}</main>" for path, html in pages.items()}, lookup) == []
    for path, html in pages.items():
        assert len(html.encode()) < 200_000, path
        assert all(len(table.css("tbody tr")) <= 50 for table in LexborHTMLParser(html).css("table")), path
