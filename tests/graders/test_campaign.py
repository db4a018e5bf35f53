"""Sampling mutants, the intervals over them, and inputs made to tell survivors apart."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from audits import answered, planted

from lens.graders.campaign import design, estimate, observe, run, sample, witness
from lens.graders.campaign.files import short
from lens.graders.corpus import Row

POPULATION: list[dict[str, Any]] = [
    {"operator": operator, "unit": unit}
    for operator, count in (("string", 120), ("constant", 60), ("loop", 6), ("slice", 3))
    for unit in range(3)
    for _ in range(count // 3)
]


def test_a_sample_is_seeded_stratified_and_no_prefix() -> None:
    drawn = sample.draw(POPULATION, 60, seed=1)
    assert drawn.size == 60
    assert drawn.population == len(POPULATION)
    assert drawn.drawn == sample.draw(POPULATION, 60, seed=1).drawn
    assert drawn.drawn != sample.draw(POPULATION, 60, seed=2).drawn
    assert drawn.drawn != list(range(60))
    by_operator = Counter(POPULATION[number]["operator"] for number in drawn.drawn)
    assert abs(by_operator["string"] - 60 * 120 / 189) <= 2
    assert abs(by_operator["constant"] - 60 * 60 / 189) <= 2
    by_place = Counter((POPULATION[number]["operator"], POPULATION[number]["unit"]) for number in drawn.drawn)
    assert all(abs(by_place["string", unit] - 60 * 40 / 189) <= 1 for unit in range(3))
    assert sorted(number for stratum in drawn.strata for number in stratum.members) == list(range(len(POPULATION)))
    assert all(len(stratum.drawn) >= 2 for stratum in drawn.strata)


def test_everything_is_a_census() -> None:
    drawn = sample.draw(POPULATION, 10_000, seed=1)
    assert drawn.census
    assert drawn.drawn == list(range(len(POPULATION)))
    exact = estimate.interval(drawn, lambda number: number % 2 == 0, seed=1)
    assert (exact.low, exact.high, exact.method) == (95 / 189, 95 / 189, "census")


def test_sizes_step_down_so_that_a_slower_machine_agrees() -> None:
    assert [sample.round_down(size) for size in (9.9, 10, 149.9, 150, 699, 7001)] == [0, 10, 100, 150, 500, 7000]


def test_the_interval_holds_the_true_share_about_as_often_as_it_says() -> None:
    def killed(number: int) -> bool:
        return number % 3 == 0 if POPULATION[number]["operator"] == "string" else number % 5 != 0

    truth = sum(map(killed, range(len(POPULATION)))) / len(POPULATION)
    held, means = 0, 0.0
    for seed in range(300):
        drawn = sample.draw(POPULATION, 70, seed=seed)
        found = estimate.interval(drawn, killed, seed=seed)
        held += found.low <= truth <= found.high
        means += estimate.rate(drawn, killed) / 300
    assert 0.90 <= held / 300 <= 0.99
    assert means == pytest.approx(truth, abs=0.01)


def test_a_sample_that_agrees_throughout_still_has_width() -> None:
    drawn = sample.draw(POPULATION, 60, seed=1)
    nothing = estimate.interval(drawn, lambda _: False, seed=1)
    assert nothing.low == 0.0
    assert 0.0 < nothing.high < 0.06  # less than 60 of infinitely many would leave
    assert nothing.method == "wilson"


def test_witnesses_are_new_distinct_and_seeded() -> None:
    bases = [Row(at, f"#### {gold}", gold, True) for at, gold in enumerate(("12", "3.5", "x"))]
    made = witness.rows(bases, ["####", "\\frac", "$"], seed=3, count=200)
    texts = {(row.response, row.gold) for row in made}
    assert len(texts) == len(made) == 200
    assert not texts & {(row.response, row.gold) for row in bases}
    assert made == witness.rows(bases, ["####", "\\frac", "$"], seed=3, count=200)
    assert sum("\\frac" in row.response for row in made) > 20
    assert {row.gold for row in made} - {"12", "3.5", "x"}
    assert witness.rows([Row(0, ["a list"], 1)], ["x"], seed=1, count=5) == []  # type: ignore[arg-type]


def test_tokens_are_the_short_texts_of_reached_functions_in_source_order(tmp_path: Path) -> None:
    path = tmp_path / "grader.py"
    path.write_text(f"A = 'out'\ndef f(x):\n    return x.replace('tfrac', 'frac').strip('{'y' * 40}')\n")
    plan = {"units": [{"key": [str(path), 2, "f"], "lines": [2, 3]}]}
    assert witness.tokens(plan) == ["tfrac", "frac"]


def test_rows_shared_by_corpora_are_asked_once_and_orders_keep_them_all(tmp_path: Path) -> None:
    audit = planted(tmp_path, "def grade(response, gold):\n    return response == gold\n", answered(["1", "2", "1"]))
    audit.corpora["crossed"] = audit.corpora["gold"]
    found = observe.observe(audit)
    assert len(found.rows) == len(found.outcomes) == 2
    assert {name: len(order) for name, order in found.orders.items()} == {"gold": 3, "crossed": 3}
    assert set(found.numbers["gold"].values()) == {0, 1}
    assert [outcome.value for outcome in found.outcomes] == [True, True]
    assert short(audit.subject, found.plan["units"][0]["key"][0]) == "planted.py"


def test_a_call_that_ends_its_worker_is_left_out_of_what_mutants_meet(tmp_path: Path) -> None:
    source = """
    import os
    def grade(response, gold):
        if response == "2":
            os._exit(1)
        return response == gold
    """
    audit = planted(tmp_path, source, answered(["1", "2", "3"]))
    found = observe.observe(audit)
    ended = [row.response for row, outcome in zip(found.rows, found.outcomes, strict=True) if outcome.status == "exit"]
    assert ended == ["2"]
    made = design.design(audit, found)
    assert sorted(found.rows[row].response for row in made.orders["gold"]) == ["1", "3"]
    assert made.sample.census


def test_a_call_that_forks_is_asked_of_every_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_PATIENCE", 0.5)  # mutants that wait for a child that isn't there
    source = """
    import os
    def grade(response, gold):
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.write(write, b"1" if inside(response, gold) else b"0")
            os._exit(0)
        os.waitpid(pid, 0)
        return os.read(read, 1) == b"1"
    def inside(response, gold):
        return response.strip() == gold
    """
    audit = planted(tmp_path, source, [Row(0, " 7", "7"), Row(1, "8", "7")])
    found = observe.observe(audit)
    assert found.whole == {0, 1}
    done = run.campaign(audit)
    names = {number: done.observed.plan["units"][one["unit"]]["name"] for number, one in enumerate(done.mutants)}
    inside = [number for number, name in names.items() if name == "inside"]
    assert inside
    assert any(done.kills(number, "gold") for number in inside)
