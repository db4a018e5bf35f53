"""Where work runs: `map(function, items)` over this machine's process pool, or over a Ray cluster.

The same items give the same results in the same order however many workers there are, and a stopped
map goes on where it was: each finished item is kept under the digest of its content, so a result is
found again by what was asked and never by where it ran. A worker that is killed takes only what it had begun
with it: that is asked again of another one.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from lens.errors import LensError, UsageError
from lens.price import cpu_seconds

Timed = tuple[Any, float]  # a result and the CPU seconds it took, children included
DEATHS = 3  # workers lost while one item is waited for, after which it is no accident


class Engine:
    """A place to run work. Use it as a context manager; workers start at the first map that needs them.

    workers  processes at once; 1 runs everything here
    ray      address of a Ray cluster (`auto`, `ray://host:10001`), instead of the local pool
    gpus     GPUs that one item takes of a Ray cluster
    cache    folder for finished items; None keeps nothing
    """

    def __init__(
        self, workers: int | None = None, *, ray: str | None = None, gpus: int = 0, cache: Path | None = None
    ) -> None:
        self.workers = workers or os.cpu_count() or 1
        self.ray = ray
        self.gpus = gpus
        self.cache = cache
        self.cpu = 0.0  # CPU seconds spent by workers so far

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if "_pool" in self.__dict__:
            _close(self._pool, at_once=kind is not None)
        if "_remote" in self.__dict__:
            self._remote.shutdown()

    def map(self, function: Callable[[Any], Any], items: Sequence[Any], *, scope: str = "") -> Iterator[Any]:
        """Results of a module-level `function` over picklable `items`, in order, as they become ready.

        With a cache and a `scope` (what the items belong to: instrument, version, subject), items finished
        by an earlier, stopped call are read back instead of run. Whatever an item raises is raised here;
        LensError where workers are killed again and again.
        """
        keep = _Kept(self.cache, scope, function) if self.cache and scope else None
        found = [keep.read(item) if keep else _MISSING for item in items]
        todo = [item for item, result in zip(items, found, strict=True) if result is _MISSING]
        fresh = self._run(function, todo, keep.write if keep else _drop)
        for result in found:
            if result is _MISSING:
                result, cpu = next(fresh)
                self.cpu += cpu
            yield result

    def forget(self, scope: str) -> None:
        """Drop the finished items of `scope`: its reading is in the store now."""
        if self.cache:
            shutil.rmtree(_folder(self.cache, scope), ignore_errors=True)

    def _run(
        self, function: Callable[[Any], Any], items: list[Any], keep: Callable[[Any, Any], None]
    ) -> Iterator[Timed]:
        if self.ray and items:
            yield from self._remote.run(function, items, keep)
        elif self.workers == 1 or len(items) < 2:
            for item in items:
                result = function(item)
                keep(item, result)
                yield result, 0.0
        else:
            yield from self._local(function, items, keep)

    def _local(
        self, function: Callable[[Any], Any], items: list[Any], keep: Callable[[Any, Any], None]
    ) -> Iterator[Timed]:
        futures = [self._submit(function, item, keep) for item in items]
        try:
            for at in range(len(items)):
                for _ in range(DEATHS):
                    try:
                        yield futures[at].result()
                        break
                    except BrokenProcessPool:
                        futures[at:] = [
                            self._submit(function, item, keep) if _lost(future) else future
                            for future, item in zip(futures[at:], items[at:], strict=True)
                        ]
                else:
                    raise _killed("--workers 1, or a machine with more memory")
        finally:
            for future in futures:
                future.cancel()

    def _submit(self, function: Callable[[Any], Any], item: Any, keep: Callable[[Any, Any], None]) -> Future[Timed]:
        """One item on the pool, kept the moment it is done, whichever item the caller is waiting for."""
        with _interrupts_held():
            try:
                future = self._pool.submit(_timed, function, item)
            except BrokenProcessPool:
                del self._pool
                future = self._pool.submit(_timed, function, item)

        def done(ended: Future[Timed]) -> None:
            if not ended.cancelled() and ended.exception() is None:
                keep(item, ended.result()[0])

        future.add_done_callback(done)
        return future

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        from multiprocessing import get_context

        return ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=_settle_in)

    @cached_property
    def _remote(self) -> _Ray:
        return _Ray(str(self.ray), self.gpus)


class _Ray:
    """The same over a Ray cluster; Ray itself is imported here and nowhere else."""

    def __init__(self, address: str, gpus: int) -> None:
        try:
            import ray
        except ImportError:
            raise UsageError(
                "--ray needs Ray, which is not installed here", remedy="pip install 'evidence-lens[cluster]'"
            ) from None
        self.ray = ray
        try:
            _reach(address)
            ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING, ignore_reinit_error=True)
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(f"no Ray cluster answers at {address}: {error}", remedy="ray status") from None
        self.timed = ray.remote(_timed).options(num_gpus=gpus, max_retries=DEATHS - 1)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        if resources.get("GPU", 0) < gpus:
            ray.shutdown()
            raise UsageError(
                f"no node of the Ray cluster at {address} has a GPU, and every item asks for {gpus}",
                remedy="ray start --num-gpus 1 on a machine with one, or measure with --device cpu",
            )
        self.window = 16 + 4 * int(resources.get("CPU", 1))  # items at once: more would only queue

    def run(
        self, function: Callable[[Any], Any], items: list[Any], keep: Callable[[Any, Any], None]
    ) -> Iterator[Timed]:
        begun: dict[Any, int] = {}
        done: dict[int, Timed] = {}
        todo = iter(range(len(items)))
        try:
            for at in range(len(items)):
                while at not in done:
                    for place in islice(todo, self.window - len(begun)):
                        begun[self.timed.remote(function, items[place], str(Path.cwd()))] = place
                    (handle,), _ = self.ray.wait(list(begun), num_returns=1)
                    place = begun.pop(handle)
                    done[place] = self._got(handle)
                    keep(items[place], done[place][0])
                yield done.pop(at)
        finally:
            for handle in begun:
                self.ray.cancel(handle, force=False)

    def _got(self, handle: Any) -> Timed:
        try:
            return self.ray.get(handle)  # type: ignore[no-any-return]
        except self.ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, self.ray.exceptions.RaySystemError):
                told = str(error.cause).splitlines()[0]
                raise LensError(
                    f"a Ray worker can't begin: {told}", remedy="install the same evidence-lens on every node"
                ) from error
            raise error.cause from error
        except (self.ray.exceptions.WorkerCrashedError, self.ray.exceptions.OutOfMemoryError):
            raise _killed("ray status; fewer CPUs a node leave each worker more memory") from None

    def shutdown(self) -> None:
        self.ray.shutdown()


def _reach(address: str) -> None:
    """Raises OSError where nothing listens at host:port: Ray itself would go on asking for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=5).close()


class _Kept:
    """Finished items of one scope, a file each, named by the digest of what was asked and of our own code."""

    def __init__(self, cache: Path, scope: str, function: Callable[[Any], Any]) -> None:
        self.folder = _folder(cache, scope)
        self.salt = f"{function.__module__}:{function.__qualname__}:{code_digest()}".encode()

    def _path(self, item: Any) -> Path:
        content = repr(msgspec.to_builtins(item, enc_hook=_plain, order="deterministic"))
        name = hashlib.sha256(self.salt + content.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / f"{name}.msgpack"

    def read(self, item: Any) -> Any:
        try:
            return msgspec.msgpack.decode(self._path(item).read_bytes())
        except (OSError, msgspec.DecodeError):
            return _MISSING

    def write(self, item: Any, result: Any) -> None:
        """Keep a result made of plain types; anything else would come back changed and is run again instead."""
        try:
            packed = msgspec.msgpack.encode(result)
        except (TypeError, ValueError, OverflowError):
            return
        if msgspec.msgpack.decode(packed) != result:
            return
        path = self._path(item)
        partial = path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):  # a cache that can't be written costs time, nothing else
            self.folder.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(packed)
            partial.replace(path)


_MISSING: Any = object()


def _drop(_item: Any, _result: Any) -> None:
    """Keep nothing."""


def code_digest() -> str:
    """SHA-256 over the instruments' own source: a kept result of other code is not a result of this one."""
    import lens

    global _code
    if not _code:
        total = hashlib.sha256()
        for path in sorted(Path(lens.__file__).parent.rglob("*.py")):
            total.update(path.read_bytes())
        _code = total.hexdigest()
    return _code


_code = ""


def _folder(cache: Path, scope: str) -> Path:
    return cache / "work" / hashlib.sha256(scope.encode()).hexdigest()[:32]


def _plain(value: Any) -> Any:
    if callable(value):
        return f"{value.__module__}:{value.__qualname__}"
    return str(value) if isinstance(value, Path) else repr(value)


def _timed(function: Callable[[Any], Any], item: Any, folder: str = "") -> Timed:
    """The item's result; from `folder`, where this machine has it, so that relative paths name what they name there."""
    if folder and Path(folder).is_dir():
        os.chdir(folder)
    before = cpu_seconds()
    try:
        result = function(item)
    except Exception as error:
        raise _portable(error) from None
    return result, cpu_seconds() - before


def _portable(error: Exception) -> Exception:
    """The error as it can be sent: one that can't be made again from its parts would take the whole pool with it."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _lost(future: Future[Timed]) -> bool:
    return future.done() and (future.cancelled() or isinstance(future.exception(), BrokenProcessPool))


def _killed(remedy: str) -> LensError:
    return LensError(
        f"a worker was killed {DEATHS} times before it finished one item, most likely for want of memory",
        remedy=remedy,
    )


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits: a terminal sends it to every process, and one that is just starting would print a traceback."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _settle_in() -> None:
    """A pool worker: Ctrl-C is the parent's business, SIGTERM unwinds (sandboxes close), one thread a library."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"


def _close(pool: ProcessPoolExecutor, *, at_once: bool) -> None:
    """Let workers finish, or, when stopped, end them and give each two seconds to put its sandbox away."""
    workers = list((pool._processes or {}).values())
    if at_once:
        for worker in workers:
            worker.terminate()
    pool.shutdown(wait=not at_once, cancel_futures=True)
    deadline = time.monotonic() + 2
    for worker in workers if at_once else ():
        with contextlib.suppress(AssertionError, OSError):
            worker.join(max(0.0, deadline - time.monotonic()))
            if worker.is_alive():
                worker.kill()
