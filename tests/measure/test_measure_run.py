"""Runs on the command line: told from models and graders, priced, measured again when their files change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from lens.errors import UsageError
from lens.instrument import registry
from lens.price import Price
from lens.reading import Declined, Measured, Quantity
from lens.runs.opening import fingerprint_here, open_run
from measure.commands.capabilities import command as capabilities
from measure.commands.measure import command as measure
from measure.commands.run import command as run
from measure.fingerprint import fingerprints
from measure.reviewing import RunRequest, reviewed
from measure.store import Made, Store
from measure.subjects import kind_of

ROWS = [
    {"step": step, "group": f"{step}-{group}", "reward": reward, "advantage": advantage, "score.answer": reward}
    for step in range(4)
    for group in range(2)
    for reward, advantage in ((1.0, 0.5), (0.0, -0.5))
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a cache of its own and a run of sixteen rollouts in it."""
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    write("run", ROWS)
    return tmp_path


def write(folder: str, rows: list[dict[str, Any]]) -> None:
    Path(folder).mkdir(exist_ok=True)
    Path(folder, "rollouts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def done(*words: str, command: Any = run) -> Result:
    found = CliRunner().invoke(command, list(words))
    assert found.exit_code == 0, found.output
    return found


def model(folder: str, built: str) -> None:
    Path(folder).mkdir(exist_ok=True)
    Path(folder, "config.json").write_text(json.dumps({"architectures": [built]}))
    Path(folder, "model.safetensors").write_bytes(b"")


def test_a_run_is_told_from_a_model_and_from_a_grader() -> None:
    model("rm", "LlamaForSequenceClassification")
    model("policy", "LlamaForCausalLM")
    model("run", "LlamaForCausalLM")  # the policy as its training left it
    write("trained-rm", ROWS)
    model("trained-rm", "LlamaForSequenceClassification")
    told = {name: kind_of(name) for name in ("run", "run/rollouts.jsonl", "rm", "policy", "trained-rm", "./grader.py")}
    assert told == {
        "run": "runs",
        "run/rollouts.jsonl": "runs",
        "rm": "models",
        "policy": "models",
        "trained-rm": "models",
        "./grader.py": "graders",
    }
    assert kind_of("scores:some/scores.jsonl") == "models"
    assert kind_of("shared:tiny/grpo_clean.rollouts.jsonl.gz") == "runs"


def test_capabilities_price_a_run_and_write_nothing() -> None:
    told = json.loads(done("run", "--json", "--edit", "clamp:answer=0..0.5", command=capabilities).output)
    fields = {one["name"]: one for one in told["fields"]}
    assert told["subject"]["kind"] == "runs"
    assert told["command"] == "lens measure run run --edit clamp:answer=0..0.5"
    assert {fields[name]["calls"] for name in ("coverage", "replay", "score-tree")} == {len(ROWS)}
    assert not Path("data").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "--corpus", "golds.jsonl"), "--corpus says nothing about a run"),
        (("mine.py:grade", "--edit", "drop:answer"), "--edit says nothing about a grader"),
        (("organism:length", "--baseline", "30"), "--baseline says nothing about a reward model"),
    ],
)
def test_an_option_of_another_kind_is_refused(words: tuple[str, ...], says: str) -> None:
    found = CliRunner().invoke(capabilities, list(words))
    assert found.exit_code == 2
    assert says in found.output


def test_an_empty_folder_says_what_a_run_could_look_like() -> None:
    Path("nothing").mkdir()
    found = CliRunner().invoke(capabilities, ["nothing"])
    assert isinstance(found.exception, UsageError)
    assert "--map FILE" in str(found.exception)


def test_a_fingerprint_is_told_without_reading_and_is_the_opened_record_s(here: Path) -> None:
    assert fingerprint_here("run") == open_run("run").header.fingerprint
    Path("its own.toml").write_text('files = "*.jsonl"\n[columns]\nstep = "step"\ngroup = "group"\nreward = "reward"\n')
    mapped = open_run("run", map="its own.toml")
    assert mapped.spec == "run --map 'its own.toml'"
    assert fingerprint_here(mapped.spec) == mapped.header.fingerprint != open_run("run").header.fingerprint
    kept = len(list((here / "cache" / "runs").iterdir()))
    write("other", ROWS[:4])
    fingerprint_here("other")
    assert len(list((here / "cache" / "runs").iterdir())) == kept


def states() -> dict[str, tuple[str, str]]:
    store = Store.open(Path("data"))
    judged = {id: store.staleness(id, fingerprints(store)) for id in store.ids()}
    return {store.record(id).evidence.instrument: (one.state, "; ".join(one.why)) for id, one in judged.items()}


def test_changed_files_are_stale_and_measured_again_and_files_elsewhere_cannot_be_checked() -> None:
    done("run", "--instrument", "coverage,replay", "--licence", "MIT", "--workers", "1")
    assert states() == {"coverage": ("fresh", ""), "replay": ("fresh", "")}
    write("run", [*ROWS, *({**row, "step": 4} for row in ROWS[:4])])
    told = states()
    assert {state for state, _ in told.values()} == {"stale"}
    assert "runs/run changed" in told["replay"][1]
    assert "2 stale, 2 measured again" in done("--stale", command=measure).output
    assert {state for state, _ in states().values()} == {"fresh"}
    evidence = Store.open(Path("data")).record("runs/run/coverage").evidence
    assert evidence.subject.licence == "MIT"
    Path("run").rename("away")
    state, why = states()["coverage"]
    assert (state, why) == ("not-checkable", "run isn't on this machine; run: run isn't on this machine")


def test_a_changed_mapping_is_stale() -> None:
    text = 'files = "*.jsonl"\n[columns]\nstep = "step"\ngroup = "group"\nreward = "reward"\n'
    Path("map.toml").write_text(text)
    done("run", "--map", "map.toml", "--instrument", "coverage", "--workers", "1")
    assert states()["coverage"][0] == "fresh"
    Path("map.toml").write_text(text + 'advantage = "advantage"\n')
    assert states()["coverage"][0] == "stale"
    assert "1 stale, 1 measured again" in done("--stale", command=measure).output


@pytest.mark.parametrize("name", ["aisi_olmo_kl0_seed2_series.json", "grpo_run/long", "trl_micro/partition_dapo"])
def test_what_is_foreseen_to_read_reads_and_nothing_else(shared: Path, tmp_path: Path, name: str) -> None:
    request = RunRequest(str(shared / "data/runs" / name), surrogates=20)
    with reviewed(request, tmp_path / "data", workers=1) as reviewing:
        foreseen = reviewing.foreseen(reviewing.chosen.values())
        ending = reviewing.run(show=False)
    assert not ending.failed
    priced = {name for name, found in foreseen.items() if isinstance(found, Price)}
    assert priced == {name for name, reading in ending.written.items() if not isinstance(reading, Declined)}


def test_a_reading_made_with_the_policy_outlives_a_review_without_it() -> None:
    with reviewed(RunRequest("run"), Path("data"), workers=1) as reviewing:
        partition = registry("runs")["update-partition"]
        without = reviewing.evidence(partition, Measured({"read": Quantity(4, "steps", "size")}, "read", "four steps"))
        made = replace(without, access=("policy.backward", "record.record"), parameters={"policies": "ab" * 32})
        reviewing.store.write([(made, {}, Made("2026-11-30T12:00:00+00:00"))])
        assert reviewing.standing(partition) == made.reading
    done("run", "--instrument", "update-partition", "--workers", "1")
    assert Store.open(Path("data")).record("runs/run/update-partition").evidence == made
    write("run", ROWS[:8])  # another record: the old reading is not of it
    done("run", "--instrument", "update-partition", "--workers", "1")
    assert isinstance(Store.open(Path("data")).record("runs/run/update-partition").evidence.reading, Declined)
