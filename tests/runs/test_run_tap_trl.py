"""The tap on a real run of TRL: what it records replays to the advantages that the trainer used."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lens.runs.opening import open_run
from lens.runs.record import Record

pytest.importorskip("trl", reason="TRL is not installed: pip install 'evidence-lens[trl]'")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("trl")]

LETTERS = "abcdefghij0123456789 +="
STEPS = 4


def a_count(completions: list[str], **_: Any) -> list[float]:
    return [one.count("a") / 4 for one in completions]


def digits(completions: list[str], **_: Any) -> list[float | None]:
    """Abstains on two of sixteen, by their place."""
    scores: list[float | None] = [sum(one.isdigit() for one in text) / 8 for text in completions]
    scores[3] = None
    scores[10] = None
    return scores


def vowel(completions: list[str], **_: Any) -> list[float | None]:
    """Abstains on one of the two that `digits` abstains on."""
    return [None if at == 3 else float("e" in one) for at, one in enumerate(completions)]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama over letters, small enough for a second of training."""
    import torch
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("policy")
    words = {token: at for at, token in enumerate(["<pad>", "<eos>", *LETTERS])}
    made = Tokenizer(models.WordLevel(words, unk_token="<pad>"))
    made.pre_tokenizer = pre_tokenizers.Split(Regex(""), "isolated")
    PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="<eos>").save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=64, pad_token_id=0, eos_token_id=1, bos_token_id=None,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def trained(policy: Path, out: Path, functions: list[Any], **changed: Any) -> Any:
    """A trainer with the tap on it, trained."""
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from lens.runs.tap.trl import record

    torch.manual_seed(0)
    options = {
        "output_dir": str(out / "trl"), "per_device_train_batch_size": 16, "num_generations": 4,
        "max_completion_length": 8, "max_steps": STEPS, "logging_steps": 1, "report_to": [], "use_cpu": True,
        "bf16": False, "save_strategy": "no", "disable_tqdm": True, "learning_rate": 1e-2, "seed": 0, "beta": 0.1,
    }  # fmt: skip
    prompts = Dataset.from_dict({"prompt": [f"{at}+{at}=" for at in range(8)]})
    trainer = GRPOTrainer(
        model=str(policy), reward_funcs=functions, args=GRPOConfig(**{**options, **changed}), train_dataset=prompts
    )
    recorder = record(trainer, out / "record")
    used: list[float] = []
    generate = trainer._generate_and_score_completions

    def watched(inputs: Any) -> Any:
        output = generate(inputs)
        used.extend(output["advantages"].tolist())
        return output

    trainer._generate_and_score_completions = watched
    trainer.train(resume_from_checkpoint=changed.get("resume_from_checkpoint"))
    return trainer, recorder, used


def replayed(run: Record, weights: dict[str, float]) -> np.ndarray[Any, Any]:
    """Advantages from the leaves: weighted sums over what was scored, by group, ddof 1, 1e-4; 0 where nothing was."""
    names = ", ".join(f'"score.{name}"' for name in weights)
    rows = run.sql(f'SELECT "group", {names} FROM rollouts ORDER BY row')
    leaves = np.array([[np.nan if one is None else one for one in row[1:]] for row in rows])
    totals = np.nansum(leaves * np.array(list(weights.values())), axis=1)
    totals[np.isnan(leaves).all(axis=1)] = np.nan
    groups = np.array([row[0] for row in rows])
    found = np.zeros(len(rows))
    for group in np.unique(groups):
        here = totals[groups == group]
        found[groups == group] = (here - np.nanmean(here)) / (np.nanstd(here, ddof=1) + 1e-4)
    return np.nan_to_num(found)


@pytest.fixture(scope="module")
def recorded(policy: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Record, list[float], Any]:
    out = tmp_path_factory.mktemp("run")
    trainer, recorder, used = trained(policy, out, [a_count, digits, vowel], reward_weights=[1.0, 0.5, 0.25])
    assert recorder.tap is not None
    return open_run(str(out / "record")), used, trainer


def test_advantages_replay_from_the_recorded_leaves(recorded: tuple[Record, list[float], Any]) -> None:
    run, used, _ = recorded
    written = np.array([one for (one,) in run.sql("SELECT advantage FROM rollouts ORDER BY row")])
    assert np.array_equal(written, np.array(used))
    again = replayed(run, run.header.settings.weights or {})
    assert np.abs(again - written).max() < 1e-5
    assert np.abs(written).max() > 0.5


def test_every_rollout_is_there_with_its_group_prompt_and_step(recorded: tuple[Record, list[float], Any]) -> None:
    run, _, _ = recorded
    assert run.header.adapter == "flat"
    assert run.counts == {"rows": 16 * STEPS, "steps": STEPS, "groups": 4 * STEPS, "first": 1, "last": STEPS}
    assert run.header.trained == 16 * STEPS
    assert run.sql('SELECT DISTINCT count(*), count(DISTINCT prompt) FROM rollouts GROUP BY "group"') == [(4, 1)]
    assert run.sql("SELECT count(*) FROM rollouts WHERE sampled_at <> step - 1") == [(0,)]
    assert run.sql(
        "SELECT count(*) FROM texts t JOIN rollouts r USING (row) WHERE length(t.completion) <> r.chars"
    ) == [(0,)]
    scores = run.sql(
        "SELECT avg(abs((\"score.a_count\" * 4) - (length(completion) - length(replace(completion, 'a', ''))))) "
        "FROM rollouts JOIN texts USING (row)"
    )
    assert scores == [(0.0,)]


def test_an_abstention_is_null_and_not_zero(recorded: tuple[Record, list[float], Any]) -> None:
    run, _, _ = recorded
    counts = run.sql('SELECT count("score.a_count"), count("score.digits"), count("score.vowel") FROM rollouts')
    assert counts == [(16 * STEPS, 14 * STEPS, 15 * STEPS)]
    both = '"score.digits" IS NULL AND "score.vowel" IS NULL'
    assert run.sql(f'SELECT reward - "score.a_count" FROM rollouts WHERE {both}') == [(0.0,)] * STEPS


def test_series_settings_and_log_probabilities_are_the_trainers(recorded: tuple[Record, list[float], Any]) -> None:
    run, _, trainer = recorded
    history = [row for row in trainer.state.log_history if "grad_norm" in row]
    assert run.series("grad_norm", "rewards/digits/mean") == {
        row["step"]: {name: row[name] for name in ("grad_norm", "rewards/digits/mean")} for row in history
    }
    settings = run.header.settings
    assert (settings.algorithm, settings.scale, settings.ddof, settings.epsilon) == ("grpo", "group", 1, 1e-4)
    assert (settings.group_size, settings.batch_size, settings.beta) == (4, 16, 0.1)
    assert settings.weights == {"a_count": 1.0, "digits": 0.5, "vowel": 0.25}
    assert run.header.trainer.startswith("TRL 1.16")
    logp = run.sql("SELECT max(logp_ref), min(logp_ref), min(tokens), max(tokens) FROM rollouts")[0]
    assert -8 * math.log(3 * len(LETTERS)) < logp[1] < logp[0] < 0
    assert 1 <= logp[2] <= logp[3] <= 8
    assert run.sql("SELECT count(*) FROM rollouts WHERE truncated AND tokens < 8") == [(0,)]


def test_reused_generations_are_recorded_once_and_a_run_goes_on_behind_its_checkpoint(
    policy: Path, tmp_path: Path
) -> None:
    options = {"num_iterations": 2, "save_strategy": "steps", "save_steps": 2}
    trained(policy, tmp_path, [a_count, digits], **options)
    run = open_run(str(tmp_path / "record"))
    assert run.counts == {"rows": 32, "steps": 2, "groups": 8, "first": 1, "last": 3}
    assert run.sql("SELECT count(logp_old) FROM rollouts") == [(32,)]
    before = run.header.fingerprint
    checkpoint = str(tmp_path / "trl" / "checkpoint-2")
    trained(policy, tmp_path, [a_count, digits], **options, max_steps=6, resume_from_checkpoint=checkpoint)
    run = open_run(str(tmp_path / "record"))
    assert run.sql("SELECT step, count(*) FROM rollouts GROUP BY step ORDER BY step") == [(1, 16), (3, 16), (5, 16)]
    (resumed,) = run.header.findings
    assert (resumed.code, resumed.rows) == ("resumed", 16)
    assert run.header.fingerprint != before
    assert sorted(run.series("loss")) == [1, 2, 3, 4, 5, 6]
    assert len(list((tmp_path / "record" / "abandoned").rglob("*.parquet"))) == 3


def test_an_error_in_recording_lets_the_training_go_on(policy: Path, tmp_path: Path) -> None:
    from lens.runs.tap.recorder import Tap

    class Full(Tap):
        def step(self, step: int, **columns: Any) -> None:  # type: ignore[override]
            if step == 3:
                raise OSError("No space left on device")
            super().step(step, **columns)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("lens.runs.tap.trl.Tap", Full)
        with pytest.warns(RuntimeWarning, match=r"recording stopped after step 2: No space left on device"):
            trainer, recorder, _ = trained(policy, tmp_path, [digits])
    assert trainer.state.global_step == STEPS
    assert recorder.tap is None
    run = open_run(str(tmp_path / "record"))
    assert (run.counts["rows"], run.counts["last"]) == (32, 2)
    assert [one.code for one in run.header.findings] == ["recording-stopped"]
    assert run.sql('SELECT advantage FROM rollouts WHERE "score.digits" IS NULL AND reward IS NULL') == [(0.0,)] * 4
