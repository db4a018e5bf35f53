"""A store of N records and a text of M numbers stamped from it, written where the benchmark says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lens.instrument import registry
from lens.reading import Evidence, Interval, Measured, Quantity, Subject
from measure.store import Made, Store

MADE = Made("2025-06-01T12:00:00Z", 1.5, 1.25, 240, "lens measure grader", {"cores": "2"}, "abc123")


def evidence(number: int) -> Evidence:
    """Record `number`: every instrument there is on one grader after the other."""
    instruments = list(registry("graders").values())
    instrument = instruments[number % len(instruments)]
    slug = f"grader-{number // len(instruments)}"
    share = (number % 375) / 374
    fields = {
        "killed": Quantity(number % 375, "mutants", "count", of=374, n=374, n_eff=240),
        "rate": Quantity(
            share, "mutants", "proportion", interval=Interval(share * 0.8, min(1.0, share * 1.2), "wilson")
        ),
    }
    subject = Subject("graders", slug, slug, "f" * 64)
    return Evidence(instrument.name, instrument.version, subject, Measured(fields, "killed", "gold pairs"))


def main(folder: Path, records: int, stamps: int) -> None:
    made = [evidence(number) for number in range(records)]
    Store.open(folder / "data").write([(one, {}, MADE) for one in made])
    lines = []
    for number, one in enumerate(made[:: records // stamps]):
        killed = one.reading.fields["killed"]  # type: ignore[union-attr]
        stamp = f"<!--ev {one.id}#killed|count-->{killed.value} of {killed.of}<!--/ev-->"  # type: ignore[union-attr]
        lines.append(f"Of what it was given, this grader told apart {stamp}, as measured.\n" + "\n" * (number % 5 == 4))
    (folder / "ours.md").write_text("".join(lines))
    print(json.dumps({"stamps": len(lines)}))


main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
