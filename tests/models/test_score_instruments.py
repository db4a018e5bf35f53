"""What is read from scores alone: planted rules, values worked out by hand, and JudgeBench's published accuracies."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lens.access import Access
from lens.instrument import find, registry
from lens.models.inspection import Inspection
from lens.models.pairs import Pair, Pairs
from lens.models.scores import Panel, Recorded, Scores, ScoresModel, panel
from lens.models.subject import open_model
from lens.reading import Declined, Measured, Quantity, Result
from tests.models.rules import RuleModel

NAMES = ("preference", "length-preference", "order-control", "agreement")
Rule = Callable[[str, str], float]


def _pairs(count: int = 120, *, prompts: int | None = None, longer: float = 0.5, seed: int = 0) -> Pairs:
    """Replies of `a` and `b` of random lengths: the chosen one holds a `!`, and is the longer in a share `longer`."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        short = draw.randint(20, 200)
        lengths = (
            (short + draw.randint(10, 200), short) if draw.random() < longer else (short, short + draw.randint(10, 200))
        )
        chosen, rejected = (draw.choice("ab") * (length - 1) for length in lengths)
        prompt = f"prompt {number % (prompts or count)}"
        made.append(Pair(number, prompt, f"{chosen}!", f"{rejected}.", "even" if number % 2 == 0 else "odd"))
    return Pairs("made", tuple(made), f"made {count} {prompts} {longer} {seed}")


def _inspection(model: Any, pairs: Pairs, **options: Any) -> Inspection:
    return Inspection(model, pairs, Access.parse(model.grants()), **{"draws": 400, **options})


def _run(name: str, inspection: Inspection) -> Result:
    entry = find("models", name)
    assert entry is not None
    assert not inspection.access.missing(entry.needs)
    result = entry.run(inspection)
    return result if isinstance(result, Result) else Result(result)


def _fields(name: str, rule: Rule, pairs: Pairs, **options: Any) -> dict[str, Any]:
    reading = _run(name, _inspection(RuleModel(rule), pairs, **options)).reading
    assert isinstance(reading, Measured), reading
    return reading.fields


def _label(_prompt: str, reply: str) -> float:
    return float(reply.endswith("!"))


def _length(_prompt: str, reply: str) -> float:
    return len(reply) / 100


def _record(pairs: Pairs, rule: Rule, slug: str = "one", orders: int = 1) -> ScoresModel:
    rows = tuple(
        Recorded(pair, "", (Scores(rule("", pair.chosen), rule("", pair.rejected)),) * orders) for pair in pairs
    )  # fmt: skip
    return ScoresModel(slug, slug, f"scores:{slug}", slug * 8, "MIT", "", rows)


@pytest.mark.parametrize("name", NAMES)
def test_every_one_reads_on_a_record_and_is_described(name: str) -> None:
    entry = registry("models")[name]
    assert Access.parse("grader.record gold.record").missing(entry.needs) == ()
    assert entry.price is not None
    for word in ("k of n", "control"):
        assert word in entry.doc.lower()


# preference


def test_a_model_that_follows_the_label() -> None:
    pairs = _pairs(longer=0.7)
    fields = _fields("preference", _label, pairs)
    longer = sum(len(pair.chosen) > len(pair.rejected) for pair in pairs)
    assert (fields["accuracy"].value, fields["accuracy"].of) == (120, 120)
    assert fields["tied"].value == 0
    assert fields["margin.mean"].value == 1.0
    assert fields["prefer-longer"].value == longer
    assert fields["over-length-rule"].value == pytest.approx(1 - longer / 120)
    assert fields["margin.standardised"].value == pytest.approx(2**0.5)  # margin m has within-prompt SD m / √2
    assert fields["margin.null"].value == pytest.approx(1.96 / 120**0.5, rel=0.15)


def test_a_model_that_follows_length_is_no_better_than_the_rule() -> None:
    fields = _fields("preference", _length, _pairs(longer=0.7))
    assert fields["accuracy"].value == fields["prefer-longer"].value
    over = fields["over-length-rule"]
    assert (over.value, over.interval.low, over.interval.high) == (0.0, 0.0, 0.0)
    assert fields["length-rule"].value == "the longer reply"


def test_ties_are_no_preference() -> None:
    fields = _fields("preference", lambda _prompt, _reply: 3.0, _pairs())
    assert (fields["accuracy"].value, fields["tied"].value) == (0, 120)
    assert isinstance(fields["margin.standardised"], Declined)


@pytest.mark.parametrize(("scale", "shift"), [(3.0, -7.0), (0.25, 40.0)])
def test_an_affine_change_of_units_changes_no_share(scale: float, shift: float) -> None:
    def rule(prompt: str, reply: str) -> float:
        return _label(prompt, reply) + _length(prompt, reply) * 0.7

    pairs = _pairs()
    for name in ("preference", "length-preference"):
        one = _fields(name, rule, pairs)
        other = _fields(name, lambda prompt, reply: scale * rule(prompt, reply) + shift, pairs)
        for field in one:
            if getattr(one[field], "unit", "").startswith("ru"):
                assert other[field].value == pytest.approx(scale * one[field].value)
            elif isinstance(one[field], Quantity):
                assert other[field].value == pytest.approx(one[field].value), field
                assert other[field].interval.low == pytest.approx(one[field].interval.low, abs=1e-9), field


def test_parts_and_their_range() -> None:
    pairs = _pairs(60)
    result = _run("preference", _inspection(RuleModel(lambda _p, reply: _label("", reply)), pairs))
    assert result.tables["parts"]["part"] == ["even", "odd"]
    assert result.tables["parts"]["right"] == [30, 30]
    assert result.tables["pairs"]["longer"] == [len(pair.chosen) - len(pair.rejected) for pair in pairs]
    odd = _pairs(60)
    rewarded = {(pair.prompt, pair.chosen if pair.axis == "even" else pair.rejected) for pair in odd}
    fields = _fields("preference", lambda prompt, reply: float((prompt, reply) in rewarded), odd)
    assert (fields["part.even"].value, fields["part.odd"].value) == (30, 0)
    assert (fields["parts.lowest"].value, fields["parts.highest"].value) == (0.0, 1.0)
    assert "not tested" in fields["parts.lowest"].note


def test_clusters_set_the_width_and_clones_change_nothing() -> None:
    draw = random.Random(4)
    known = {prompt: draw.random() < 0.6 for prompt in range(30)}

    def rule(prompt: str, reply: str) -> float:
        return _label(prompt, reply) if known[int(prompt.split()[1])] else -_label(prompt, reply)

    pairs = _pairs(120, prompts=30)
    fields = _fields("preference", rule, pairs)
    accuracy = fields["accuracy"]
    assert (accuracy.of, accuracy.n_eff) == (120, 30)
    assert accuracy.interval.method == "bca"
    assert accuracy.interval.high - accuracy.interval.low > 0.3  # 30 draws, not 120
    cloned = Pairs("made", pairs.pairs * 3, pairs.digest)
    assert _fields("preference", rule, cloned) == fields


def test_too_few_prompts_decline_field_by_field() -> None:
    fields = _fields("preference", _label, _pairs(40, prompts=5))
    assert all(isinstance(fields[name], Declined) for name in ("accuracy", "margin.mean", "over-length-rule"))
    few = _fields("preference", _label, _pairs(48, prompts=12))
    assert few["margin.mean"].interval.method == "t-over-clusters"
    assert isinstance(few["margin.standardised"], Declined)


def test_a_text_in_several_pairs_is_scored_once() -> None:
    asked: list[tuple[str, str]] = []

    def rule(prompt: str, reply: str) -> float:
        asked.append((prompt, reply))
        return _length(prompt, reply)

    pairs = Pairs("made", tuple(Pair(i, f"p{i % 10}", "long reply", f"short {i // 10}") for i in range(30)), "x")
    inspection = _inspection(RuleModel(rule), pairs)
    _run("preference", inspection)
    _run("length-preference", inspection)
    assert len(asked) == len(set(asked)) == 40


def test_a_reward_that_is_no_number_is_said() -> None:
    reading = _run("preference", _inspection(RuleModel(lambda _p, _r: float("nan")), _pairs())).reading
    assert isinstance(reading, Declined)
    assert "120 of 120 pairs get a reward that is no finite number" in reading.detail


def test_pairs_that_a_record_lacks() -> None:
    pairs = _pairs(60)
    record = _record(replace(pairs, pairs=pairs.pairs[:40]), _label)
    reading = _run("preference", _inspection(record, pairs)).reading
    assert isinstance(reading, Measured)
    assert "20 pairs that the record lacks are left out" in reading.scope
    assert reading.fields["accuracy"].of == 40  # type: ignore[union-attr]
    nothing = _run("preference", _inspection(record, _pairs(60, seed=8))).reading
    assert isinstance(nothing, Declined)
    assert nothing.reason == "record_incomplete"


# length-preference


def test_a_planted_price_of_length_is_recovered() -> None:
    pairs = _pairs(200, longer=0.3, seed=2)
    fields = _fields("length-preference", lambda p, r: 0.8 * _length(p, r) + 2 * _label(p, r), pairs)
    given = fields["slope.given-label"]
    assert given.value == pytest.approx(0.8)
    assert (given.interval.low, given.interval.high) == pytest.approx((0.8, 0.8))
    assert fields["slope"].value < 0.5  # the label is for the shorter here, and hides it
    follower = _fields("length-preference", _label, pairs)
    assert follower["slope.given-label"].value == pytest.approx(0.0, abs=1e-12)
    assert follower["over-label"].value == 0.0
    assert follower["longer"].value == follower["label.longer"].value


def test_length_alone() -> None:
    pairs = _pairs(150, longer=0.4)
    fields = _fields("length-preference", _length, pairs)
    shorter = sum(len(pair.chosen) < len(pair.rejected) for pair in pairs)
    assert fields["longer"].value == fields["longer"].of == 150
    assert fields["slope"].value == pytest.approx(1.0)
    assert fields["correlation"].value == pytest.approx(1.0)
    assert fields["over-label"].value == pytest.approx(shorter / 150)
    assert fields["accuracy.gap"].value == pytest.approx(1.0)
    assert (fields["accuracy.shorter-right"].value, fields["accuracy.shorter-right"].of) == (0, shorter)


def test_pairs_of_one_length_are_left_out_and_said() -> None:
    alike = Pair(200, "p", "same!", "same.")
    pairs = _pairs(40)
    reading = _run("length-preference", _inspection(RuleModel(_length), replace(pairs, pairs=(*pairs, alike)))).reading
    assert isinstance(reading, Measured)
    assert reading.scope.endswith("1 whose replies are equally long are left out")
    assert reading.fields["longer"].of == 40  # type: ignore[union-attr]


def test_replies_of_one_length_decline() -> None:
    pairs = Pairs("made", tuple(Pair(i, f"p{i}", "yes", "not") for i in range(30)), "x")
    reading = _run("length-preference", _inspection(RuleModel(_label), pairs)).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"


# order-control


def test_a_record_of_both_orders() -> None:
    pairs = _pairs(40)
    record = _record(pairs, _length, orders=2)
    fields = _run("order-control", _inspection(record, pairs)).reading.fields  # type: ignore[union-attr]
    assert (fields["largest"].value, fields["moved"].value, fields["changed"].value) == (0.0, 0, 0)
    first, *rest = record.rows
    chosen, rejected = first.orders[0]
    turned = Recorded(first.pair, "", (first.orders[0], Scores(rejected, chosen + 5)))
    result = _run("order-control", _inspection(replace(record, rows=(turned, *rest)), pairs))
    fields = result.reading.fields  # type: ignore[union-attr]
    assert fields["largest"].value == pytest.approx(
        chosen - rejected + 5 if chosen < rejected else 5 + chosen - rejected
    )
    assert (fields["moved"].value, fields["moved"].of) == (1, 40)
    assert result.tables["moved"]["row"] == [0]


def test_a_record_of_one_order_declines() -> None:
    pairs = _pairs(40)
    reading = _run("order-control", _inspection(_record(pairs, _length), pairs)).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "record_incomplete"
    assert "order" in reading.remedy


@dataclass(frozen=True)
class _Batched(RuleModel):
    """A reward that moves with the number of texts beside it, as half-precision ones do."""

    def rewards(self, texts: Sequence[Any]) -> list[float]:
        return [
            reward + (0.125 if len(texts) > 1 else 0.0) * (at % 2) for at, reward in enumerate(super().rewards(texts))
        ]


def test_the_batch_floor_of_a_model_here() -> None:
    pairs = _pairs(40)
    fields = _fields("order-control", _length, pairs)
    assert (fields["largest"].value, fields["moved"].value) == (0.0, 0)
    reading = _run("order-control", _inspection(_Batched(_length), pairs)).reading
    assert isinstance(reading, Measured)
    assert reading.fields["largest"].value == pytest.approx(0.125)  # type: ignore[union-attr]
    assert reading.fields["moved"].value == 40  # type: ignore[union-attr]
    assert "turned" in reading.scope


@pytest.mark.parametrize(("dtype", "most"), [("float32", 1e-5), ("bfloat16", 0.1)])
def test_a_network_here(dtype: str, most: float) -> None:
    from tests.models import opened

    model = opened.model("llama", dtype=dtype)
    inspection = _inspection(model, opened.preferred(opened.pairs(24), model), draws=100)
    preference = _run("preference", inspection).reading.fields  # type: ignore[union-attr]
    assert preference["accuracy"].value + preference["tied"].value == 24
    order = _run("order-control", inspection).reading.fields  # type: ignore[union-attr]
    assert 0 <= order["largest"].value <= most
    assert order["largest"].n == 48


# agreement


def _panel(pairs: Pairs, **rules: Rule) -> Panel:
    members = [_record(pairs, rule, slug) for slug, rule in rules.items()]
    return panel(members, slug="some", title="some", spec="scores:some")


def test_agreement_by_hand() -> None:
    pairs = _pairs(100)
    right = {pair.chosen + pair.rejected: number for number, pair in enumerate(pairs)}
    assert len(right) == 100

    def rows(hit: Callable[[int], bool]) -> tuple[Recorded, ...]:
        return tuple(Recorded(p, "", (Scores(1.0, 0.0) if hit(i) else Scores(0.0, 1.0),)) for i, p in enumerate(pairs))

    base = _record(pairs, _label)
    a = replace(base, slug="a", rows=rows(lambda i: i < 60), fingerprint="a")
    b = replace(base, slug="b", rows=rows(lambda i: i < 30 or 60 <= i < 90), fingerprint="b")
    found = _run("agreement", _inspection(panel([a, b], slug="ab", title="ab", spec="scores:a+b"), pairs))
    fields = found.reading.fields  # type: ignore[union-attr]
    assert (fields["a.b.same"].value, fields["a.b.same"].of) == (40, 100)  # 30 both right, 10 both wrong
    assert fields["a.b.expected"].value == pytest.approx(0.6 * 0.6 + 0.4 * 0.4)
    assert fields["a.b.kappa"].value == pytest.approx((0.40 - 0.52) / 0.48)
    assert (fields["all-right"].value, fields["all-wrong"].value) == (30, 10)
    assert fields["expected.all-right"].value == pytest.approx(0.36)
    assert found.tables["agreement"]["same"] == [40]


def test_a_model_agrees_with_itself_in_any_units() -> None:
    pairs = _pairs(60)

    def mixed(prompt: str, reply: str) -> float:
        return _length(prompt, reply) + 0.5 * _label(prompt, reply)

    panel_ = _panel(pairs, one=mixed, same=lambda p, r: 4 * mixed(p, r), other=lambda p, r: -mixed(p, r))
    fields = _run("agreement", _inspection(panel_, pairs)).reading.fields  # type: ignore[union-attr]
    assert fields["one.same.kappa"].value == pytest.approx(1.0)
    assert fields["one.same.rank"].value == pytest.approx(1.0)
    assert fields["one.other.same"].value == 0
    assert fields["one.other.rank"].value == pytest.approx(-1.0)
    assert fields["kappa.highest"].note.startswith("one with same")


def test_one_model_has_nothing_to_agree_with() -> None:
    pairs = _pairs(30)
    for model in (RuleModel(_label), _record(pairs, _label)):
        reading = _run("agreement", _inspection(model, pairs)).reading
        assert isinstance(reading, Declined)
        assert reading.reason == "not_applicable"
    for name in NAMES[:3]:
        reading = _run(name, _inspection(_panel(pairs, a=_label, b=_length), pairs)).reading
        assert isinstance(reading, Declined)
        assert reading.remedy == "lens measure model scores:a"


# JudgeBench: accuracies as its authors' `compute_final_metrics` counts them, and as table 3 of the paper prints them

PUBLISHED = {  # knowledge, reasoning, math, coding, overall: percent
    "skywork-reward-gemma-2-27b": (59.74, 66.33, 83.93, 50.00, 64.29),
    "skywork-reward-llama-3-1-8b": (59.09, 64.29, 76.79, 50.00, 62.29),
    "internlm2-20b-reward": (62.34, 69.39, 66.07, 50.00, 63.43),
    "internlm2-7b-reward": (56.49, 61.22, 71.43, 50.00, 59.43),
    "grm-gemma-2b": (62.99, 53.06, 64.29, 54.76, 59.43),
}


@pytest.fixture(scope="module")
def five(shared: Path) -> Panel:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVIDENCE_LENS_SHARED", str(shared))
        model = open_model("scores:judgebench")
        assert isinstance(model, Panel)
        for member in model.members:
            assert member.own_pairs is not None
    return model


@pytest.mark.parametrize("at", range(5))
def test_judgebench_cards(five: Panel, at: int) -> None:
    model = five.members[at]
    assert model.own_pairs is not None
    inspection = _inspection(model, model.own_pairs)
    fields = _run("preference", inspection).reading.fields  # type: ignore[union-attr]
    shares = [
        fields[f"part.{name}"].value / fields[f"part.{name}"].of
        for name in ("knowledge", "reasoning", "math", "coding")
    ]
    shares.append(fields["accuracy"].value / 350)
    assert [round(100 * share, 2) for share in shares] == list(PUBLISHED[model.slug])
    assert fields["prefer-longer"].value == 161
    order = _run("order-control", inspection).reading.fields  # type: ignore[union-attr]
    assert (order["largest"].value, order["moved"].value, order["moved"].of) == (0.0, 0, 350)


def test_judgebench_ties_and_lengths(five: Panel) -> None:
    found = {}
    for model in five.members:
        assert model.own_pairs is not None
        inspection = _inspection(model, model.own_pairs, draws=50)
        fields = _run("preference", inspection).reading.fields  # type: ignore[union-attr]
        length = _run("length-preference", inspection).reading.fields  # type: ignore[union-attr]
        found[model.slug] = fields["tied"].value, length["longer"].value
        assert length["label.longer"].value == 161
    assert found == {
        "skywork-reward-gemma-2-27b": (3, 148),
        "skywork-reward-llama-3-1-8b": (1, 149),
        "internlm2-20b-reward": (0, 163),
        "internlm2-7b-reward": (0, 155),
        "grm-gemma-2b": (0, 149),
    }


def test_the_five_err_together(five: Panel) -> None:
    assert five.own_pairs is not None
    result = _run("agreement", _inspection(five, five.own_pairs, draws=100))
    fields = result.reading.fields  # type: ignore[union-attr]
    assert len(result.tables["agreement"]["first"]) == 10
    names = [member.slug for member in five.members]
    right = np.array(
        [[one.chosen > one.rejected for one in (m.orders(p)[0] for p in five.own_pairs)] for m in five.members]
    )
    for (i, a), (j, b) in combinations(enumerate(names), 2):
        field = fields[f"{a}.{b}.same"]
        assert abs(field.value - int((right[i] == right[j]).sum())) <= 4  # ties are a verdict of their own
    assert (fields["all-right"].value, fields["all-wrong"].value) == (122, 41)
    assert fields["all-right"].value == int(right.all(axis=0).sum())
    assert fields["kappa.highest"].note.startswith("skywork-reward-gemma-2-27b with skywork-reward-llama-3-1-8b")
