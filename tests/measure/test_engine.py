"""The engine: the same results in the same order wherever they run, and nothing finished is run twice."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lens.errors import LensError, UsageError
from measure.engine import Engine

Item = tuple[str, int]  # folder where calls leave a mark, number


def square(item: Item) -> int:
    """The square, and a mark that the call was made."""
    folder, number = item
    with Path(folder, f"{number}.calls").open("a") as stream:
        stream.write("x")
    if number == 4 and Path(folder, "stop").exists():
        raise KeyboardInterrupt
    return number * number


def pair(item: Item) -> tuple[int, int]:
    square(item)
    return item[1], item[1]


def calls(folder: Path) -> dict[int, int]:
    return {int(path.stem): path.stat().st_size for path in folder.glob("*.calls")}


def items(folder: Path, count: int = 8) -> list[Item]:
    return [(str(folder), number) for number in range(count)]


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order_whatever_runs_them(tmp_path: Path, workers: int) -> None:
    with Engine(workers) as engine:
        assert list(engine.map(square, items(tmp_path))) == [number * number for number in range(8)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_map_goes_on_where_it_was(tmp_path: Path, workers: int) -> None:
    (tmp_path / "stop").touch()
    with pytest.raises(KeyboardInterrupt), Engine(workers, cache=tmp_path / "cache") as engine:
        list(engine.map(square, items(tmp_path), scope="test"))
    (tmp_path / "stop").unlink()
    kept = {number for number in calls(tmp_path) if number < 4}
    with Engine(workers, cache=tmp_path / "cache") as engine:
        assert list(engine.map(square, items(tmp_path), scope="test")) == [number * number for number in range(8)]
    assert kept == {0, 1, 2, 3}
    assert [calls(tmp_path)[number] for number in range(5)] == [1, 1, 1, 1, 2]


def test_what_is_kept_belongs_to_its_scope_and_is_dropped_with_it(tmp_path: Path) -> None:
    with Engine(1, cache=tmp_path / "cache") as engine:
        for scope in ("one", "one", "other"):
            list(engine.map(square, items(tmp_path, 2), scope=scope))
        assert calls(tmp_path) == {0: 2, 1: 2}
        engine.forget("one")
        list(engine.map(square, items(tmp_path, 2), scope="one"))
        list(engine.map(square, items(tmp_path, 2), scope="other"))
    assert calls(tmp_path) == {0: 3, 1: 3}


def test_a_result_that_would_come_back_changed_is_made_again(tmp_path: Path) -> None:
    with Engine(1, cache=tmp_path / "cache") as engine:
        for _ in range(2):
            assert list(engine.map(pair, items(tmp_path, 2), scope="test")) == [(0, 0), (1, 1)]
    assert calls(tmp_path) == {0: 2, 1: 2}


def test_a_kept_file_cut_in_half_is_made_again(tmp_path: Path) -> None:
    with Engine(1, cache=tmp_path / "cache") as engine:
        list(engine.map(square, items(tmp_path, 2), scope="test"))
        for path in (tmp_path / "cache").rglob("*.msgpack"):
            path.write_bytes(b"")
        assert list(engine.map(square, items(tmp_path, 2), scope="test")) == [0, 1]


def test_workers_report_the_cpu_they_spent(tmp_path: Path) -> None:
    with Engine(2) as engine:
        list(engine.map(square, items(tmp_path)))
        assert engine.cpu > 0


def test_without_ray_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match="not installed") as caught, Engine(ray="auto") as engine:
        list(engine.map(square, items(tmp_path, 2)))
    assert "evidence-lens[cluster]" in caught.value.remedy


def work(item: Item) -> int:
    """The square, unless `item`'s folder says that its worker dies of it, once or always, or that it raises."""
    folder, number = item
    if Path(folder, f"{number}.always").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    if (once := Path(folder, f"{number}.once")).exists():
        once.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    if Path(folder, f"{number}.raises").exists():
        raise UsageError(f"{number} is no use", remedy="another number")
    if Path(folder, f"{number}.odd").exists():
        raise OddError(number, "odd")
    return square(item)


class OddError(Exception):
    """An error that can't be made again from its message."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"{number} is {why}")


@pytest.fixture(params=["pool", pytest.param("cluster", marks=pytest.mark.xdist_group("ray"))])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Engine]:
    """An engine of two workers, on this machine or on a cluster."""
    if request.param == "pool":
        return lambda: Engine(2, cache=tmp_path / "cache")
    address = request.getfixturevalue("ray_cluster")
    return lambda: Engine(ray=address, cache=tmp_path / "cache")


def test_two_workers_give_results_in_order_and_what_is_kept_is_not_run_again(
    make: Callable[[], Engine], tmp_path: Path
) -> None:
    for _ in range(2):
        with make() as engine:
            assert list(engine.map(work, items(tmp_path), scope="test")) == [number * number for number in range(8)]
    assert calls(tmp_path) == dict.fromkeys(range(8), 1)


def test_what_a_killed_worker_had_begun_is_asked_of_another(make: Callable[[], Engine], tmp_path: Path) -> None:
    (tmp_path / "3.once").touch()
    (tmp_path / "6.once").touch()
    with make() as engine:
        assert list(engine.map(work, items(tmp_path), scope="test")) == [number * number for number in range(8)]
        assert list(engine.map(work, items(tmp_path, 2))) == [0, 1]


def test_an_item_that_kills_every_worker_is_an_error_and_the_rest_is_kept(
    make: Callable[[], Engine], tmp_path: Path
) -> None:
    (tmp_path / "4.always").touch()
    with pytest.raises(LensError, match="a worker was killed 3 times") as caught, make() as engine:
        list(engine.map(work, items(tmp_path), scope="test"))
    assert caught.value.remedy
    (tmp_path / "4.always").unlink()
    before = calls(tmp_path)
    with make() as engine:
        assert list(engine.map(work, items(tmp_path), scope="test")) == [number * number for number in range(8)]
    # Two workers: when one begins 4, three of the four items before it have ended. One kill may take the fourth.
    after = calls(tmp_path)
    assert sum(after[number] == before.get(number) for number in range(4)) >= 2


def at_home(name: str) -> str:
    return Path(name).read_text()


def test_relative_paths_are_those_of_the_command(
    make: Callable[[], Engine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name).write_text(name.upper())
    with make() as engine:
        assert list(engine.map(at_home, ["one", "two"])) == ["ONE", "TWO"]


def test_an_error_in_a_worker_is_raised_here_as_it_is(make: Callable[[], Engine], tmp_path: Path) -> None:
    (tmp_path / "2.raises").touch()
    with pytest.raises(UsageError, match="2 is no use") as caught, make() as engine:
        list(engine.map(work, items(tmp_path), scope="test"))
    assert (type(caught.value), caught.value.remedy) == (UsageError, "another number")


def test_an_error_that_cannot_be_sent_is_told_in_words(make: Callable[[], Engine], tmp_path: Path) -> None:
    (tmp_path / "2.odd").touch()
    with pytest.raises(RuntimeError, match="OddError: 2 is odd"), make() as engine:
        list(engine.map(work, items(tmp_path), scope="test"))


@pytest.mark.xdist_group("ray")
def test_gpus_that_no_node_has_are_an_error_and_not_a_wait(ray_cluster: str) -> None:
    with pytest.raises(UsageError, match="no node of the Ray") as caught, Engine(ray=ray_cluster, gpus=1) as one:
        list(one.map(work, [("", 1)]))
    assert "--device cpu" in caught.value.remedy


@pytest.mark.xdist_group("ray")
def test_where_no_cluster_answers_the_error_says_so() -> None:
    pytest.importorskip("ray", reason="ray is not installed")
    with pytest.raises(UsageError, match="no Ray cluster answers at 127"), Engine(ray="127.0.0.1:9") as engine:
        list(engine.map(work, [("", 1)]))
