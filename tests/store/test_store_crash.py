"""Whatever instant a writer dies at, the store opens with the old batch whole or the new batch whole."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from store_samples import bare, item

from measure.store import Store, transaction
from measure.store.transaction import PENDING, STAGING, unfinished

INSTANTS = 200
OLD = [item(f"s{number}", 1) for number in range(6)]
ID = "graders/s0/kill-matrix"


def state(root: Path) -> dict[str, int]:
    """Every live record's number, after a check of every digest, table and line."""
    store = Store.open(root)
    assert not unfinished(root)
    assert store.verify() == []
    return {id: store.record(id).fields["gold.killed"].value for id in store.ids()}  # type: ignore[union-attr, misc]


class Writer:
    """The process that forks, writes and kills."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("store_writer.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, root: Path, delay: float | None) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"root": str(root), "delay": delay}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@contextmanager
def writer() -> Iterator[Writer]:
    running = Writer()
    try:
        yield running
    finally:
        running.process.communicate(timeout=10)


def seconds(write: Writer, base: Path, root: Path) -> float:
    """How long a whole write takes now."""
    shutil.copytree(base, root)
    done = write(root, None)
    shutil.rmtree(root)
    return float(done["seconds"])


def test_sigkill_at_200_instants(tmp_path: Path) -> None:
    base = tmp_path / "base"
    Store.open(base).write(OLD)
    old = state(base)
    with writer() as write:
        whole = shutil.copytree(base, tmp_path / "whole")
        assert write(whole, None)["code"] == 0
        new = state(whole)
        assert len(old) == 6
        assert len(new) == 24
        left = 0
        for number in range(INSTANTS):
            root = tmp_path / "store"
            if number % 20 == 0:  # a machine with other work on it changes its pace
                span = statistics.median(seconds(write, base, root) for _ in range(3))
            shutil.copytree(base, root)
            done = write(root, span * (number + 0.5) / INSTANTS)
            left += done["left"]
            assert state(root) in (old, new), f"killed after {done['seconds']:.4f} s"
            shutil.rmtree(root)
    assert left >= 50, f"{left} of {INSTANTS} kills left a .pending or a temporary file"


class Died(BaseException):
    """The process ends here; nothing after it runs."""


CALLS = ("open", "write", "fsync", "rename", "unlink", "mkdir", "rmdir")


def dying(monkeypatch: pytest.MonkeyPatch, at: int) -> Callable[[], int]:
    """From the `at`-th changing system call on, every one fails: what a dead process no longer does."""
    made = 0

    def wrap(name: str) -> None:
        real = getattr(os, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal made
            if name == "open" and not (len(args) > 1 and args[1] & (os.O_WRONLY | os.O_CREAT)):
                return real(*args, **kwargs)
            made += 1
            if made > at:
                raise Died
            return real(*args, **kwargs)

        monkeypatch.setattr(os, name, call)

    for name in CALLS:
        wrap(name)
    return lambda: made


def every_death(tmp_path: Path, run: Callable[[Path], None], base: Path) -> list[dict[str, int]]:
    """The state found after dying at each changing system call of `run`, in order, until one run lives."""
    found: list[dict[str, int]] = []
    for at in range(10_000):
        root = shutil.copytree(base, tmp_path / f"at{at}")
        with pytest.MonkeyPatch.context() as patch:
            dying(patch, at)
            try:
                run(root)
                alive = True
            except Died:
                alive = False
        found.append(state(root))
        if alive:
            return found
    raise AssertionError("it never ended")


def test_death_at_every_system_call_of_a_write(tmp_path: Path) -> None:
    base = tmp_path / "base"
    Store.open(base).write([item("a", 1), item("b", 1)])
    old = state(base)
    new = {"graders/a/kill-matrix": 2, "graders/b/kill-matrix": 2, "graders/c/kill-matrix": 2}
    found = every_death(tmp_path, lambda root: _write(root), base)
    turn = found.index(new)
    assert turn > 10
    assert found == [old] * turn + [new] * (len(found) - turn)


def _write(root: Path) -> None:
    Store.open(root).write([item("a", 2), bare("b", 2), item("c", 2)])


def test_death_at_every_system_call_of_rolling_forward(tmp_path: Path) -> None:
    """A second death, while the first one's batch is being finished, loses nothing either."""
    base = tmp_path / "base"
    Store.open(base).write([item("a", 1), item("b", 1)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "_apply", _die)
        with pytest.raises(Died):
            _write(base)
    assert (base / PENDING).exists()
    new = {"graders/a/kill-matrix": 2, "graders/b/kill-matrix": 2, "graders/c/kill-matrix": 2}
    found = every_death(tmp_path, lambda root: Store.open(root) and None, base)
    assert len(found) > 10
    assert found == [new] * len(found)


def _die(*_: object) -> None:
    raise Died


@pytest.mark.parametrize("cut", [0, 1, 100, -70, -10, -2])
def test_a_torn_pending_is_rolled_back(tmp_path: Path, cut: int) -> None:
    Store.open(tmp_path).write([item("s0", 1)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "_apply", _die)
        with pytest.raises(Died):
            Store.open(tmp_path).write([item("s0", 2)])
    whole = (tmp_path / PENDING).read_bytes()
    (tmp_path / PENDING).write_bytes(whole[:cut])
    assert state(tmp_path) == {ID: 1}
    assert not (tmp_path / STAGING).exists()


def test_an_unfinished_batch_survives_a_merge_in_between(tmp_path: Path) -> None:
    """Lines that reached the manifest while a batch waited are kept when it is finished."""
    Store.open(tmp_path / "one").write([bare("a", 1)])
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "_apply", _die)
        with pytest.raises(Died):
            Store.open(tmp_path / "one").write([bare("a", 2)])
    Store.open(tmp_path / "two").write([bare("b", 3)])
    for path in ("manifest.jsonl", "evidence/graders/b/kill-matrix.json"):
        (tmp_path / "one" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tmp_path / "two" / path, tmp_path / "one" / path)
    assert state(tmp_path / "one") == {"graders/a/kill-matrix": 2, "graders/b/kill-matrix": 3}
