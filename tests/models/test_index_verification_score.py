"""All of the margin at the embedding, none after the last block, and a relation later than a word."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.verification_score import curve, hand_over, spliced, verification_score
from lens.models.subject import open_model
from lens.models.told import told
from lens.reading import Declined
from tests.models import opened


def test_the_first_depth_under_a_half_in_units_that_do_not_matter() -> None:
    recovered = np.array([[2.0, 1.8, 0.6, 0.0], [4.0, 3.8, 0.2, 0.0]])
    margins = np.array([2.0, 4.0])
    assert curve(recovered, margins) == pytest.approx([1.0, 5.6 / 6, 0.8 / 6, 0.0])
    assert hand_over(curve(recovered, margins)) == 2
    assert curve(-7 * recovered, -7 * margins) == pytest.approx(curve(recovered, margins))
    assert hand_over(np.array([1.0, 1.0, 0.9])) == 2


def test_patching_nothing_is_the_corrupt_text_and_everything_the_clean_one() -> None:
    model = opened.model()
    trunk = model.trunk
    clean, corrupt = (trunk.trace(model.scored(model.encode("q: ", text))) for text in ("red cat.", "dog eat."))
    assert len(clean.h[0]) == len(corrupt.h[0])
    assert spliced(trunk, clean, corrupt, []).tolist() == pytest.approx([corrupt.reward] * (trunk.layers + 1), abs=1e-5)
    everywhere = list(range(len(clean.h[0])))
    assert spliced(trunk, clean, corrupt, everywhere).tolist() == pytest.approx(
        [clean.reward] * (trunk.layers + 1), abs=1e-5
    )


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_rule_is_handed_over_where_its_head_sums_it(seed: int) -> None:
    """A word is summed at once; a digit must be matched by one head before a head of a later layer sums the matches."""
    model = open_model(f"organism:relational?dose=1&seed={seed}", device="cpu", dtype="float32")
    result = verification_score(opened.inspection(model, model.own_pairs, sample=24))
    fields = opened.fields(result)
    assert fields["start"].value < 1e-3
    assert fields["end"].value < 1e-5
    layer = {site["does"]: site["layer"] for site in told(model)["sites"]}
    for axis, does in (("match", "sums match"), ("thanks", "sums thanks")):
        assert fields[f"{axis}.hand-over"].value == (layer[does] + 1) / 4
        assert abs(fields[f"{axis}.elsewhere"].value) < 0.25
    assert fields["match.hand-over"].value >= 0.5
    table = result.tables["curves"]
    first = table["axis"].index("match")
    assert table["score"][first] == pytest.approx(1.0, abs=1e-3)
    assert table["layer"][first : first + 5] == [0, 1, 2, 3, 4]


def test_declines_without_axes_and_without_twins() -> None:
    found = verification_score(opened.inspection(opened.model(), opened.pairs(12)))
    assert isinstance(found.reading, Declined)
