"""A tap on a training run: what it rewarded, and how that became an update, recorded as it goes.

    from lens.runs.tap import Tap                      # any trainer
    from lens.runs.tap.trl import record               # TRL: record(trainer, "runs/mine"), and that's all

Both write the flat record of `lens.runs.columns`, which `lens measure run runs/mine` reads, also while the run goes on.
A part appears under its name once it is whole, so a run that dies leaves nothing half-written, and less than a minute
of it is lost.
"""

from __future__ import annotations

from lens.runs.tap.recorder import Tap

__all__ = ["Tap"]
