"""Control: every built-in grader answers in the box as it does in a plain process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from lens.graders import corpora
from lens.graders.adapter import adapters
from lens.graders.corpus import Row
from lens.graders.formats import formats
from lens.graders.sandbox.session import Session
from lens.graders.subject import GraderSubject, resolve

ROWS = 60
SHAPES = 3  # the likeliest of a format
PROGRAM = Path(__file__).with_name("plain_process.py")


def in_a_plain_process(subject: GraderSubject, rows: Sequence[Row], folder: Path) -> list[list[object]]:
    asked = {
        "folder": str(subject.paths[0]),
        "module": subject.module_name,
        "function": subject.function_name,
        "call": subject.call_source,
        "call_name": subject.call_name,
        "rows": [[row.response, row.gold, row.columns] for row in rows],
    }
    command = [sys.executable, "-W", "ignore", str(PROGRAM)]
    ran = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    results: list[list[object]] = json.loads(ran.stdout)
    return results


def in_the_box(subject: GraderSubject, rows: Sequence[Row]) -> list[list[object]]:
    with Session(subject) as session:
        outcomes = session.evaluate(rows)
    return [[one.status, one.value if one.status == "value" else one.type] for one in outcomes]


def embedded(answer: str) -> list[Row]:
    """Golds, answers to other golds, other spellings and near misses, in the likeliest shapes."""
    names = ["gold", "crossed", "variants", "near-misses"]
    if answer == "ifeval-language":
        names.remove("near-misses")  # on mixed texts the detector draws lots, from a generator of its own
    shapes = formats()[answer].candidates[:SHAPES]
    made = [corpora.default(formats()[answer], shape, limit=20) for shape in shapes]
    picked = [one[name] for one in made for name in names if name in one]
    return [row for corpus in picked for row in corpus.spread(ROWS // len(picked))]


@pytest.mark.parametrize("slug", adapters())
def test_every_built_in_grader_answers_as_outside(slug: str, tmp_path: Path) -> None:
    subject = resolve(slug)
    rows = embedded(subject.adapter.answer)
    results = in_the_box(subject, rows)
    assert results == in_a_plain_process(subject, rows, tmp_path)
    assert len({repr(one) for one in results}) > 1


NUMBERS = ["42", "-42", "1,234", "1234", "0.5", "3.0", "3", "$18", "18", "18.", "", "x", "4 2", "٣", "inf"]
FRAMES = ["#### {}", "so #### {} apples", "####{}", "the answer is {}", "#### 7\n#### {}", "#### {}" + "." * 320]
LATEX = [r"\frac{1}{2}", r"\frac12", "0.5", "1/2", r"\dfrac{1}{2}", "2", "2.0", r"x+1", r"1+x", r"\sqrt{4}"]
LATEX += ["50\\%", r"\{1,2\}", r"(1,2)", r"10^{-1}", r"\text{yes}", "90^\\circ"]
PAIRS = {
    "verl-gsm8k": [(frame.format(n), gold) for frame, n, gold in product(FRAMES, NUMBERS, NUMBERS[:6])],
    "math-is-equiv": [*product(LATEX, LATEX), (None, None)],
    "math-verify": [(f"${left}$", f"${right}$") for left, right in product(LATEX, LATEX)],
}


@pytest.mark.parametrize("slug", PAIRS)
def test_the_most_used_answer_as_outside_on_all_pairs(slug: str, tmp_path: Path) -> None:
    subject = resolve(slug)
    rows = [Row(number, response, gold) for number, (response, gold) in enumerate(PAIRS[slug])]
    results = in_the_box(subject, rows)
    assert results == in_a_plain_process(subject, rows, tmp_path)
    assert {status for status, _ in results} == {"value"}
    assert 16 < sum(bool(value) for _, value in results) < len(rows) / 2
