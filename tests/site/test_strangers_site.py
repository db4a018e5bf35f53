"""A site of runs that no page was made for: three trainers' formats, small and with gaps, drawn and built whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from lens.reading import Declined
from measure.reviewing import RunRequest, reviewed
from measure.store import Store
from site_builder import figures
from site_builder.build import build
from site_builder.commands import options
from site_builder.lookup import Lookup
from site_builder.svg import drawing

RUNS = {
    "dumps": "runs/verl_style",
    "summaries": "runs/tinker_style",
    "log": "corpora/rasbt_grpo_logs/ch07_02_logs_7_5_plus_kl_metrics.csv",
}
PAGE = "# A stranger's runs\n\nThree of them, on pages of their own.\n"


@pytest.fixture(scope="module")
def measured(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Three runs as their files lie, read by every instrument for runs."""
    root = tmp_path_factory.mktemp("stranger") / "data"
    for name, path in RUNS.items():
        with reviewed(RunRequest(str(shared / "data" / path), name=name, surrogates=20), root, workers=1) as reviewing:
            assert reviewing.run(show=False).failed == {}
    return Store.open(root)


def test_every_figure_of_every_reading_is_drawn_in_both_widths(measured: Store) -> None:
    lookup = Lookup(measured)
    drawn = set()
    for id_ in measured.ids():
        evidence = measured.record(id_).evidence
        if isinstance(evidence.reading, Declined):
            continue
        for name, figure in figures.registry().items():
            if evidence.instrument not in figure.instruments or name == "warning":  # which asks for a labelled series
                continue
            for width in ("wide", "narrow"):
                found = drawing(figure.spec(lookup, id_, width), prefix="p").problems
                assert found == [], (name, id_, width)
            drawn.add(name)
    assert drawn >= {"best-of-n", "policy-response", "run-series", "score-spread", "score-tree"}


def test_its_site_builds_without_a_finding(measured: Store, tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content/index.md").write_text(PAGE)
    build(options(measured.root, tmp_path / "content", tmp_path / "_site"))
    assert {path.name for path in (tmp_path / "_site/runs").iterdir() if path.is_dir()} == set(RUNS)
