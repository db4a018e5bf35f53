"""Write the same 200 pages for `lens build`, MkDocs-Material and Zensical: prose with numbers, a table, a chart each.

Ours look every number up in a store made here; the peers get the same numbers as literals, the same table in
Markdown, and the chart that ours draws as an SVG file. Ten sections of twenty pages; a record a section, a chart a
page.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from lens.reading import Evidence, Input, Measured, Subject
from lens.stats.intervals import share
from measure.store import Made, Store
from site_builder import figures
from site_builder.lookup import Lookup

SECTIONS = "abcdefghij"
PAGES = "abcdefghijklmnopqrst"
WRONG = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
RIGHT = ("iota", "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon")
FIELDS = [*(f"accept.{name}" for name in WRONG), *(f"reject.{name}" for name in RIGHT)]
CHARTS = [
    *({"side": "accept", "limit": str(most + 1)} for most in range(len(WRONG))),
    *({"side": "reject", "limit": str(most + 1)} for most in range(len(RIGHT))),
]
SENTENCES = (
    "Of answers spelled the {} way it pays {}, which is {} of those that were tried here on one machine.",
    "The grader was called on each row of the corpus, and the {} form came back as right {} times, {} of all rows.",
    "A reader who only sees the score cannot tell the {} answers from right ones: {} were paid, {} of them.",
    "Nothing in the *source* looks at the {} part, so it pays {}; that is **{}** of the rows, and no test noticed.",
    "Two of the tests that ship with it touch the {} branch, yet {} of its wrong answers were paid, {} in all.",
)
KINDS = {"accept": "wrong, and paid like a right answer", "reject": "right, and refused like a wrong one"}
HOME = "# What a score is paid for\n\nA page for each form of answer, and a chart on each page.\n"
Print = Callable[[str, str], str]  # field, format -> what stands in the Markdown


def main(root: Path) -> None:
    data, content = root / "ours" / "data", root / "ours" / "content"
    docs = [root / peer / "docs" for peer in ("mkdocs-material", "zensical")]
    ids = _store(data)
    lookup = Lookup(Store.open(data))
    for section, id_ in zip(SECTIONS, ids, strict=True):
        for at, (page, chart) in enumerate(zip(PAGES, CHARTS, strict=True)):
            name = f"{section}/{section}{page}"
            options = " ".join(f"{key}={value}" for key, value in chart.items())
            fence = f"```{{figure}} accept-reject {id_} {options}\n```"
            _put(content / f"{name}.md", _page(at, name, partial(_role, id_), fence))
            drawn = figures.render("accept-reject", lookup, id_, **chart)
            text = _page(at, name, partial(_literal, lookup, id_), f"![{drawn.title}]({section}{page}.svg)")
            for folder in docs:
                _put(folder / f"{name}.md", text)
                _put(folder / f"{name}.svg", drawn.drawings[0][1].svg)
    for folder in (content, *docs):
        _put(folder / "index.md", HOME)
    _put(content / "site.toml", 'title = "Bench"\n')


def _store(root: Path) -> list[str]:
    rng = random.Random(0)
    batch = []
    for section in SECTIONS:
        fields = {name: share(rng.randrange(100), 100, "rows") for name in FIELDS}
        subject = Subject("project", f"grader-{section}", f"Grader {section}", "a" * 64)
        reading = Measured(fields, FIELDS[0], "a corpus made for the bench")
        evidence = Evidence("variants", 1, subject, reading, inputs=(Input("gold", "toy", "b" * 64),))
        batch.append((evidence, {}, Made("2026-01-01T00:00:00+00:00", 1.0)))
    return Store.open(root).write(batch)


def _role(id_: str, field: str, fmt: str) -> str:
    return f"{{ev}}`{id_}#{field}{'|' * bool(fmt)}{fmt}`"


def _literal(lookup: Lookup, id_: str, field: str, fmt: str) -> str:
    return lookup.cite(f"{id_}#{field}|{fmt}").text


def _page(at: int, name: str, show: Print, chart: str) -> str:
    told = [WRONG[(at + step) % len(WRONG)] for step in range(len(SENTENCES))]
    prose = [
        text.format(one, show(f"accept.{one}", "count"), show(f"accept.{one}", "pct"))
        for text, one in zip(SENTENCES, told, strict=True)
    ]
    rows = "\n".join(
        f"| {field.partition('.')[2]} | {show(field, '')} | {KINDS[field.partition('.')[0]]} |" for field in FIELDS
    )
    return (
        f"# Form {name.rpartition('/')[2]}\n\n{' '.join(prose[:3])}\n\n{' '.join(prose[3:])}\n\n## Every form\n\n"
        f"| form | how many | what it is |\n|---|---|---|\n{rows}\n\n## The worst\n\n{chart}\n"
    )


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
