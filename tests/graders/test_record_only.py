"""Fields read from a run's record: counted values, published estimators recomputed, and what the record lacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lens.access import Access
from lens.errors import UsageError
from lens.graders.audit import Audit
from lens.graders.instruments.abstention_channel import abstention_channel
from lens.graders.instruments.curl_mass import curl_mass
from lens.graders.instruments.exploit_families import exploit_families
from lens.graders.instruments.silent_zeros import silent_zeros
from lens.graders.instruments.unseen_exploits import unseen_exploits
from lens.reading import Declined, Measured, Quantity, Result
from lens.runs.opening import open_run


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def audit_of(tmp_path: Path, rows: list[dict[str, Any]]) -> Audit:
    path = tmp_path / "rollouts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Audit(None, {}, Access.parse("record.record"), record=open_run(str(path)))  # type: ignore[arg-type]


def rollouts(scores: list[float | None], **columns: list[Any]) -> list[dict[str, Any]]:
    rows = [{"step": 0, "group": at // 4, "rewards": {"match": score}} for at, score in enumerate(scores)]
    for name, values in columns.items():
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    return rows


def test_zeros_where_scoring_failed_are_told_from_wrong_answers(tmp_path: Path) -> None:
    rows = rollouts([0, 0, 1, 0, 0, 0, 0, 0], error=["timeout", "", "", "", "timeout", "", "", ""])
    reading = silent_zeros(audit_of(tmp_path, rows))
    assert isinstance(reading, Measured)
    counts = {name: (field.value, field.of) for name, field in reading.fields.items() if isinstance(field, Quantity)}
    assert counts == {"zeros": (7, 8), "silent": (2, 7), "dead-groups": (1, 2)}


def test_without_an_error_column_only_the_bound_is_known(tmp_path: Path) -> None:
    reading = silent_zeros(audit_of(tmp_path, rollouts([0, 1, 0, 1])))
    assert isinstance(reading, Measured)
    silent = reading.fields["silent"]
    assert isinstance(silent, Declined)
    assert silent.reason == "record_incomplete"
    assert silent.bound is not None
    assert silent.bound.value == 2
    assert reading.headline == "zeros"


def test_an_abstention_is_counted_apart_and_its_total_is_looked_at(tmp_path: Path) -> None:
    rows = rollouts([1, None, 0, None], reward=[1, 0, 0, None])
    reading = abstention_channel(audit_of(tmp_path, rows))
    assert isinstance(reading, Measured)
    assert reading.fields["abstained"] == Quantity(
        2,
        "scores",
        "count",
        of=4,
        interval=reading.fields["abstained"].interval,
        n=4,
        n_eff=4,  # type: ignore[union-attr]
    )
    forced = reading.fields["forced-to-zero"]
    assert isinstance(forced, Quantity)
    assert (forced.value, forced.of) == (1, 2)


def test_no_abstention_seen_is_bounded_by_the_rule_of_three(tmp_path: Path) -> None:
    reading = abstention_channel(audit_of(tmp_path, rollouts([1.0] * 60)))
    assert isinstance(reading, Measured)
    abstained = reading.fields["abstained"]
    assert isinstance(abstained, Quantity)
    assert abstained.interval is not None
    assert (abstained.value, abstained.interval.high) == (0, 0.05)


def test_good_turing_and_chao1_on_counts_worked_by_hand(tmp_path: Path) -> None:
    families = ["box"] * 12 + ["echo"] * 6 + ["nan"] * 2 + ["log"] * 2 + ["a", "b", "c"]
    reading = unseen_exploits(audit_of(tmp_path, rollouts([1.0] * 25, exploit=families)))
    assert isinstance(reading, Measured)
    mass, chao = reading.fields["unseen-mass"], reading.fields["chao1"]
    assert isinstance(mass, Quantity)
    assert isinstance(chao, Quantity)
    assert mass.value == pytest.approx(3 / 25)
    assert chao.value == pytest.approx(7 + 24 / 25 * 3 * 2 / (2 * 3))
    assert chao.interval is not None
    assert 7 <= chao.interval.low < chao.value < chao.interval.high


@pytest.mark.parametrize("families", [["a"] * 5, [f"f{at}" for at in range(40)]], ids=["few", "all-seen-once"])
def test_small_exploit_logs_decline_with_what_they_show(tmp_path: Path, families: list[str]) -> None:
    reading = unseen_exploits(audit_of(tmp_path, rollouts([1.0] * len(families), exploit=families)))
    assert isinstance(reading, Declined)
    assert reading.reason == "below_detection"
    assert reading.bound is not None
    assert reading.bound.value == len(set(families))


def test_a_record_that_names_no_exploits_says_which_column_to_add(tmp_path: Path) -> None:
    reading = unseen_exploits(audit_of(tmp_path, rollouts([1.0] * 4)))
    assert isinstance(reading, Declined)
    assert (reading.reason, reading.needs) == ("record_incomplete", "column exploit")


def test_a_program_has_no_circular_preferences(tmp_path: Path) -> None:
    assert curl_mass(audit_of(tmp_path, rollouts([1.0]))).reason == "not_applicable"


def test_what_each_family_of_exploits_was_paid(tmp_path: Path) -> None:
    rows = rollouts([1, 1, 0, 0, 1, 0, 0, 1], exploit=["box", "", "", "echo", "box", "", "", ""])
    rows = [row | {"step": at // 4, "reward": row["rewards"]["match"]} for at, row in enumerate(rows)]
    result = exploit_families(audit_of(tmp_path, rows))
    assert isinstance(result, Result)
    assert isinstance(result.reading, Measured)
    fields = {name: field for name, field in result.reading.fields.items() if isinstance(field, Quantity)}
    counts = {name: (field.value, field.of) for name, field in fields.items() if field.of}
    assert counts["exploits"] == (3, 8)
    assert (counts["paid"], counts["box.paid"], counts["echo.paid"]) == ((2, 3), (2, 2), (0, 1))
    assert fields["pushed"].value == pytest.approx(0.5)
    assert (fields["box.first"].value, fields["echo.first"].value) == (0, 0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "looks like no format"),
        ("[1]\n", "looks like no format"),
        ('{"group": 1, "rewards": {"a": 1}}\n{"group"\n{"group": 1}\n', ":2: not JSON"),
        ('{"group": 1, "text": "x"}\n', "looks like no format"),
        ('{"reward": 1}\n', "looks like no format"),
    ],
)
def test_bad_records_say_what_is_wrong_and_where(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match=says):
        open_run(str(path))
