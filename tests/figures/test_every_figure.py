"""What holds for every figure at both widths."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from figure_cases import CASES

from measure.store import Store
from site_builder import figures
from site_builder.lookup import Lookup
from site_builder.svg import drawing
from site_builder.svg.markup import naked
from site_builder.svg.palette import LIGHT
from site_builder.svg.ticks import wrong

SVG = "{http://www.w3.org/2000/svg}"
every = pytest.mark.parametrize("case", CASES)
both = pytest.mark.parametrize("width", ["wide", "narrow"])


def spec(lookup: Lookup, case: str, width: str) -> figures.FigureHtml:
    name, id_, options = CASES[case]
    return figures.find(name).spec(lookup, id_, width, **options)


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def test_every_figure_has_a_case() -> None:
    assert {name for name, _, _ in CASES.values()} == set(figures.registry())
    assert all(name == one.name for name, one in figures.registry().items())  # each is found by its file's name


@every
@both
def test_plotly_takes_the_spec(lookup: Lookup, case: str, width: str) -> None:
    import plotly.graph_objects as go

    made = spec(lookup, case, width)
    figure = go.Figure(made)
    assert len(figure.data) == len(made["data"])
    assert figure.layout.meta["title"] == made["layout"]["meta"]["title"]
    assert made["layout"]["width"] <= (1120 if width == "wide" else 350)


@every
@both
def test_extras_stand_only_in_the_layouts_meta(lookup: Lookup, case: str, width: str) -> None:
    made = spec(lookup, case, width)
    assert set(made) == {"data", "layout"}
    assert not [trace for trace in made["data"] if "meta" in trace]
    assert set(made["layout"]["meta"]) >= {"title", "desc", "caption", "source", "cites", "table", "units"}


@every
@both
def test_nothing_overlaps_or_leaves_the_drawing(lookup: Lookup, case: str, width: str) -> None:
    assert drawing(spec(lookup, case, width), prefix="p").problems == []


@every
@both
def test_every_digit_has_evidence_or_is_a_tick(lookup: Lookup, case: str, width: str) -> None:
    root = tree(drawing(spec(lookup, case, width), prefix="p").svg)
    parents = {child: parent for parent in root.iter() for child in parent}
    cited = 0
    for element in root.iter():
        own = (element.text or "") + "".join(child.tail or "" for child in element)
        if element.tag == f"{SVG}tspan" and (ref := element.get("data-ev")):
            assert own == lookup.cite(ref).text
            cited += 1
        elif element.tag == f"{SVG}tspan" and (ref := element.get("data-said")):
            assert own == lookup.said(ref)
        elif parents.get(element) is not None and parents[element].get("class", "").startswith("tick"):
            axis = parents[element].get("data-axis", "")
            at = float(element.get("x" if axis.startswith("x") else "y", "nan"))
            assert wrong(root.get("data-scale", ""), axis, at, "".join(element.itertext())) == ""
        else:
            assert naked(own) == "", own
    assert cited or case in ("coverage-lines", "response-schematic")  # neither prints a number


@every
@both
def test_the_drawing_is_titled_unstyled_and_repeats(lookup: Lookup, case: str, width: str) -> None:
    made = spec(lookup, case, width)
    first = drawing(made, prefix="p").svg
    assert first == drawing(json.loads(json.dumps(made)), prefix="p").svg
    root = tree(first)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == made["layout"]["meta"]["title"]
    assert desc is not None
    assert desc.text
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert "style=" not in first
    assert "#" not in re.sub(r'url\(#|data-[a-z]+="[^"]*"', "", first)
    assert len(set(re.findall(r' id="([^"]*)"', first))) == first.count(' id="')


@every
def test_html_holds_the_title_the_drawings_the_table_and_the_files(lookup: Lookup, case: str) -> None:
    name, id_, options = CASES[case]
    made = figures.render(name, lookup, id_, root="../../", **options)
    assert made.html.count("<svg ") == (1 if figures.find(name).one_width else 2)
    assert f'aria-labelledby="{re.search(r"figure. id=.([^" + chr(34) + "]*)", made.html)[1]}-title"' in made.html  # type: ignore[index]
    assert made.table_html in made.html
    assert "<thead>" in made.table_html
    for path in made.files:
        assert f'href="../../{path}"' in made.html
    assert json.loads(made.spec_json) == json.loads(json.dumps(made.spec))
    assert f'href="../../{made.csv}"' in made.html
    if text := made.files.get(made.csv):
        rows = list(csv.reader(io.StringIO(text)))
        assert len(rows) > 1
        assert len({len(row) for row in rows}) == 1
        assert "−" not in text
        assert "\u202f" not in text
    else:
        assert made.csv in (f"data/{made.id}.csv", "data/fields.csv")


def test_colours_of_a_spec_are_the_palettes(lookup: Lookup) -> None:
    found = set()
    for case in CASES:
        found |= set(re.findall(r"#[0-9a-f]{6}\b", json.dumps([spec(lookup, case, "wide")["data"]])))
    assert found <= set(LIGHT.values())


def test_every_class_of_a_drawing_is_in_the_stylesheet(lookup: Lookup) -> None:
    css = (Path(__file__).parents[2] / "templates" / "figures.css").read_text("utf-8")
    used: set[str] = set()
    for case in CASES:
        for value in re.findall(r'class="([^"]*)"', drawing(spec(lookup, case, "wide"), prefix="p").svg):
            used |= set(value.split())
    assert {name for name in used if f".{name}" not in css} == {"name", "tick"}


def test_squares_of_one_state_are_one_path(lookup: Lookup) -> None:
    svg = drawing(spec(lookup, "kill-matrix", "wide"), prefix="p").svg
    assert svg.count("stroke-dasharray") == 7 + 3  # a panel's filled squares, and the outline of a declined strip
    assert svg.count("url(#p-cell6)") == 7


def test_a_figure_loads_none_of_the_heavy_libraries(store: Store, tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from measure.store import Store
from site_builder import figures
from site_builder.lookup import Lookup
import json
tables = json.loads(Path({str(tmp_path / "t.json")!r}).read_text())
lookup = Lookup(Store.open(Path({str(store.root)!r})), lambda id_, name: tables)
figures.render("kill-matrix", lookup, "graders/toy/kill-matrix")
print([name for name in ("numpy", "pyarrow", "plotly", "scipy", "duckdb") if name in sys.modules])
"""
    columns = store.table("graders/toy/kill-matrix", "mutants").to_pydict()
    (tmp_path / "t.json").write_text(json.dumps(columns))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
