"""Gauge at scale, on a tiny model that is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from named_studies import ran

from lens.models.organisms.wordplay import World
from lens.studies.at_scale._model import model, states


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    found = ran(tmp_path, "gauge-at-scale", "organism:spurious")
    assert found.name == "sealed"
    assert found.outcomes.keys() == {"whitened", "raw", "framed"}
    assert (found.outcomes["whitened"], found.outcomes["raw"]) == ("confirmed", "confirmed")
    assert max(found.units["whitened"]) < min(found.units["raw"])


def test_the_states_of_a_model_are_what_its_head_reads() -> None:
    import random

    draw, world = random.Random(1), World(("thanks", "indeed"))
    replies = [world.reply(draw) for _ in range(30)]
    found = model("organism:spurious")
    row, bias = found.head_row
    said = states("organism:spurious", replies) @ row.double().numpy() + bias
    assert np.allclose(said, found.rewards([found.encode(one.prompt, one.text) for one in replies]), atol=1e-3)
