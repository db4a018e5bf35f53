"""A process that writes batches in forked children and kills them when told: run by test_store_crash.

Reads a line of JSON at a time, `{"root": folder, "delay": seconds or null}`; answers with how long the write took,
whether the child was still writing when it was killed, and what it left.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pyarrow.parquet
from store_samples import bare, item

from measure.store import Store
from measure.store.transaction import unfinished

pyarrow.array([0])  # imports pandas, where that is there: no child is to spend its time on it

BATCH = [item(f"s{number}", 2) for number in range(6)] + [bare(f"n{number}", 2) for number in range(18)]


def write(root: Path, started: int) -> None:
    store = Store.open(root)
    os.write(started, b"s")
    store.write(BATCH)


def attempt(root: Path, delay: float | None) -> dict[str, object]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            write(root, writing)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    os.read(reading, 1)
    os.close(reading)
    start = time.perf_counter()
    if delay is not None:
        while time.perf_counter() - start < delay:
            time.sleep(0)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return {
        "seconds": time.perf_counter() - start,
        "killed": os.WIFSIGNALED(status),
        "code": os.waitstatus_to_exitcode(status),
        "left": unfinished(root),
    }


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(attempt(Path(asked["root"]), asked["delay"])), flush=True)
