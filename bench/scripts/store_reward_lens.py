"""The same records through reward-lens's EvidenceStore, run in its own environment."""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

from reward_lens.core.evidence import Uncertainty, make_evidence
from reward_lens.core.provenance import Cost, Provenance
from reward_lens.core.store import EvidenceStore
from reward_lens.core.types import SubjectRef


def evidence(number: int):
    killed, share = number % 375, (number % 375) / 374
    subject = number // 20
    return make_evidence(
        observable=f"instrument-{number % 20}",
        observable_version="1",
        subject=SubjectRef(
            signals=(f"grader-{subject}:" + "f" * 64,),
            dataset="gold:" + "c" * 64,
            extra={"name": f"Grader {subject}", "spec": f"pypi:g{subject}==1.0/g:score", "rows": 240},
        ),
        value={"killed": killed, "of": 374, "rate": share, "seconds": 0.25 + number / 7, "mode": "raises"},
        uncertainty=Uncertainty(
            ci_low=share * 0.8, ci_high=min(1.0, share * 1.2), ci_level=0.95, n=374, n_effective=240, method="wilson"
        ),
        provenance=Provenance(
            git_sha="abc123", seeds=(0,), cost=Cost(), extra={"budget": 60, "operators": ["negate", "swap"]}
        ),
        created_at="2025-06-01T12:00:00Z",
    )


def main(root: Path, count: int) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    store = EvidenceStore(root)
    written = [store.append(evidence(number)) for number in range(count)]
    write = time.perf_counter() - wall, time.process_time() - cpu

    wall, cpu = time.perf_counter(), time.process_time()
    store = EvidenceStore(root, readonly=True)
    total = 0.0
    for id in written:
        total += store.get(id).value["killed"]
    read = time.perf_counter() - wall, time.process_time() - cpu
    print(
        json.dumps(
            {"written": len(store), "total": total, "write": write, "read": read, "version": version("reward-lens")}
        )
    )


main(Path(sys.argv[1]), int(sys.argv[2]))
