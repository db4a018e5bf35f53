"""Prices of a model's instruments against what they then cost, both from the command line in processes of their own,
in CPU seconds, which other work on the machine leaves alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, NamedTuple

import pytest

from lens.models.organisms import build
from measure.store import Store

SMALL = 0.35  # CPU seconds under which a price is only asked to be small as well
SOME = "native-parity,preference,reward-lens,patching,attribution-patching,path-patching,concepts,steering"
ASKED = ("--pairs", "pairs.jsonl", "--sample", "20", "--controls", "2")


class Priced(NamedTuple):
    """By instrument: (CPU seconds, forwards) as foretold and as spent."""

    foretold: dict[str, tuple[float, int]]
    spent: dict[str, tuple[float, int]]


@pytest.fixture(scope="module", params=["organism:spurious", "model"])
def priced(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Priced:
    """A hand-set organism's whole card, and some of a network's with the trained ones' size and longer texts."""
    folder = tmp_path_factory.mktemp("prices")
    environment = os.environ | {"EVIDENCE_LENS_CACHE": str(folder / "cache")}
    rows = (build("spurious", out=folder / "spurious") / "pairs.jsonl").read_text().splitlines()
    (folder / "pairs.jsonl").write_text("\n".join(row for at, row in enumerate(rows) if at % 3 == 0) + "\n")
    if request.param == "model":
        from tests.models import tiny

        sizes = {"hidden_size": 128, "intermediate_size": 341, "num_hidden_layers": 6}
        tiny.build(folder / "model", "llama", template=False, **sizes)

    def lens(*words: str) -> str:
        command = [sys.executable, "-c", "from measure.cli import main; main()", *words]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    told: dict[str, Any] = json.loads(lens("capabilities", request.param, *ASKED, "--json"))
    some = ("--instruments", SOME) if request.param == "model" else ()
    lens("measure", "model", request.param, *ASKED, *some, "--workers", "1")
    store = Store.open(folder / "data")
    made = {store.record(id).evidence.instrument: store.record(id).made for id in store.ids()}
    foretold = {
        one["name"]: (one["cpu_seconds"], one["calls"])
        for one in told["fields"]
        if one["reads"] and one["name"] in made
    }
    return Priced(foretold, {name: (one.cpu_seconds, one.calls) for name, one in made.items()})


def test_each_price_is_within_a_factor_of_three(priced: Priced) -> None:
    off = {
        name: (price, priced.spent[name][0])
        for name, (price, _) in priced.foretold.items()
        if max(price, priced.spent[name][0]) > SMALL
        and not priced.spent[name][0] / 3 <= price <= 3 * priced.spent[name][0]
    }
    assert off == {}
    assert sum(priced.spent[name][0] > SMALL for name in priced.foretold) >= 5  # enough of them were worth a price


def test_the_forwards_foretold_are_those_made(priced: Priced) -> None:
    """What several instruments share, the first of them makes; a text that stands twice is scored once."""
    off = {
        name: (calls, priced.spent[name][1])
        for name, (_, calls) in priced.foretold.items()
        if calls and not priced.spent[name][1] <= calls <= 2.5 * priced.spent[name][1]
    }
    assert off == {}
    assert sum(calls > 0 for _, calls in priced.foretold.values()) >= 6
