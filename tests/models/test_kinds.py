"""What each kind of reward is, held against a plain account of it written out here."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from lens.errors import UsageError
from lens.models.adapters.judge import filled
from lens.models.controls import untrained
from lens.models.own_lens import own_lens
from lens.models.patch import naive, sites
from lens.models.spec import parse, parts
from lens.models.subject import open_model
from tests.models import tiny
from tests.models.subjects import ARCHITECTURES, TEXTS, encoded, folder, model, spec


@pytest.mark.parametrize("name", ["dpo", "dpo-gemma2"])
@torch.no_grad()
def test_dpo_is_beta_times_the_log_ratio_of_the_reply(name: str) -> None:
    one = model(name)
    for text, reward in zip(encoded(name), one.rewards(encoded(name)), strict=True):
        totals = []
        for member in one.members:
            logs = member.network(torch.tensor([text.ids])).logits[0].log_softmax(-1)
            totals.append(sum(float(logs[i - 1, text.ids[i]]) for i in range(text.response, len(text))))
        assert reward == pytest.approx(one.beta * (totals[0] - totals[1]), abs=2e-5)
    assert one.beta == (0.2 if name == "dpo" else 0.1)


def test_dpo_of_a_policy_against_itself_is_nothing() -> None:
    same = folder("llama-causal-0")
    one = open_model(f"dpo:{same}+{same}", device="cpu")
    assert one.rewards([one.encode(*text) for text in TEXTS]) == [0.0] * len(TEXTS)


@pytest.mark.parametrize("name", ["judge", "judge-plain", "judge-gemma2"])
@torch.no_grad()
def test_a_judge_is_one_verdicts_lead_over_the_other(name: str) -> None:
    one = model(name)
    yes, no = (one.writer.tokenizer.convert_tokens_to_ids(word) for word in "YN")
    for text, reward in zip(encoded(name), one.rewards(encoded(name)), strict=True):
        last = one.network(torch.tensor([text.ids])).logits[0, -1]
        assert reward == pytest.approx(float(last[yes] - last[no]), abs=1e-5)


def test_what_fills_a_question_is_not_filled_again() -> None:
    assert filled("{prompt}|{response}", prompt="{response}", response="{prompt}") == "{response}|{prompt}"


def test_a_judges_question_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "question.txt").write_text("{prompt}|{response}|{yes} or {no}?")
    one = open_model(
        f"judge:{folder('qwen3-causal-0-plain')}?yes=Y&no=N&question={tmp_path}/question.txt", device="cpu"
    )
    plain = one.writer.tokenizer("ab|cd|Y or N?Answer:")["input_ids"]
    assert list(one.encode("ab", "cd").ids) == plain
    assert one.encode("ab", "cd").response == plain.index(one.writer.tokenizer.convert_tokens_to_ids("c"))


@torch.no_grad()
def test_a_process_reward_reads_each_step_at_its_separator() -> None:
    one = model("process")
    text = one.encode("Add 2 and 3.", "First, 2 and 3.\n\nThen 2 + 3 = 5.\n\nSo: 5.")
    said = one.writer.tokenizer.decode(text.ids).replace(" ", "")
    assert said.endswith("So:5.\n\n")
    assert len(one.ends(text)) == 3
    logits = one.network(torch.tensor([text.ids])).logits[0].softmax(-1)
    steps = [float(logits[end, 1]) for end in one.ends(text)]
    assert one.steps([text])[0] == pytest.approx(steps, abs=1e-6)
    assert one.rewards([text])[0] == pytest.approx(math.prod(steps), abs=1e-6)


@torch.no_grad()
def test_a_language_model_judges_steps_by_two_words() -> None:
    one = model("process-words")
    good, bad = (one.writer.tokenizer.convert_tokens_to_ids(word) for word in "+-")
    text = one.encode("Add.", "one\ntwo")
    logits = one.network(torch.tensor([text.ids])).logits[0]
    steps = [float(logits[end, [good, bad]].softmax(-1)[0]) for end in one.ends(text)]
    assert len(steps) == 2
    assert one.rewards([text])[0] == pytest.approx(statistics.fmean(steps), abs=1e-6)


@torch.no_grad()
def test_a_dense_reward_reads_the_replys_tokens() -> None:
    one = model("dense")
    text = encoded("dense")[1]
    scores = one.network(torch.tensor([text.ids])).logits[0, :, 0]
    assert one.rewards([text])[0] == pytest.approx(float(scores[text.response :].sum()), rel=1e-5)


def test_the_last_of_a_dense_reward_is_the_scalar_heads() -> None:
    scalar = model("llama")
    dense = open_model(f"dense:{folder('llama-reward-0')}?reduce=last", device="cpu")
    text = scalar.encode("Name a colour.", "Red")
    cut = type(text)(text.ids[:-1], text.response)
    assert dense.rewards([cut])[0] == pytest.approx(scalar.rewards([cut])[0], abs=1e-6)


def test_an_ensemble_is_its_members_mean_less_their_spread() -> None:
    one = model("ensemble")
    members = enumerate(one.members)
    columns = [member.rewards([text.parts[i] for text in encoded("ensemble")]) for i, member in members]
    for reward, scores in zip(one.rewards(encoded("ensemble")), zip(*columns, strict=True), strict=True):
        assert reward == pytest.approx(statistics.fmean(scores) - 0.5 * statistics.stdev(scores), abs=1e-6)


def test_a_rubric_adds_its_criteria_by_weight() -> None:
    one = model("rubric")
    scores = one.objectives(encoded("rubric"))
    assert list(scores) == ["good", "short"]
    assert scores["short"] == pytest.approx(model("qwen3").rewards(encoded("qwen3")), abs=1e-6)
    for reward, good, short in zip(one.rewards(encoded("rubric")), scores["good"], scores["short"], strict=True):
        assert reward == pytest.approx(2.0 * good - 0.5 * short, abs=1e-5)


def test_a_trajectory_scores_every_turn_after_what_came_before() -> None:
    one, turn = model("trajectory"), model("llama")
    asked = (
        {"role": "user", "content": "Hi."},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "2+2?"},
    )
    first, second = turn.rewards([turn.encode(asked[:1], "Hello!"), turn.encode(asked, "4")])
    assert one.rewards([one.encode(asked, "4")])[0] == pytest.approx(first + 0.5 * second, abs=1e-6)
    assert one.turns([one.encode(asked, "4")])[0] == pytest.approx([first, second], abs=1e-6)
    assert one.rewards([one.encode("Hi.", "Hello!")])[0] == pytest.approx(first, abs=1e-6)


@torch.no_grad()
def test_gated_objectives_follow_the_published_forward() -> None:
    """Written out after modeling_custom.py of RLHFlow/ArmoRM-Llama3-8B-v0.1, from the file's own tensors."""
    one = model("armorm")
    weights = load_file(folder("armorm") / "model.safetensors")
    mark = one.writer.tokenizer("<|assistant|>", add_special_tokens=False)["input_ids"]
    rewards = one.rewards(encoded("armorm"))
    gates, objectives = one.gates(encoded("armorm")), one.objectives(encoded("armorm"))
    for number, text in enumerate(encoded("armorm")):
        ids = list(text.ids)
        start = max(i for i in range(len(ids)) if ids[i : i + len(mark)] == mark)
        hidden = one.network.model(torch.tensor([ids])).last_hidden_state[0]
        gate = hidden[start]
        for i in range(4):
            gate = torch.nn.functional.linear(
                gate, weights[f"gating.layers.{i}.weight"], weights[f"gating.layers.{i}.bias"]
            )
            gate = torch.relu(gate) if i < 3 else gate
        gate = torch.softmax(gate / 4, dim=0) * weights["gating.logit_scale"][0]
        scores = weights["regression_layer.weight"] @ hidden[-1]
        expected = float((gate * (scores @ weights["reward_transform_matrix"])).sum())
        assert rewards[number] == pytest.approx(expected, abs=1e-5)
        assert [column[number] for column in gates.values()] == pytest.approx(gate.tolist(), abs=1e-5)
        assert [column[number] for column in objectives.values()] == pytest.approx(scores.tolist(), abs=1e-4)
        assert sum(column[number] for column in gates.values()) == pytest.approx(1.7, abs=1e-5)
        trunk = one.trunk_for(text)
        assert trunk.trace(one.scored(text)).reward == pytest.approx(expected, abs=2e-5)


def test_one_objective_alone_is_a_row() -> None:
    alone, whole = model("armorm-objective"), model("armorm")
    assert alone.rewards(encoded("armorm")) == pytest.approx(
        whole.objectives(encoded("armorm"))["objective-2"], abs=1e-5
    )
    assert alone.fingerprint != whole.fingerprint
    copy = untrained(alone, 3)
    assert copy.rewards(encoded("armorm")[:2]) != pytest.approx(alone.rewards(encoded("armorm")[:2]), abs=1e-3)


def test_no_remote_code_is_needed_for_gated_objectives() -> None:
    assert not list(folder("armorm").glob("*.py"))
    assert "auto_map" in json.loads((folder("armorm") / "config.json").read_text())


def test_a_readout_of_two_rows_is_their_difference() -> None:
    rows = [open_model(f"{folder('llama-reward2-0')}?readout={row}", device="cpu") for row in "01"]
    zero, one = (row.rewards(encoded("readout")) for row in rows)
    expected = [b - a for a, b in zip(zero, one, strict=True)]
    assert model("readout").rewards(encoded("readout")) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("name", [*ARCHITECTURES, "process", "dense", "armorm", "judge-gemma2", "judge"])
def test_the_own_lens_ends_at_the_reward(name: str) -> None:
    """Through the model's own head by hooks; where the head is one row on a final norm, the exact form agrees."""
    one, text = model(name), encoded(name)[3]
    curve = own_lens(one, text)
    assert curve[-1] == one.rewards([text])[0]
    assert len(curve) == 4
    if one.trunk is not None:
        trace = one.trunk.trace(one.scored(text))
        exact = [float(one.trunk.readout.reward(h[-1])) for h in trace.h]
        assert curve == pytest.approx(exact, abs=1e-5)


@pytest.mark.parametrize("name", [*tiny.ENCODERS, "process", "dense", "armorm"])
def test_class_b_is_patched_by_whole_forwards(name: str) -> None:
    one, texts = model(name), encoded(name)
    some = [*sites.components(3), *sites.heads(3, 4), *sites.stream(3, 2)]
    (clean,) = one.rewards([texts[1]])
    assert naive.patched(one, texts[1], texts[1], some, 3) == [clean] * len(some)
    moved = naive.patched(one, texts[1], texts[3], some, 3)
    assert sum(abs(value - clean) > 1e-6 for value in moved) > len(some) // 2


def test_specs_are_taken_apart() -> None:
    assert parse("dpo:a+b?beta=0.2") == ("dpo", "a+b", {"beta": "0.2"})
    assert parse("org/name?readout=1-0") == ("scalar", "org/name", {"readout": "1-0"})
    assert parse("ensemble:[a?readout=0]+b?reduce=min") == ("ensemble", "[a?readout=0]+b", {"reduce": "min"})
    assert parts("[a+b?x=1]+c+[judge:d?yes=a+b]") == ["a+b?x=1", "c", "judge:d?yes=a+b"]


def test_a_slug_can_be_given() -> None:
    one = open_model(f"{spec('judge')}&slug=My judge", device="cpu")
    assert one.slug == "my-judge"
    assert one.fingerprint == model("judge").fingerprint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("jugde:x", "did you mean judge?"),
        ("dpo:{llama-causal-0}", "names 1 models"),
        ("dpo:{llama-causal-0}+{llama-causal-1}?beta=0", "beta is 0"),
        ("dpo:{llama-causal-0}+{llama-causal-1}?beta=x", "no number"),
        ("dpo:{llama-causal-0}+{llama-causal-1}?bta=1", "did you mean beta?"),
        ("judge:{llama-causal-0}", "is 3 tokens"),
        ("judge:{llama-causal-0}?yes=Y&no=Y", "both verdicts"),
        ("judge:{llama-causal-0}?yes=Y&no=N&question=none.txt", "can't be read"),
        ("process:{llama-tokens-0}?reduce=prod", "a product is of probabilities"),
        ("process:{llama-causal-0}", "by two words"),
        ("process:{llama-reward-0}", "aren't scored this way"),
        ("dense:{llama-causal-0}", "aren't scored this way"),
        ("dense:{llama-tokens2-0}", "no one is named"),
        ("ensemble:{llama-reward-0}", "names one member"),
        ("ensemble:{llama-reward-0}+{llama-reward-1}?k=2", "k means nothing"),
        ("ensemble:{llama-reward-0}+{llama-reward-1}?reduce=max", "reduce can't be 'max'"),
        ("trajectory:{llama-reward-0}?discount=1.5", "no discount"),
        ("rubric:none.toml", "no rubric at"),
        ("armorm:{llama-causal-0}", "holds no gating.layers.0.weight"),
        ("armorm:{armorm}?objective=objective-9", "no objective is called"),
        ("{llama-reward2-0}", "has a head of 2 rows and no one is named"),
        ("{llama-reward2-0}?readout=2", "'2' names none"),
    ],
)
def test_a_spec_that_is_off_says_so(text: str, message: str) -> None:
    for name in {part.partition("}")[0] for part in text.split("{")[1:]}:
        text = text.replace("{" + name + "}", str(folder(name)))
    with pytest.raises(UsageError, match=message.replace("?", r"\?")) as caught:
        open_model(text, device="cpu")
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("criteria = 3", "lists no criteria"),
        ("[[criteria]]\nname = 'a'\nweight = 1.0", "criterion 1"),
        ("[[criteria]]\nname = 'a'\nweight = 0\nmodel = 'x'", "every weight is 0"),
        ("[[criteria]]\nname = 'a'\nweight = nan\nmodel = 'x'", "criterion 1"),
        ("[[criteria]", "can't be read"),
    ],
)
def test_a_rubric_that_is_off_says_so(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "rubric.toml").write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        open_model(f"rubric:{tmp_path / 'rubric.toml'}", device="cpu")
    assert caught.value.remedy


def test_a_rubrics_files_lie_beside_it(tmp_path: Path) -> None:
    (tmp_path / "question.txt").write_text("{prompt} {response}?")
    (tmp_path / "model").symlink_to(folder("llama-causal-0"))
    (tmp_path / "rubric.toml").write_text(
        '[[criteria]]\nname = "a"\nweight = 1.5\nmodel = "judge:model?yes=Y&no=N&question=question.txt"\n'
    )
    one = open_model(f"rubric:{tmp_path / 'rubric.toml'}", device="cpu")
    (judge,) = one.members
    assert judge.question == "{prompt} {response}?"
    text = judge.encode("a", "b")
    assert one.rewards([one.encode("a", "b")])[0] == pytest.approx(1.5 * judge.rewards([text])[0], abs=1e-6)
