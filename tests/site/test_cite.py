"""Citing one number: a BibTeX entry that LaTeX can set, with the permalink and the digest of the record."""

from __future__ import annotations

from collections.abc import Callable

from built_site import KILL, tree

from measure.store import Store
from site_builder.build import build
from site_builder.cite import bibtex
from site_builder.context import Options, Words


def test_an_evidence_page_says_how_to_cite_its_number(place: Callable[..., Options]) -> None:
    options = place()
    build(options)
    page = tree(options.out / "evidence" / KILL / "index.html")
    entry = page.css_first("pre.bib")
    assert entry is not None
    digest = Store.open(options.data).record(KILL).digest
    lines = entry.text().splitlines()
    assert lines[0] == f"@misc{{graders-tidy-equal-kill-matrix-{digest[:8]},"
    assert lines[-1] == "}"
    assert f"/evidence/{KILL}/}}}}" in lines[4]
    assert rf"\texttt{{{digest[:16]}}}" in lines[5]


def test_special_characters_are_set_and_not_obeyed(place: Callable[..., Options]) -> None:
    options = place()
    record = Store.open(options.data).record(KILL)
    entry = bibtex(Words(title="A & B_c"), record, "50 % of {x}^2", "gold.killed")
    assert r"title = {50 \% of \{x\}\textasciicircum{}2}" in entry
    assert r"author = {{A \& B\_c}}" in entry
    assert entry.count("{") - entry.count(r"\{") == entry.count("}") - entry.count(r"\}")


def test_a_page_of_ones_own_can_show_how_to_cite_it(place: Callable[..., Options]) -> None:
    options = place(f"# Home\n\n```{{bibtex}}\n```\n\n```{{bibtex}} {KILL}\n```\n")
    build(options)
    whole, one = (entry.text() for entry in tree(options.out / "index.html").css("pre.bib"))
    assert whole.splitlines()[0] == "@misc{evidence-lens,"
    assert r"howpublished = {\url{http://localhost:8000/}}" in whole
    assert one == tree(options.out / "evidence" / KILL / "index.html").css_first("pre.bib").text()
