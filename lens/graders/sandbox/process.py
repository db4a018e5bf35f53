"""One worker process, seen from its parent: started, fed, timed, and ended with everything it left behind."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.graders.outcome import Outcome
from lens.graders.sandbox import leftovers, procfs
from lens.graders.sandbox.isolate import NOBODY
from lens.graders.sandbox.limits import Limits

if TYPE_CHECKING:
    from lens.graders.subject import GraderSubject

_WORKER = Path(__file__).with_name("worker.py")
_LOST = 97  # see worker.py
_SHARED = 20.0  # wall seconds that a CPU second used may take: a busy machine is no silence
_SCRIBBLED = Outcome("exit", "result pipe", detail="wrote to the worker's result pipe")
_numbers = count()
_live: set[int] = set()  # pids of all workers of this process


class Fault(Exception):
    """The item in progress ended its worker; `outcome` says how."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.detail)
        self.outcome = outcome


@dataclass
class Clock:
    """Where the item in progress stands. `base` is the worker's CPU seconds when it began, to within one tick;
    `others` those of its descendants when they were first looked at."""

    base: float
    heard: float
    ticked: float
    news: bool = False
    others: float | None = None


@cache
def _spawner(_process: int) -> ThreadPoolExecutor:
    """The thread that starts this process's workers: the system ends a worker when the thread that started it ends."""
    return ThreadPoolExecutor(1, "worker-starter")


def _spawn(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, **options)

    return _spawner(os.getpid()).submit(start).result()


class Worker:
    """A started worker. `send` a job, then `receive` its messages until it says done or a Fault is raised."""

    def __init__(self, subject: GraderSubject, limits: Limits, seed: int) -> None:
        self.limits = limits
        self.mark = secrets.token_hex(8).encode()
        leftovers.remove_abandoned(os.getpid(), tempfile.gettempdir())
        self.folder = tempfile.mkdtemp(prefix=f"lens-{os.getpid()}-")
        self._partial: list[bytes] = []
        self._outgoing = b""
        self._lines: deque[bytes] = deque()
        procfs.become_subreaper(os.getpid())
        self.uid = uid = _free_uid()
        if uid is not None:
            os.chown(self.folder, uid, uid)
        self._start(seed)
        config = {
            "mark": self.mark.decode(),
            "folder": self.folder,
            "uid": uid,
            "memory": limits.memory,
            "files": limits.files,
            "processes": limits.processes,
            "output": limits.output,
            "seed": seed,
            **subject.loading(),
        }
        self._outgoing = json.dumps(config).encode() + b"\n"
        now = time.monotonic()
        self.clock = Clock(0.0, now, now)

    def _start(self, seed: int) -> None:
        source, self._to = os.pipe()
        self._from, sink = os.pipe()
        os.set_blocking(self._to, False)
        home = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "HF_HOME"), self.folder)
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
        fixed = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = _spawn(
            [sys.executable, "-P", "-s", "-S", str(_WORKER), str(source), str(sink)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env=home | threads | fixed | {"PYTHONHASHSEED": str(seed % 2**32)},
            pass_fds=(source, sink),
            start_new_session=True,
        )
        os.close(source)
        os.close(sink)
        _live.add(self.process.pid)

    def send(self, message: dict[str, Any]) -> None:
        """Queue one line; it is written while `receive` waits."""
        self._outgoing += json.dumps(message).encode() + b"\n"
        self._begin()

    def _begin(self) -> None:
        now = time.monotonic()
        self.clock = Clock(self._own_cpu(), now, now)

    def receive(self, cpu: float, silence: float) -> list[Any]:
        """The next message. Raises Fault when the worker ends, scribbles, or is out of CPU, silence or memory."""
        tick = min(max(cpu / 5, 0.01), 0.1)
        while True:
            if self._lines:
                self.clock.news = True
                return self._message(self._lines.popleft())
            if not self.mark.startswith(b"".join(self._partial[:2])[: len(self.mark)]):
                raise Fault(_SCRIBBLED)
            writing = [self._to] if self._outgoing else []
            readable, writable, _ = select.select([self._from], writing, [], tick)
            if readable:
                chunk = os.read(self._from, 1 << 16)
                if not chunk:
                    raise Fault(self._ended())
                self._take(chunk)
            if writable:
                with contextlib.suppress(BlockingIOError, BrokenPipeError):
                    self._outgoing = self._outgoing[os.write(self._to, self._outgoing[: 1 << 16]) :]
            if not self._lines:
                self._check(cpu, silence, tick)

    def _take(self, chunk: bytes) -> None:
        """Cut what arrived into lines; the last one may be a beginning."""
        first, *rest = chunk.split(b"\n")
        self._partial.append(first)
        if rest:
            self._lines.append(b"".join(self._partial))
            self._lines.extend(rest[:-1])
            self._partial = [rest[-1]]

    def _message(self, line: bytes) -> list[Any]:
        if not line.startswith(self.mark):
            raise Fault(_SCRIBBLED)
        message: list[Any] = json.loads(line[len(self.mark) :])
        return message

    def _check(self, cpu: float, silence: float, tick: float) -> None:
        now, clock = time.monotonic(), self.clock
        if now - clock.ticked < tick:
            return
        clock.ticked = now
        if clock.news:
            self.clock = Clock(self._own_cpu(), now, now)
            return
        if self.process.poll() is not None and not select.select([self._from], [], [], 0)[0]:
            raise Fault(self._ended())
        spent = self._own_cpu() - clock.base
        if now - clock.heard > 0.25:
            relatives = procfs.family(self.process.pid, procfs.processes())
            others = sum(one.cpu for one in relatives if one.pid != self.process.pid)
            clock.others = others if clock.others is None else clock.others
            spent += others - clock.others
            held = sum(one.memory for one in relatives)
            if held > self.limits.memory:
                raise Fault(Outcome("memory", "", detail=f"its processes held more than {self.limits.memory} bytes"))
        if spent > cpu:
            raise Fault(Outcome("timeout", "cpu", detail=f"more than {cpu:g} CPU seconds", cpu=round(spent, 3)))
        if now - clock.heard > silence + _SHARED * spent:
            raise Fault(Outcome("timeout", "silence", detail=f"nothing for {silence:g} seconds", cpu=round(spent, 3)))

    def _own_cpu(self) -> float:
        own = procfs.process(self.process.pid)
        return own.cpu if own else 0.0

    def _ended(self) -> Outcome:
        try:
            code = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            code = _LOST
        if code == _LOST:
            return Outcome("exit", "result pipe", detail="closed the worker's result pipe")
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
            return Outcome("exit", name, detail=f"its process was ended by {name}")
        return Outcome("exit", f"code {code}", detail=f"ended its process with code {code}")

    def close(self) -> None:
        """End the worker and everything it left: processes, then files."""
        for descriptor in (self._to, self._from):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        _live.discard(self.process.pid)
        leftovers.end_strays(self.process.pid, _live, self.folder)
        leftovers.remove_folder(self.folder)
        if self.uid is not None and self.uid != NOBODY:
            leftovers.remove_shared_memory(self.uid)


def _free_uid() -> int | None:
    """Root's workers each get a user id of their own, so that limits on processes count and files can be told apart;
    in a container without so many, the one id it can spare; without any, none."""
    if os.getuid() != 0:
        return None
    wanted = 0x60000000 + os.getpid() % 0x100000 * 256 + next(_numbers) % 256
    try:
        ranges = [[int(part) for part in line.split()] for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        return NOBODY
    mapped = [uid for uid in (wanted, NOBODY) if any(first <= uid < first + length for first, _, length in ranges)]
    return mapped[0] if mapped else None
