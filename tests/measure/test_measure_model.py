"""`lens measure model`: the same digests wherever the work runs, and nothing finished is run again."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lens.models.organisms import build
from lens.price import Price
from lens.reading import Declined
from measure import engine as engines
from measure.commands.capabilities import survey
from measure.engine import Engine
from measure.inspecting import Inspecting, ModelRequest, inspected
from measure.store import Store

pytestmark = pytest.mark.xdist_group("ray")  # one process measures the card that the others are held against
SAMPLE, CONTROLS = 16, 1


class Here(NamedTuple):
    """A working folder: an organism's pairs cut down, a cache, and how it is asked for."""

    folder: Path
    pairs: str

    def request(self, *names: str, sample: int = SAMPLE) -> ModelRequest:
        return ModelRequest(
            "organism:spurious", self.pairs, sample=sample, controls=CONTROLS, instruments=names
        )  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """48 pairs of the hand-set organism: enough prompts for every interval that is claimed of all pairs."""
    folder = tmp_path_factory.mktemp("here")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("EVIDENCE_LENS_CACHE", str(folder / "cache"))
        rows = (build("spurious") / "pairs.jsonl").read_text().splitlines()
        some = [row for at, row in enumerate(rows) if at % 4 == 0][:48]
        (folder / "pairs.jsonl").write_text("\n".join(some) + "\n")
        yield Here(folder, str(folder / "pairs.jsonl"))


class Alone(NamedTuple):
    """A whole card measured in one process: digests by id, the jobs each instrument asked for, and those of them whose
    results the engine could not keep as they are."""

    digests: dict[str, str]
    asked: dict[str, Counter[str]]
    lost: set[str]


@pytest.fixture(scope="module")
def alone(here: Here) -> Alone:
    asked: dict[str, Counter[str]] = defaultdict(Counter)
    lost: set[str] = set()
    reading = ""
    write, read, run = engines._Kept.write, Inspecting.read, Engine.map

    def spied_write(self: Any, item: Any, result: Any) -> None:
        write(self, item, result)
        if not self._path(item).exists():
            lost.add(item.job)

    def spied_read(self: Inspecting, instrument: Any) -> Any:
        nonlocal reading
        reading = instrument.name
        return read(self, instrument)

    def spied_map(self: Engine, function: Any, items: Any, *, scope: str = "") -> Any:
        asked[reading].update(item.job for item in items)
        return run(self, function, items, scope=scope)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(engines._Kept, "write", spied_write)
        patched.setattr(Inspecting, "read", spied_read)
        patched.setattr(Engine, "map", spied_map)
        measured(here, here.folder / "alone", workers=1)
    return Alone(digests(here.folder / "alone"), dict(asked), lost)


def measured(here: Here, data: Path, *names: str, **where: Any) -> None:
    with inspected(here.request(*names), data, **where) as inspecting:
        assert inspecting.run(show=False).failed == {}


def digests(data: Path) -> dict[str, str]:
    store = Store.open(data)
    return {id: store.record(id).digest for id in store.ids()}


def test_every_job_gives_plain_results_so_that_a_stopped_run_goes_on(alone: Alone) -> None:
    assert alone.lost == set()
    assert {"preference", "reward-lens", "patching", "attribution-patching", "steering"} <= set(alone.asked)


@pytest.mark.parametrize("place", ["pool", "cluster"])
def test_two_workers_give_the_digests_of_one_process(
    alone: Alone, here: Here, place: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = {"workers": 2} if place == "pool" else {"ray": request.getfixturevalue("ray_cluster")}
    monkeypatch.chdir(here.folder)
    measured(here, here.folder / place, *alone.asked, **where)
    found = digests(here.folder / place)
    assert found == {id: alone.digests[id] for id in found}
    assert {id.rpartition("/")[2].partition("~")[0] for id in found} == set(alone.asked)


def test_a_killed_worker_and_a_stopped_run_cost_only_what_had_begun(alone: Alone, here: Here) -> None:
    """From the command line: a worker is killed, later the command is stopped, and the same command goes on."""
    jobs = sum(alone.asked["patching"].values())
    kept = here.folder / "stopped-cache" / "work"
    words = here.request("patching").command("--instrument", "patching", "--workers", "2", "--data", "stopped")
    environment = os.environ | {"EVIDENCE_LENS_CACHE": str(here.folder / "stopped-cache")}

    def start() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", "from measure.cli import main; main()", *shlex.split(words)[1:]]
        return subprocess.Popen(
            command, cwd=here.folder, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def finished() -> int:
        return len(list(kept.rglob("*.msgpack")))

    first = start()
    wait_for(lambda: finished() >= 2, first)
    os.kill(workers_of(first.pid)[0], signal.SIGKILL)
    before = finished()
    wait_for(lambda: finished() >= before + 4, first)
    os.killpg(first.pid, signal.SIGINT)
    said = first.communicate()[1]
    assert first.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert 0 < finished() < jobs
    names = {path.name: path.stat().st_mtime_ns for path in kept.rglob("*.msgpack")}

    again = start()
    wait_for(lambda: finished() > len(names), again)
    unmoved = {path.name: path.stat().st_mtime_ns for path in kept.rglob("*.msgpack") if path.name in names}
    assert again.wait() == 0, again.communicate()[1]
    again.communicate()
    assert unmoved == names
    found = digests(here.folder / "stopped")
    assert found == {id: alone.digests[id] for id in found}
    assert len(found) == 1
    assert finished() == 0  # nothing is kept of what the store holds


def wait_for(ready: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not ready():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)


def workers_of(pid: int) -> list[int]:
    """The processes of a pool: children of `pid` that were spawned with a pipe."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def test_an_error_in_a_worker_reaches_the_person_with_its_remedy(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder on the worker is not the one that was opened."""
    folder = here.folder / "model"
    shutil.copytree(build("spurious"), folder)
    request = ModelRequest(str(folder), here.pairs, sample=SAMPLE, controls=CONTROLS, instruments=("reward-lens",))
    with inspected(request, here.folder / "other", workers=2) as inspecting:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | {"initializer_range": 0.5}))
        failed = inspecting.run(show=False).failed
    assert "on this worker is another model" in failed["reward-lens"]
    assert "try: put the same folder on every worker" in failed["reward-lens"]


def test_what_is_said_to_decline_declines_and_what_is_said_to_read_reads(alone: Alone, here: Here) -> None:
    """Before a forward is made. Some can tell from what was read alone: whether edits move the reward, texts span the
    stream, axes have parts enough, and indices, which pairs stand for draws and how many dimensions they fill."""
    with inspected(here.request(), here.folder / "empty", workers=1) as inspecting:
        told = {line.instrument.name: line.price for line in survey(inspecting)}
    assert not (here.folder / "empty" / "manifest.jsonl").exists()
    store = Store.open(here.folder / "alone")
    readings = {store.record(id).evidence.instrument: store.record(id).evidence.reading for id in store.ids()}
    assert {name for name, price in told.items() if isinstance(price, Declined)} <= set(readings)
    for name, price in told.items():
        if isinstance(price, Declined):
            assert readings[name] == price
    reads = {name for name, price in told.items() if isinstance(price, Price)}
    unread = {name for name in reads if isinstance(readings[name], Declined)}
    indices = {"tail", "susceptibility", "dark-reward", "legibility", "robustness", "coverage-disparity", "style-share"}
    assert unread <= {"misalignment-cascade", "geometry", "circuit-overlap"} | indices
    own = {
        "multi-objective",
        "agreement",
        "intransitivity",
        "dynamics",
        "coherence",
        "entanglement",
    }  # of other subjects
    own |= {
        "contestedness",
        "evaluation-awareness",
        "receipt-reliance",
        "scepticism",
    }  # of pairs with votes, with twins
    small = {
        "faithfulness",
        "knowledge-utilisation",
        "verification-score",
    }  # more copies or prompts than asked for here
    assert set(told) - reads == own | small
    assert all(told[name].calls > 0 for name in ("preference", "patching", "hacking-probes"))  # type: ignore[union-attr]


def test_a_model_that_is_not_its_library_s_declines_before_anything_is_spent(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lens.models import parity

    off = parity.Parity({"left": 0.5}, 0.0, 16, 1e-5)
    monkeypatch.setattr(parity, "_measure", lambda _: off)
    with inspected(here.request(), here.folder / "empty", workers=1) as inspecting:
        told = {line.instrument.name: line.price for line in survey(inspecting)}
    assert isinstance(told["native-parity"], Price)
    assert isinstance(told["planted"], Price)
    patching = told["patching"]
    assert isinstance(patching, Declined)
    assert patching.reason == "assumption_violated"
    assert patching.detail.startswith("the reward computed here is not the library's own: they differ by 0.5")
