"""The kill matrix against brute force: every mutant written out as a module of its own and asked every row."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from audits import corpus, fields, planted, value

from lens.graders.audit import Audit
from lens.graders.campaign import design, run
from lens.graders.corpus import Row
from lens.graders.instruments.kill_matrix import kill_matrix
from lens.graders.instruments.survivors import survivors
from lens.graders.mutate import plan, units
from lens.reading import Declined, Quantity, Result

GRADER = """
import functools

UNITS = {"m": clean_unit} if False else {}

def grade(response, gold, strict=True):
    try:
        left, right = clean(response), clean(gold)
    except IndexError:
        return 0
    if strict:
        return same(left, right)
    return left in right

def clean(text):
    text = text.strip().replace(",", "")
    if text[0] == "+":
        text = text[1:]
    for word in ("cm", "m"):
        if text.endswith(word) and len(text) > len(word):
            text = drop(text, word)
            break
    return text

@functools.lru_cache(maxsize=None)
def drop(text, word):
    return text[: -len(word)].rstrip()

def same(left, right):
    if left == right:
        return 1
    try:
        return 1 if abs(float(left) - float(right)) < 1e-9 else 0
    except ValueError:
        print("no number:", left)
        return 0
"""
ANSWERS = {
    "gold": [("7", "7"), ("12", "12"), ("3.5", "3.5"), ("x", "x"), ("1,000", "1,000"), ("7", "7")],
    "labelled": [
        ("7", "7"), (" 7 ", "7"), ("+7", "7"), ("7.0", "7"), ("1000", "1,000"), ("7 cm", "7"), ("7m", "7"), ("8", "7"),
        ("", "7"), ("x", "7"), ("m", "m"), ("-7", "7"), ("70", "7"), ("x", "y"),
    ],
    "fuzz": [("++7", "7"), ("7cmm", "7"), ("cm", "cm"), ("7,", "7")],
}  # fmt: skip


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(GRADER.splitlines(), 1) if text in line)


def rows(pairs: list[tuple[str, str]]) -> list[Row]:
    return [Row(at, response, gold, None, response, gold) for at, (response, gold) in enumerate(pairs)]


def audit_of(folder: Path, source: str = GRADER, **options: Any) -> Audit:
    audit = planted(folder, source, rows(ANSWERS["gold"]), **options)
    audit.corpora = {name: corpus(name, rows(pairs)) for name, pairs in ANSWERS.items()}
    return audit


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    return audit_of(tmp_path_factory.mktemp("kills"))


def verdicts(source: str, pairs: list[tuple[str, str]]) -> list[object]:
    """What a module's `grade` says, exceptions by class."""
    scope: dict[str, Any] = {}
    exec(compile(source, "mutant.py", "exec"), scope)
    scope["print"] = lambda *_: None
    found: list[object] = []
    for pair in pairs:
        try:
            found.append(repr(scope["grade"](*pair)))
        except Exception as error:
            found.append(type(error))
    return found


def by_hand(file: str, name: str, number: int, pairs: list[tuple[str, str]]) -> list[bool]:
    """Which rows tell a mutant apart, the whole module written out again with the change in it."""
    tree = ast.parse(Path(file).read_text())
    node = next(child for child in ast.walk(tree) if isinstance(child, ast.FunctionDef) and child.name == name)
    site = plan.sites(units.Unit(units.Key(file, node.lineno, name), node, ()))[number]
    plain = verdicts(ast.unparse(tree), pairs)
    with site.edit.applied():
        changed = verdicts(ast.unparse(ast.fix_missing_locations(tree)), pairs)
    return [one != other for one, other in zip(plain, changed, strict=True)]


def test_every_kill_is_the_one_found_by_brute_force(audit: Audit) -> None:
    result = kill_matrix(audit)
    assert isinstance(result, Result)
    done = run.campaign(audit)
    assert len(done.met) == done.design.sample.population > 60
    table, checked = result.tables["mutants"], 0
    for at, planned in enumerate(done.mutants[number] for number in table["mutant"]):
        unit = done.observed.plan["units"][planned["unit"]]
        for name, pairs in ANSWERS.items():
            told = by_hand(unit["key"][0], unit["name"], planned["number"], pairs)
            first = table[name][at]
            assert (first >= 0) == any(told), (planned, name)
            assert first < 0 or told[first]
            checked += 1
    assert checked == 3 * len(done.met)


def test_counts_are_always_there_and_the_rate_only_where_the_corpus_can_see(audit: Audit) -> None:
    found = fields(kill_matrix(audit))
    for name in ANSWERS:
        count = found[f"{name}.killed"]
        assert isinstance(count, Quantity)
        assert count.of == value(found["mutants"]) == value(found["sampled"])
        assert count.interval is not None
        assert count.interval.method == "census"
        assert count.interval.low == count.interval.high == count.value / count.of
    gold = found["gold.rate"]
    assert isinstance(gold, Declined)
    assert gold.reason == "corpus_inadequate"
    assert gold.bound == found["gold.killed"]
    labelled = found["labelled.rate"]
    assert isinstance(labelled, Quantity)
    assert labelled.value == value(found["labelled.killed"]) / value(found["mutants"])
    assert value(found["any.killed"]) >= value(found["labelled.killed"]) > value(found["gold.killed"])
    assert value(found["replay-differences"]) == value(found["state-leaks"]) == 0


def test_the_positive_control_kills_every_constant(audit: Audit) -> None:
    result = kill_matrix(audit)
    control = fields(result)["constant-control.killed"]
    assert isinstance(control, Quantity)
    assert (control.value, control.of) == (2, 2)  # 0 and 1
    assert isinstance(result, Result)
    assert sorted(result.tables["controls"]["gold"])[0] == -1  # always 1 is what every gold pair gets


def test_the_adequacy_curve_ends_at_the_count(audit: Audit) -> None:
    result = kill_matrix(audit)
    assert isinstance(result, Result)
    curve = result.tables["adequacy"]
    for name, pairs in ANSWERS.items():
        points = [(r, k) for c, r, k in zip(curve["corpus"], curve["rows"], curve["killed"], strict=True) if c == name]
        assert points == sorted(points)
        assert points[-1] == (len(pairs), value(fields(result)[f"{name}.killed"]))


def test_survivors_fall_into_classes_that_add_up(audit: Audit) -> None:
    result = survivors(audit)
    assert isinstance(result, Result)
    found, table = fields(result), result.tables["survivors"]
    kinds = ("blind-spot", "not-told-apart", "side-effect", "same-bytecode", "unreachable")
    assert sum(value(found[kind]) for kind in kinds) == len(table["mutant"])
    alive = value(found["gold.blind-spot"])
    killed = fields(kill_matrix(audit))
    assert len(table["mutant"]) == value(killed["mutants"]) - value(killed["any.killed"]) + value(
        found["same-bytecode"]
    )
    assert alive >= value(killed["any.killed"]) - value(killed["gold.killed"])
    by_line = dict(zip(zip(table["function"], table["line"], strict=True), table["class"], strict=True))
    assert by_line["grade", line_of("left in right")] == "unreachable"  # ruled out by strict=True
    printed = [kind for kind, name, line in zip(table["class"], table["function"], table["line"], strict=True)
               if (name, line) == ("same", line_of("print("))]  # fmt: skip
    assert set(printed) == {"side-effect"}
    assert "response" not in table
    assert all(
        len(one) == 16 for kind, one in zip(table["class"], table["digest"], strict=True) if kind == "blind-spot"
    )


def test_a_witness_is_an_input_that_really_differs_and_is_shown_only_when_disclosed(tmp_path: Path) -> None:
    audit = audit_of(tmp_path, disclose=True)
    audit.corpora.pop("fuzz")
    result = survivors(audit)
    assert isinstance(result, Result)
    done, table, seen = run.campaign(audit), result.tables["survivors"], 0
    for at, kind in enumerate(table["class"]):
        if kind == "blind-spot":
            planned = done.mutants[table["mutant"][at]]
            unit = done.observed.plan["units"][planned["unit"]]
            pair = (table["response"][at], table["gold"][at])
            assert by_hand(unit["key"][0], unit["name"], planned["number"], [pair]) == [True]
            seen += 1
    assert seen > 0


def test_a_grader_that_depends_on_its_process_declines(tmp_path: Path) -> None:
    source = "import random\ndef grade(response, gold):\n    return random.random() < 0.5\n"
    result = fields(kill_matrix(audit_of(tmp_path, source)))
    declined = result["declined"]
    assert isinstance(declined, Declined)
    assert declined.reason == "assumption_violated"


def test_no_function_of_its_own_is_not_applicable(tmp_path: Path) -> None:
    result = fields(kill_matrix(audit_of(tmp_path, "grade = str.__eq__\n")))
    assert value(result["declined"]) == "not_applicable"


LOOPING = """
import os

def grade(response, gold):
    left = len(response)
    while left > 0:
        left -= 1
    if left != 0:
        os._exit(3)
    return response.strip() == gold
"""


def test_what_hangs_or_ends_the_worker_counts_as_killed_and_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_LEAST", 0.1)
    audit = audit_of(tmp_path, LOOPING)
    audit.corpora = {"gold": audit.corpora["gold"]}
    result = kill_matrix(audit)
    assert isinstance(result, Result)
    table, found = result.tables["mutants"], fields(result)
    ended = {
        (operator, change): (how, first)
        for operator, change, how, first in zip(
            table["operator"], table["change"], table["ended"], table["gold"], strict=True
        )
    }
    assert ended["arithmetic", "Sub to Add"][0] == "timeout"  # `left -= 1`
    assert ended["statement-deletion", "AugAssign deleted"][0] == "timeout"
    assert ended["condition", "always True"][0] == "exit"  # `if left != 0`
    assert ended["comparison", "NotEq to Eq"][0] == "exit"
    assert all(first >= 0 for how, first in ended.values() if how)
    timeouts = found["timeouts"]
    assert isinstance(timeouts, Quantity)
    assert timeouts.value == sum(how == "timeout" for how in table["ended"])


def test_a_mutant_that_leaves_state_behind_is_counted_as_a_leak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
    SEEN = []
    def grade(response, gold):
        if len(response) > 99:
            SEEN.append(1)
        return response.strip() == gold and not SEEN
    """
    monkeypatch.setattr(run, "_AGAIN", 1.0)
    done = run.campaign(audit_of(tmp_path, textwrap.dedent(source)))
    assert done.again > 10
    assert done.leaks > 0  # `if True` fills SEEN, and what comes after it in that worker fails


def test_batches_give_what_one_batch_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    whole = run.campaign(audit_of(tmp_path / "a"))
    monkeypatch.setattr(run, "_MOST", 10)
    asked: list[int] = []

    def counted(function: Callable[[Any], Any], items: Any) -> Any:
        asked.append(len(items))
        return map(function, items)

    split = run.campaign(audit_of(tmp_path / "a", map=counted))
    assert max(asked) > 5
    assert {n: {c: m.first for c, m in each.items()} for n, each in whole.met.items()} == {
        n: {c: m.first for c, m in each.items()} for n, each in split.met.items()
    }


def test_beyond_the_budget_a_stratified_sample_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design, "COMPILING", 10.0)
    monkeypatch.setattr(design, "WANTED", 20)
    audit = audit_of(tmp_path, budget=310.0)
    found = fields(kill_matrix(audit))
    sampled = found["sampled"]
    assert isinstance(sampled, Quantity)
    assert sampled.value == 30
    assert sampled.of == value(found["mutants"]) > 60
    rate = found["labelled.rate"]
    assert isinstance(rate, Quantity)
    assert rate.interval is not None
    assert rate.interval.method == "stratified-bootstrap"
    assert rate.interval.low <= rate.value <= rate.interval.high
    operators = {run.campaign(audit).mutants[number]["operator"] for number in run.campaign(audit).met}
    assert len(operators) > 5


def test_too_dear_for_ten_mutants_declines_with_the_budget_it_would_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(design, "COMPILING", 10.0)
    declined = fields(kill_matrix(audit_of(tmp_path, budget=30.0)))["declined"]
    assert isinstance(declined, Declined)
    assert declined.reason == "budget_exceeded"
    assert "--budget 200" in declined.remedy


def test_the_same_campaign_twice_says_the_same_and_its_batches_can_be_kept(tmp_path: Path) -> None:
    def kept(function: Callable[[Any], Any], items: Any) -> Any:
        for item in items:
            result = function(item)
            again = msgspec.msgpack.decode(msgspec.msgpack.encode(result))
            assert again == result  # plain types: a stopped audit reads its finished batches back
            yield again

    (tmp_path / "a").mkdir()
    first, second = (audit_of(tmp_path / "a", map=kept) for _ in range(2))
    assert kill_matrix(first) == kill_matrix(second)
    assert survivors(first) == survivors(second)
