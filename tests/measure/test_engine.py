"""The engine: the same results in the same order wherever they run, and nothing finished is run twice."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
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


def test_a_cluster_gives_the_same_results_and_is_left_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ray's own surface, as far as the engine uses it, run in this process."""
    said: list[Any] = []

    class Remote:
        def __init__(self, function: Any) -> None:
            self.function = function

        def remote(self, *arguments: Any) -> Any:
            return lambda: self.function(*arguments)

    ray = types.ModuleType("ray")
    ray.init = lambda **options: said.append(("init", options["address"]))  # type: ignore[attr-defined]
    ray.remote = Remote  # type: ignore[attr-defined]
    ray.get = lambda handle: handle()  # type: ignore[attr-defined]
    ray.cancel = lambda handle, force: said.append("cancel")  # type: ignore[attr-defined]
    ray.shutdown = lambda: said.append("shutdown")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", ray)
    with Engine(ray="ray://there:10001", cache=tmp_path / "cache") as engine:
        for _ in range(2):
            assert list(engine.map(square, items(tmp_path, 3), scope="test")) == [0, 1, 4]
    assert said[0] == ("init", "ray://there:10001")
    assert said[-1] == "shutdown"
    assert calls(tmp_path) == {0: 1, 1: 1, 2: 1}
