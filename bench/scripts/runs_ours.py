"""Readings of a flat record, as `lens measure run` makes them: `runs_ours.py FOLDER INSTRUMENT…`.

With `known` in front of the instruments what the record check finds is taken for given (GRPO's rule, as the made-up
record has it), so that it isn't paid for. Prints how many signs an edit of the reward flips, where it was read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec

from lens.instrument import find
from lens.reading import Measured, Quantity, Result
from lens.runs.record import open_folder
from lens.runs.review import Review

EDIT = "drop:style"


def main() -> None:
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    review = Review(run=open_folder(folder, "made-up", str(folder)), edits=(EDIT,))
    if names[0] == "known":
        _know(review)
        names = names[1:]
    flips: int | None = None
    for name in names:
        instrument = find("runs", name)
        assert instrument is not None
        reading = instrument.run(review)
        reading = reading.reading if isinstance(reading, Result) else reading
        if not isinstance(reading, Measured):
            raise SystemExit(f"{name} didn't measure: {reading}")
        flipped = reading.fields.get("drop-style.flips.tenfold")
        flips = int(flipped.value) if isinstance(flipped, Quantity) else flips
    print(json.dumps({"flips": flips}))


def _know(review: Review) -> None:
    from lens.runs.selection.composition import Composition
    from lens.runs.selection.replay import Replay, Tried
    from lens.runs.selection.rules import Rule

    composed = Composition({"correct": 1.0, "style": 0.5}, "known", 0.0)
    spreads = dict(enumerate(msgspec.json.decode((review.run.folder / "spreads.json").read_bytes())))
    told = Replay((Tried(Rule("group"), 0.0, 0, 0, (0, 0, 0)),), composed, 0, 0, 0, 0.0, spreads)
    review.memo |= {"composition": (composed, {}, {}), "replay": (told, {}, {})}


if __name__ == "__main__":
    main()
