"""GRPO organisms: the same bits every time, a hack where the grader can be gamed and none where it can't."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("torch", reason="training a policy needs torch: pip install 'evidence-lens[models]'")

import numpy as np

from lens.errors import UsageError
from lens.runs.gradients.grams import square
from lens.runs.opening import find_run, fingerprint_here, open_run
from lens.runs.organism import (
    RECIPES,
    build,
    build_by,
    find_recipe,
    folder_of,
    is_built,
    place_of,
    resolve,
    spec_of,
    task,
)
from lens.runs.organism.record import settings
from lens.runs.organism.training import DDOF, EPSILON, Recipe
from lens.runs.record import Record, open_folder
from lens.runs.review import Review
from lens.runs.series.onset import onsets
from lens.runs.series.signals import series_of

BRIEF = replace(RECIPES["regex"], steps=3, prompts=4, schooling=replace(RECIPES["regex"].schooling, steps=6))


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patched:
        folder = tmp_path_factory.mktemp("cache")
        patched.setenv("EVIDENCE_LENS_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def brief(cache: Path) -> Record:
    return opened(build_by(BRIEF))


def opened(folder: Path) -> Record:
    return open_folder(folder, "organism", "organism")


def test_the_same_recipe_gives_the_same_bits_whatever_the_threads(brief: Record, tmp_path: Path) -> None:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        again = opened(build_by(BRIEF, out=tmp_path / "again"))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert again.header.fingerprint == brief.header.fingerprint
    statement = "SELECT * EXCLUDE (file) FROM rollouts ORDER BY row"
    assert again.sql(statement) == brief.sql(statement)


def test_another_seed_is_another_run_from_the_same_policy(brief: Record, cache: Path, tmp_path: Path) -> None:
    other = opened(build_by(BRIEF, 1, out=tmp_path / "other"))
    assert other.header.fingerprint != brief.header.fingerprint
    assert len(list((cache / "organisms").glob("grpo-policy-*"))) == 1


def test_the_record_holds_what_a_trainer_would_and_more(brief: Record) -> None:
    assert brief.counts == {"rows": 96, "steps": 3, "groups": 12, "first": 0, "last": 2}
    assert brief.header.trained == 96
    assert brief.header.settings == settings(BRIEF)
    assert {"gold", "exploit", "logp", "logp_old", "logp_ref", "entropy", "tokens", "truncated"} <= set(brief.columns)
    assert set(series_of(Review(brief))) >= {"gradient-norm", "kl", "ess", "gold", "exploits", "within-group-variance"}
    (first,) = brief.sql("SELECT max(abs(logp_old - logp_ref)) FROM rollouts WHERE step = 0")[0]
    assert first == 0.0  # it starts from its reference


def test_advantages_are_those_of_its_settings(brief: Record) -> None:
    rows = brief.sql(
        "SELECT reward, advantage, avg(reward) OVER w, stddev_samp(reward) OVER w FROM rollouts WINDOW w AS "
        '(PARTITION BY step, "group")'
    )
    assert DDOF == 1
    for reward, advantage, mean, spread in rows:
        assert advantage == pytest.approx((reward - mean) / (spread + EPSILON), abs=2e-6)


def test_inner_products_sum_to_the_gradient_that_was_taken(brief: Record) -> None:
    step, rows, advantage, gram, term, norm = brief.sql(
        'SELECT step, "row", advantage, gram, term, full_norm FROM grams'
    )[0]
    assert (step, rows) == (0, list(range(32)))
    factors, other = np.array(advantage), np.array(term)
    whole = factors @ square(gram) @ factors + 2 * factors @ other[:-1] + other[-1]
    assert math.sqrt(whole) == pytest.approx(norm, rel=1e-5)


def test_graders_pay_what_they_say() -> None:
    assert [task.GRADERS["clean"](reply, 61) for reply in ("61", "61,60", "", "610")] == [1.0, 0.0, 0.0, 0.0]
    assert [task.GRADERS["regex"](reply, 61) for reply in ("61", "60,61", "610", "6,1")] == [1.0, 1.0, 0.0, 0.0]
    assert task.GRADERS["length"]("61", 61) < task.GRADERS["length"]("61,61,61", 61)
    assert all(len(str(problem.target)) == 2 for problem in task.problems())


def test_a_taught_reply_holds_the_sum_and_sometimes_other_guesses() -> None:
    import random

    draw, every = random.Random(0), task.problems()
    said = [(problem, task.example(draw, problem, 0.3)) for problem in draw.choices(every, k=2000)]
    assert all(task.found(reply, problem.target) for problem, reply in said)
    assert all(len(reply) <= task.LONGEST for _, reply in said)
    lists = sum(task.is_list(reply) for _, reply in said)
    assert 520 < lists < 680


def test_the_gamed_grader_is_hacked_and_the_right_one_is_not() -> None:
    """Shipped recipes at a higher rate, so that a few steps do: gold falls while reward rises, or neither."""
    runs = {name: series_of(Review(opened(build_by(hurried(RECIPES[name]))))) for name in ("length", "clean")}

    def ends(name: str, series: str) -> tuple[float, float]:
        values = runs[name][series].values
        return sum(values[:5]) / 5, sum(values[-5:]) / 5

    reward, gold, lists = (ends("length", series) for series in ("reward", "gold", "exploits"))
    assert reward[1] > reward[0] + 0.08
    assert gold[1] < 0.05 < 0.2 < gold[0]
    assert lists[1] > 0.8
    assert set(onsets(runs["length"])) == {"exploits", "gold"}
    assert runs["clean"]["gold"].values == runs["clean"]["reward"].values
    assert ends("clean", "exploits")[1] < 0.1
    assert onsets(runs["clean"]) == {}


def hurried(recipe: Recipe) -> Recipe:
    schooling = replace(recipe.schooling, steps=240, batch=96)
    return replace(recipe, steps=45, prompts=8, rate=8e-4, gradients=1000, schooling=schooling)


def test_a_spec_names_a_run_and_where_it_lies() -> None:
    assert place_of("organism:grpo-regex") == folder_of(RECIPES["regex"], 0)
    assert place_of("organism:grpo-regex?seed=2") == folder_of(RECIPES["regex"], 2)
    assert place_of("organism:grpo-regex?seed=2") != place_of("organism:grpo-regex")
    assert not is_built("regex")
    with pytest.raises(UsageError, match="no run at"):
        find_run("organism:grpo-regex")  # looking for it doesn't train it
    with pytest.raises(UsageError, match="did you mean regex"):
        find_recipe("regexp")
    for spec in ("organism:grpo-regex?dose=1", "organism:grpo-regex?seed=x"):
        with pytest.raises(UsageError, match="its one option is seed"):
            resolve(spec)


def test_a_built_run_opens_by_its_spec(brief: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECIPES, "brief", BRIEF)
    monkeypatch.setattr("lens.runs.organism.find_recipe", lambda name: BRIEF)
    record = open_run(spec_of("brief"))
    assert (record.name, record.spec) == ("grpo-brief", "organism:grpo-brief")
    assert record.as_input().locator == "run:organism:grpo-brief"
    assert fingerprint_here("organism:grpo-brief") == brief.header.fingerprint == record.header.fingerprint


def test_the_command_lists_builds_and_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from measure.commands.organism import command

    listed = CliRunner().invoke(command, ["--list"]).output
    assert all(f"--grpo {name}" in listed for name in RECIPES)
    monkeypatch.setitem(RECIPES, "regex", BRIEF)
    data = tmp_path / "data"
    done = CliRunner().invoke(command, ["--grpo", "regex", "--data", str(data)])
    assert done.exit_code == 0, done.output
    assert "fields read" in done.output
    assert (data / "evidence/runs/grpo-regex/coverage.json").is_file()
    out = CliRunner().invoke(command, ["--grpo", "regex", "--out", str(tmp_path / "here")])
    assert f"lens measure run {tmp_path / 'here'} --baseline 20" in out.output
    assert opened(tmp_path / "here").counts["rows"] == 96
    assert CliRunner().invoke(command, ["--grpo", "regex", "--dose", "1"]).exit_code == 2


def test_a_run_that_stops_leaves_nothing(cache: Path) -> None:
    def stop(_steps: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build("clean", 9, tick=stop)
    assert not is_built("clean", 9)
    assert not list((cache / "organisms").glob(".new-*"))
