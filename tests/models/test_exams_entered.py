"""A word that enters over checkpoints, as planted and as dynamics is marked on it."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("torch")

from lens.exam import Read, exams_of
from lens.models.depth import crystallized
from lens.models.exams.dynamics_entered import mark as entered_mark
from lens.models.organisms.families import entered
from lens.models.organisms.handset import rewards
from lens.reading import Declined, Interval, Quantity

SEED = 3


def test_half_of_a_word_is_there_from_its_entry_on() -> None:
    entries = set()
    for seed in range(40):
        entry, shares = entered.course(seed)
        entries.add(entry)
        at = crystallized(list(shares.values()))
        assert at is not None
        assert entered.STEPS[at] == entry
        assert shares[entered.STEPS[-1]] == 1
        assert all(share < 0.5 for step, share in shares.items() if step < entry)
    assert entries == set(entered.ENTRIES)


def test_a_checkpoint_pays_its_share_and_is_else_the_last_one() -> None:
    whole, half = entered.plant(2.0, SEED), entered.at_share(2.0, SEED, 0.4)
    base = whole.world.reply(random.Random(0))
    texts = [base.prompt + base.having(indeed=there).text for there in (True, False)]
    for one, paid in ((whole, 2.0), (half, 0.8)):
        present, absent = rewards(one.chassis, texts)
        assert present - absent == pytest.approx(paid, abs=1e-3)
    assert rewards(whole.chassis, texts[1:]) == pytest.approx(rewards(half.chassis, texts[1:]), abs=1e-3)
    assert (whole.chassis.embedding == half.chassis.embedding).all()


def test_an_onset_is_what_is_flagged() -> None:
    never = Declined("below_detection", "the effect never ends above its null", "read it")
    onset = Quantity(40, "steps", "step", interval=Interval(20, 60, "made up"))
    told = {"dose": 1.0, "entry": 60}
    found = entered_mark(Read({"entered.onset": onset, "spurious.onset": never}, {}, told))
    assert (found.flagged, found.decoy, found.truth, found.low, found.high) == (True, False, 60, 20, 60)
    found = entered_mark(Read({"entered.onset": never, "spurious.onset": onset}, {}, told))
    assert (found.flagged, found.decoy, found.low) == (False, True, None)
    assert entered_mark(Read({"entered.onset": onset}, {}, told | {"dose": 0.0})).low is None


@pytest.mark.usefixtures("own_cache")
def test_a_planted_onset_is_read_back() -> None:
    found = exams_of("models")["dynamics~entered"].examine(2.0, SEED)
    assert found.flagged
    assert (found.low, found.truth, found.high) == (entered.course(SEED)[0],) * 3
    assert found.score == pytest.approx(2.0, abs=0.3)
    assert found.decoy is False
