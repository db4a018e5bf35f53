"""The same store and text for reward-lens's checker, and our forgeries in its own syntax; run in its environment."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import version
from pathlib import Path

from reward_lens.artifacts.claims import check_text, find_unbound_numbers
from reward_lens.core.evidence import make_evidence
from reward_lens.core.provenance import Provenance
from reward_lens.core.store import EvidenceStore
from reward_lens.core.types import SubjectRef

STAMP = re.compile(
    r"<!--\s*ev\s+([^>]*?)-->(.*?)<!--\s*/ev\s*-->|\[([^\[\]]+)\]\(ev:([^)]*)\)|\{(?:ev|claim)\}`([^`]*)`", re.S
)


def record(name: str, value: dict[str, float]):
    return make_evidence(
        observable=name,
        observable_version="1",
        subject=SubjectRef(signals=(f"{name}:" + "f" * 64,)),
        value=value,
        provenance=Provenance(git_sha="abc123"),
        created_at="2025-06-01T12:00:00Z",
    )


def store(folder: Path, records: int, stamps: int) -> None:
    import os

    kept = EvidenceStore(folder / "peer")
    sync, os.fsync = os.fsync, lambda _: None  # building it is not what is timed here
    ids = [kept.append(record(f"grader-{number}", {"killed": number % 375, "of": 374})) for number in range(records)]
    os.fsync = sync
    lines = []
    for number, id in enumerate(ids[:: records // stamps]):
        killed = (number * (records // stamps)) % 375
        tag = f"[[claim value={killed} ev={id} field=killed]]"
        lines.append(
            f"Of what it was given, this grader told apart {killed} of 374 {tag}, as measured.\n"
            + "\n" * (number % 5 == 4)
        )
    (folder / "theirs.md").write_text("".join(lines))
    print(json.dumps({"version": version("reward-lens")}))


def cases(folder: Path) -> None:
    kept = EvidenceStore(folder / "peer-cases")
    values = json.loads((folder / "values.json").read_text())
    ids = {name: kept.append(record(name, value)) for name, value in values.items()}

    def tagged(match: re.Match[str]) -> str:
        ref = match[1] or match[4] or match[5] or ""
        shown = match[2] or match[3] or ""
        name, _, field = ref.partition("|")[0].partition("#")
        name, field = name.partition("@")[0].strip(), field.partition(",")[0].strip().split(" ")[0]
        value = values.get(name, {}).get(field)
        held = f"value={value!r} " if value is not None else ""
        flat = f" field={field}" if "." not in field else ""
        return f"{shown} [[claim {held if flat else ''}ev={ids.get(name, 'ev:' + '0' * 12)}{flat}]]"

    alarmed = 0
    for text in json.loads((folder / "cases.json").read_text()):
        theirs = STAMP.sub(tagged, text)
        alarmed += not check_text(theirs, kept).ok or bool(find_unbound_numbers(theirs))
    print(json.dumps({"alarmed": alarmed}))


if sys.argv[1] == "store":
    store(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    cases(Path(sys.argv[2]))
