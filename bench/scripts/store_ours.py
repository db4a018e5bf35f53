"""Write N records durably with our store, open it again, look each up once: seconds as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from lens.reading import Evidence, Input, Interval, Label, Measured, Quantity, Subject
from measure.store import Made, Store

MADE = Made("2025-06-01T12:00:00Z", 1.5, 1.25, 240, "lens measure grader", {"cores": "2"}, "abc123")
GOLD = Input("corpus", "gold", "c" * 64, "shared:graders/gold.jsonl", 240)


def evidence(number: int) -> Evidence:
    killed, share = number % 375, (number % 375) / 374
    rate = Quantity(
        share, "of mutants", "proportion", interval=Interval(share * 0.8, min(1.0, share * 1.2), "wilson"), n=374
    )
    fields = {
        "killed": Quantity(killed, "mutants", "count", of=374, n=374, n_eff=240),
        "rate": rate,
        "seconds": Quantity(0.25 + number / 7, "s", "duration"),
        "mode": Label("raises"),
    }
    subject = number // 20
    return Evidence(
        f"instrument-{number % 20}",
        1,
        Subject("graders", f"grader-{subject}", f"Grader {subject}", "f" * 64, f"pypi:g{subject}==1.0/g:score"),
        Measured(fields, "killed", "240 gold pairs"),
        inputs=(GOLD,),
        parameters={"budget": 60, "operators": ["negate", "swap"]},
        seed=0,
    )


def main(root: Path, count: int) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    written = Store.open(root).write([(evidence(number), {}, MADE) for number in range(count)])
    write = time.perf_counter() - wall, time.process_time() - cpu

    wall, cpu = time.perf_counter(), time.process_time()
    store = Store.open(root)
    total = 0.0
    for id in store.ids():
        killed = store.record(id).fields["killed"]
        assert isinstance(killed, Quantity)
        total += killed.value
    read = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"written": len(written), "total": total, "write": write, "read": read, "version": ""}))


main(Path(sys.argv[1]), int(sys.argv[2]))
