"""Full disks, read-only disks, files cut in half, several writers: a clear error, nothing lost."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from store_samples import bare, item

from lens.errors import StoreError
from measure.store import Store, transaction
from measure.store.lock import locked

HERE = Path(__file__).parent
ID = "graders/a/kill-matrix"


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 512 KiB; only root can make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small disk needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def big(slug: str) -> tuple[Any, ...]:
    """A record of about 100 KiB."""
    return (*bare(slug, parameters={"text": "x" * 100_000})[:2], bare(slug)[2])


def test_a_full_disk_loses_nothing(small_disk: Path) -> None:
    store = Store.open(small_disk)
    store.write([item("a", 1), big("b")])
    before = contents(small_disk)
    with pytest.raises(StoreError, match="the disk is full") as caught:
        store.write([item("a", 2), *(big(f"c{number}") for number in range(8))])
    assert caught.value.exit_code == 3
    assert contents(small_disk) == before
    again = Store.open(small_disk)
    assert again.verify() == []
    assert again.write([item("a", 2)]) == [ID]
    assert again.record(ID).fields["gold.killed"].value == 2  # type: ignore[union-attr]


def test_a_disk_made_read_only(small_disk: Path) -> None:
    Store.open(small_disk).write([item("a", 1)])
    before = contents(small_disk)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    store = Store.open(small_disk)
    assert store.record(ID).fields["gold.killed"].value == 1  # type: ignore[union-attr]
    assert store.verify() == []
    with pytest.raises(StoreError, match=r"can't be written \(Read-only file system\)"):
        store.write([item("a", 2)])
    assert contents(small_disk) == before


def unfinished(root: Path, *, whole: bool) -> None:
    """Leave a write behind that died before, or after, its batch was promised."""

    class Died(BaseException):
        pass

    def die(*_: object) -> None:
        raise Died

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "_apply" if whole else "_sync_file_system", die)
        patch.setattr(transaction, "_discard", die)
        with pytest.raises(Died):
            Store.open(root).write([item("a", 2)])


def test_a_torn_batch_on_a_read_only_disk_is_passed_over(small_disk: Path) -> None:
    Store.open(small_disk).write([item("a", 1)])
    unfinished(small_disk, whole=False)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert Store.open(small_disk).record(ID).fields["gold.killed"].value == 1  # type: ignore[union-attr]


def test_a_promised_batch_on_a_read_only_disk_is_an_error(small_disk: Path) -> None:
    Store.open(small_disk).write([item("a", 1)])
    unfinished(small_disk, whole=True)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StoreError, match="a write that was promised whole can't be finished here"):
        Store.open(small_disk)
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert Store.open(small_disk).record(ID).fields["gold.killed"].value == 2  # type: ignore[union-attr]


def refusing(code: int, after: int) -> Callable[..., int]:
    """os.write that refuses from the `after`-th call on."""
    real, made = os.write, 0

    def write(descriptor: int, data: Any) -> int:
        nonlocal made
        made += 1
        if made > after:
            raise OSError(code, os.strerror(code))
        return real(descriptor, data)

    return write


@pytest.mark.parametrize(
    ("code", "message"),
    [(errno.ENOSPC, "the disk is full"), (errno.EDQUOT, "the disk is full"), (errno.EIO, "Input/output error")],
)
@pytest.mark.parametrize("after", range(6))
def test_wherever_the_disk_refuses_the_store_is_as_it_was(tmp_path: Path, code: int, message: str, after: int) -> None:
    """Writes of this batch: record, table, record, table, manifest, .pending."""
    Store.open(tmp_path).write([item("a", 1), item("b", 1)])
    before = contents(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", refusing(code, after))
        with pytest.raises(StoreError, match=message):
            Store.open(tmp_path).write([item("a", 2), item("b", 2)])
    assert contents(tmp_path) == before
    assert Store.open(tmp_path).verify() == []


def test_a_read_only_folder_without_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(tmp_path).write([item("a", 1)])
    before = contents(tmp_path)
    real = os.mkdir

    def mkdir(path: Any, *rest: Any, **named: Any) -> None:
        if Path(path).name == transaction.STAGING:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        real(path, *rest, **named)

    monkeypatch.setattr(os, "mkdir", mkdir)
    with pytest.raises(StoreError, match=r"can't be written \(Permission denied\)"):
        Store.open(tmp_path).write([item("a", 2)])
    assert contents(tmp_path) == before


def test_a_file_size_limit(tmp_path: Path) -> None:
    """RLIMIT_FSIZE, as a batch system sets it: the same promise, by another refusal."""
    Store.open(tmp_path).write([item("a", 1)])
    before = contents(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
        with pytest.raises(StoreError, match="the disk is full"):
            Store.open(tmp_path).write([item("a", 2), big("b")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("path", [f"evidence/{ID}.json", f"evidence/{ID}.mutants.parquet"])
def test_a_file_cut_in_half_is_named(tmp_path: Path, path: str) -> None:
    store = Store.open(tmp_path)
    store.write([item("a", 1), item("b", 1)])
    data = (tmp_path / path).read_bytes()
    (tmp_path / path).write_bytes(data[: len(data) // 2])
    store = Store.open(tmp_path)
    with pytest.raises(StoreError, match=path):
        store.table(ID, "mutants") if path.endswith("parquet") else store.record(ID)
    assert [finding.path for finding in store.verify()] == [path]
    assert store.record("graders/b/kill-matrix").fields["gold.killed"].value == 1  # type: ignore[union-attr]


WRITES = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from store_samples import item
from measure.store import Store
for number in range(20):
    Store.open(Path(sys.argv[1])).write([item(f"{sys.argv[3]}{number}", 1), item("both", int(sys.argv[4]) + number)])
"""


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", WRITES, str(tmp_path), str(HERE), name, start])
        for name, start in (("x", "0"), ("y", "100"))
    ]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    store = Store.open(tmp_path)
    assert store.verify() == []
    assert len(store.ids()) == 41
    assert len(store.history("graders/both/kill-matrix")) == 40


def test_threads_write_through_one_store(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    threads = [
        threading.Thread(target=lambda name=name: [store.write([bare(f"{name}{n}", 1)]) for n in range(10)])
        for name in "xy"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(Store.open(tmp_path).ids()) == 20
    assert Store.open(tmp_path).verify() == []


def test_a_writer_waits_for_a_reader(tmp_path: Path) -> None:
    Store.open(tmp_path).write([bare("a", 1)])
    done = threading.Event()

    def write() -> None:
        Store.open(tmp_path).write([bare("a", 2)])
        done.set()

    reader = Store.open(tmp_path)
    with reader.reading():
        thread = threading.Thread(target=write)
        thread.start()
        assert not done.wait(0.2)
        assert reader.record(ID).fields["gold.killed"].value == 1  # type: ignore[union-attr]
        with pytest.raises(RuntimeError, match="inside its own"):
            reader.write([bare("a", 3)])
    thread.join(timeout=60)
    assert done.is_set()
    assert reader.record(ID).fields["gold.killed"].value == 2  # type: ignore[union-attr]


def test_locks_exclude(tmp_path: Path) -> None:
    import fcntl

    with locked(tmp_path, exclusive=True):
        descriptor = os.open(tmp_path, os.O_RDONLY)
        try:
            with pytest.raises(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        finally:
            os.close(descriptor)
