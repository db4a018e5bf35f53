"""Branch arcs: the same ones coverage.py sees, and the figures published for the two graders they were measured on."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from audits import answered, corpus, fields, planted, value

from lens.access import Access
from lens.graders.audit import Audit
from lens.graders.campaign.arcs import Branches
from lens.graders.corpus import Row
from lens.graders.instruments.branch_coverage import branch_coverage
from lens.graders.instruments.kill_matrix import kill_matrix
from lens.graders.mutate.tracer import Tracer
from lens.graders.subject import resolve
from lens.reading import Declined, Quantity, Result

EVERYTHING = """
from contextlib import contextmanager

def grade(response, gold):
    total = 0
    for word in words(response):
        if not word:
            continue
        try:
            total += int(word)
        except ValueError:
            total -= 1
        finally:
            total += 0
    else:
        total += 2
    while total > 9:
        total -= 3
        if total == 11: break
    with held(total) as kept:
        if (
            kept > 3
            and gold
        ):
            total = sum(one for one in range(kept) if one % 2)
    match response[:1]:
        case "a":
            total += 5
        case "b" | "c":
            total += 6
        case _:
            pass
    def inner(x):
        if x: return 1
    return total + (inner(gold) or 0)

def words(text):
    for word in text.split(","):
        yield word.strip()
        if word == "stop":
            return

@contextmanager
def held(value):
    try:
        yield value
    finally:
        if value > 5:
            value = 0

def raises(response, gold):
    for letter in response:
        if letter == gold[0]:
            return 1
"""
CALLS = [("1,2,x,,7", "g"), ("stop,4", ""), ("b30", "7"), ("30,9,9", "1"), ("c", ""), ("a", "x")]


def load(path: Path, name: str) -> ModuleType:
    path.write_text(textwrap.dedent(EVERYTHING))
    module = ModuleType(name)
    exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
    return module


def call(module: ModuleType) -> None:
    for response, gold in CALLS:
        module.grade(response, gold)
    with pytest.raises(IndexError):
        module.raises("abc", "")  # leaves by an exception: no arc


def test_followed_arcs_are_those_of_coverage(tmp_path: Path) -> None:
    import coverage

    path = tmp_path / "everything.py"
    module = load(path, "everything")
    tracer = Tracer(lambda file: file == str(path))
    before = sys.gettrace()
    with tracer:
        call(module)
    sys.settrace(before)

    theirs = coverage.Coverage(branch=True, data_file=None, config_file=False, include=[str(path)])
    theirs.start()
    try:
        call(module)
    finally:
        theirs.stop()
    analysis = theirs._analyze(str(path))
    wanted = {(line, target) for line, targets in analysis.executed_branch_arcs().items() for target in targets}
    possible = wanted | {(line, t) for line, targets in analysis.missing_branch_arcs().items() for t in targets}

    length = len(path.read_text().splitlines())
    unit = {"key": [str(path), 1, "all"], "name": "all", "lines": [1, length], "dead": [], "forced": []}
    branches = Branches({"units": [unit]})
    assert {arc[1:] for arc in branches.all} == possible
    assert {arc[1:] for arc in branches.taken(tracer.arcs)} == wanted
    assert len(wanted) > 15
    assert len(possible) > len(wanted)


def test_a_constant_argument_rules_arcs_out(tmp_path: Path) -> None:
    source = """
    def grade(response, gold, mode="strict", verbose=False):
        if verbose:
            print(response)
        if mode == "strict":
            if response == gold:
                return 1
        elif mode == "loose":
            if response in gold:
                return 1
        return 0
    """
    audit = planted(tmp_path, source, answered(["7", "8"]))
    found = fields(branch_coverage(audit))
    # reachable: `verbose` only false, `mode == "strict"` only true, both ways out of `response == gold`
    assert value(found["any-call"]) == 10
    taken = found["gold.taken"]
    assert isinstance(taken, Quantity)
    assert (taken.value, taken.of) == (3, 4)


def test_the_pool_is_drawn_from_outside_the_corpus_and_declines_where_too_small(tmp_path: Path) -> None:
    source = "def grade(response, gold):\n    if response == gold:\n        return 1\n    return 0\n"
    audit = planted(tmp_path, source, answered([str(n) for n in range(4)]))
    wrong = [Row(n, f"no {n}", str(n)) for n in range(40)]
    audit.corpora["labelled"] = corpus("labelled", [*audit.corpora["gold"].rows, *wrong])
    found = fields(branch_coverage(audit))
    # gold takes one way out; as many rows from elsewhere, never its own, take the other one
    assert [value(found[f"gold.{field}"]) for field in ("taken", "pool-low", "pool-high")] == [1, 1, 1]
    assert value(found["labelled.taken"]) == 2
    assert isinstance(found["labelled.pool-low"], Declined)
    assert value(found["labelled.pool-low"]) == "no_control"


def test_tables_name_arcs_and_lines_and_hold_no_source(tmp_path: Path) -> None:
    source = "def grade(response, gold):\n    if response == gold:\n        return 1\n    return 0\n"
    result = branch_coverage(planted(tmp_path, source, answered(["7"])))
    assert isinstance(result, Result)
    assert result.tables["arcs"] == {
        "file": ["planted.py", "planted.py"],
        "function": ["grade", "grade"],
        "from": [2, 2],
        "to": [3, 4],
        "gold": [True, False],
    }
    lines = result.tables["lines"]
    assert dict(zip(lines["line"], lines["gold"], strict=True)) == {1: 0, 2: 1, 3: 1, 4: 0}


def gold_audit(spec: str, rows: list[Row]) -> Audit:
    return Audit(resolve(spec), {"gold": corpus("gold", rows)}, Access.parse("grader.source gold.record"))


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.shared
def test_golds_take_most_branches_of_is_equiv_and_kill_almost_nothing(shared: Path) -> None:
    golds = [row["answer"] for row in read(shared / "data/graders/math500_llmeval.jsonl")][:240]
    audit = gold_audit("math-is-equiv", answered(golds))
    found = fields(branch_coverage(audit))
    taken = found["gold.taken"]
    assert isinstance(taken, Quantity)
    assert (taken.value, taken.of) == (28, 37)  # and one more that `verbose=False` rules out
    assert value(found["any-call"]) == 38
    killed = fields(kill_matrix(audit))["gold.killed"]
    assert isinstance(killed, Quantity)
    assert killed.of is not None
    assert killed.value <= 0.03 * killed.of
    assert killed.of > 350


@pytest.mark.shared
def test_gsm8k_strict_has_nine_arcs_of_the_eighteen_in_its_file(shared: Path) -> None:
    golds = [row["answer"].split("####")[1].strip() for row in read(shared / "data/graders/gsm8k_test.jsonl")][:240]
    found = fields(branch_coverage(gold_audit("verl-gsm8k", answered(golds, "#### {}"))))
    taken = found["gold.taken"]
    assert isinstance(taken, Quantity)
    assert taken.of == 9
    assert value(found["any-call"]) == 18
