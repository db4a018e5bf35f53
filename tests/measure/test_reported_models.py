"""Published figures of reward models: what stands in the store is what the fixtures hold, and sources that disagree are
named."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from lens.canonical import file_digest
from lens.names import kebab
from lens.reading import Evidence, Reported
from measure.reported import reported
from measure.store import Made, Store

ROOT = Path(__file__).parent.parent.parent
SKYWORK, ARMO = "skywork-reward-llama-3-1-8b-v0-2", "armorm-llama3-8b-v0-1"


@pytest.fixture(scope="module")
def records() -> dict[tuple[str, str], Evidence]:
    """By subject and source."""
    return {(one.subject.slug, one.variant): one for one in reported(ROOT / "data" / "reported")}


def printed(evidence: Evidence, prefix: str) -> dict[str, str]:
    assert isinstance(evidence.reading, Reported)
    return {
        name.removeprefix(prefix): quote.printed for name, quote in evidence.reading.fields.items() if prefix in name
    }


@pytest.mark.shared
def test_every_dimension_of_four_models_is_the_fixture_s(
    records: dict[tuple[str, str], Evidence], shared: Path
) -> None:
    path = shared / "data" / "anchor" / "golden.json"
    golden = json.loads(path.read_text())["E04"]
    assert len(golden["per_model_dimension_rho"]) == 4
    for model, rhos in golden["per_model_dimension_rho"].items():
        one = records[kebab(model), "golden"]
        assert isinstance(one.reading, Reported)
        assert one.reading.source_digest == file_digest(path)
        assert one.reading.citation
        assert one.reading.locator
        told = printed(one, "faithfulness.")
        assert {name.replace("-", "_"): float(value) for name, value in told.items()} == rhos
        assert len(told) == 12
        assert float(one.reading.fields["faithfulness"].printed) == golden["per_model_mean_rho"][model]


@pytest.mark.parametrize(("slug", "mean", "error"), [(SKYWORK, -0.171, 0.063), (ARMO, 0.047, 0.029)])
def test_the_mean_is_that_of_the_dimensions_as_printed(
    records: dict[tuple[str, str], Evidence], slug: str, mean: float, error: float
) -> None:
    """The spread between dimensions tests nothing: they are fixed sets of stimuli that share one model."""
    one = records[slug, "golden"]
    values = [float(value) for value in printed(one, "faithfulness.").values()]
    assert isinstance(one.reading, Reported)
    assert float(one.reading.fields["faithfulness"].printed) == pytest.approx(statistics.fmean(values), abs=1e-6)
    assert statistics.fmean(values) == pytest.approx(mean, abs=5e-4)
    assert statistics.stdev(values) / 12**0.5 == pytest.approx(error, abs=5e-4)
    assert "no sample" in one.reading.fields["faithfulness"].note


def test_the_disagreement_of_paper_and_site_is_named(records: dict[tuple[str, str], Evidence], tmp_path: Path) -> None:
    """With the note both stand; without it the store calls it a conflict."""
    import msgspec

    made = Made(time="2026-01-01T00:00:00Z", command="make measure")
    both = [records[SKYWORK, source] for source in ("golden", "paper-abstract")]
    noted = Store.open(tmp_path / "noted")
    noted.write((one, {}, made) for one in both)
    assert noted.conflicts() == []
    (told,) = [one.differs for one in both if one.differs]
    assert "-0.256" in told
    assert "-0.170885" in told
    silent = Store.open(tmp_path / "silent")
    silent.write((msgspec.structs.replace(one, differs=""), {}, made) for one in both)
    (conflict,) = silent.conflicts()
    assert conflict.field == "faithfulness"
    assert {conflict.left_value.split()[0], conflict.right_value.split()[0]} == {"-0.256", "-0.170885"}
