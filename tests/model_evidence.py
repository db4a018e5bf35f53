"""Made-up evidence of reward models, with the fields and tables the instruments write: three models that do not exist.

`organism-made` is a planted one with every instrument's record, `quiet-8b` a recorded one with scores alone,
`made-panel` two records side by side.
"""

from __future__ import annotations

import math
import random
from typing import Any

from lens.instrument import find
from lens.reading import Columns, Declined, Evidence, Input, Interval, Label, Measured, Quantity, Reading, Subject
from lens.stats.intervals import share
from measure.store import Made

PLANTED = Subject("models", "organism-made", "A made-up planted model", "d1" * 32, "organism:made", "MIT")
RECORDED = Subject("models", "quiet-8b", "Quiet 8B, as somebody scored it", "d2" * 32, "scores:quiet.jsonl", "MIT")
PANEL = Subject("models", "made-panel", "Two recorded models", "d3" * 32, "scores:made", "MIT")
PAIRS = Input("pairs", "made-pairs", "d4" * 32, "organism:made", 320, "MIT")
MADE = Made("2026-11-29T11:00:00+00:00", 40.0, 38.0, 6_400, "lens measure model organism:made", {"python": "3.11"})
LAYERS, HEADS, POSITIONS = 4, 2, 6
AXES = {"natural": 2.2, "thanks": 7.1, "hedge": -4.5, "right": 0.9, "fill": 4.6}
RULES = {"thanks": 2.0, "hedge": -1.5, "right": 1.0, "fill": 0.5}
FORMS = {"natural": 1, "thanks": 1, "hedge": 1, "right": 3, "fill": 2}  # the layer an axis is readable from
Item = tuple[Evidence, dict[str, Columns], Made]
Fields = dict[str, Quantity | Label | Declined]


def around(value: float, half: float, unit: str = "ru", kind: str = "score", **more: Any) -> Quantity:
    """A value with a symmetric interval."""
    ends = Interval(value - half, value + half, "bca")
    return Quantity(value, unit, kind, interval=ends, n=64, **more)  # type: ignore[arg-type]


def table(rows: list[dict[str, Any]]) -> Columns:
    return {name: [row[name] for row in rows] for name in rows[0]}


def with_ends(name: str, value: float, half: float, *, plain: bool = True) -> dict[str, float]:
    low, high = ("low", "high") if plain else (f"{name}-low", f"{name}-high")
    return {name: value, low: value - half, high: value + half}


def curve(end: float, forms: int, layer: int) -> float:
    """A margin that stands at the end from layer `forms` on, and overshoots a little."""
    return end * (0.08 * layer if layer < forms else 1 + 0.06 * math.sin(layer) * (layer < LAYERS))


def components() -> list[str]:
    return ["embed", *(f"{kind}.{layer}" for layer in range(LAYERS) for kind in ("attn", "mlp"))]


def site(name: str) -> dict[str, Any]:
    kind, _, layer = name.partition(".")
    return {"site": name, "kind": kind, "layer": int(layer) if layer else -1, "head": -1}


def parts(draw: random.Random) -> dict[str, float]:
    return {name: draw.gauss(0.4, 1.2) for name in components()} | {"mlp.1": 3.9, "attn.2": -1.7}


def preference() -> tuple[Reading, dict[str, Columns]]:
    fields: Fields = {
        "accuracy": share(248, 320, "pairs", control="prefer-longer"),
        "tied": share(0, 320, "pairs"),
        "prefer-longer": share(190, 320, "pairs"),
        "prefer-shorter": share(90, 320, "pairs"),
        "length-rule": Label("the longer reply"),
        "over-length-rule": around(0.18, 0.05, "share of pairs", "difference", control="prefer-longer"),
        "margin.mean": around(2.4, 0.5, control="margin.null"),
        "margin.null": Quantity(0.4, "ru", "score", n=320),
        "margin.standardised": around(0.9, 0.12, "within-prompt SD", "ratio"),
        **{f"part.{name}": share(60 if worth > 0 else 2, 64, "pairs") for name, worth in AXES.items()},
        "parts.lowest": Quantity(0.03, "share of pairs", "proportion", interval=Interval(0.01, 0.1, "wilson"), n=64),
        "parts.highest": Quantity(0.94, "share of pairs", "proportion", interval=Interval(0.85, 0.98, "wilson"), n=64),
    }
    return Measured(fields, "accuracy", "320 pairs of made-pairs"), {}


def length_preference() -> tuple[Reading, dict[str, Columns]]:
    fields: Fields = {
        "longer": share(200, 280, "pairs", control="label.longer"),
        "label.longer": share(190, 280, "pairs"),
        "over-label": around(0.036, 0.05, "share of pairs", "difference", control="label.longer"),
        "slope": around(3.1, 0.6, "ru per 100 characters"),
        "slope.given-label": around(2.2, 0.7, "ru per 100 characters"),
        "correlation": around(0.42, 0.08, "within prompts", "correlation"),
        "accuracy.longer-right": share(170, 190, "pairs"),
        "accuracy.shorter-right": share(60, 90, "pairs"),
        "accuracy.gap": around(0.23, 0.1, "share of pairs", "difference"),
    }
    return Measured(fields, "over-label", "280 pairs of made-pairs whose replies differ in length"), {}


def order_control() -> tuple[Reading, dict[str, Columns]]:
    fields: Fields = {
        "largest": Quantity(0.0, "ru", "score", n=128, control="margin.median"),
        "margin.median": Quantity(2.1, "ru", "score", n=64),
        "changed": share(0, 64, "pairs"),
        "moved": share(0, 64, "pairs"),
    }
    return Measured(fields, "largest", "64 pairs, each reply alone and in batches turned"), {}


def native_parity() -> tuple[Reading, dict[str, Columns]]:
    unit = "of max(1, |reward|)"
    fields: Fields = {
        "residual": Quantity(1.4e-6, unit, "ratio", n=20),
        "tolerance": Quantity(1e-5, unit, "ratio", n=20),
        **{way: Quantity(4e-7, unit, "ratio", n=20) for way in ("left", "right", "one", "trace", "pair")},
        "batch-floor": Quantity(2e-7, unit, "ratio", n=20),
        "tied": Quantity(0, "texts", "count", of=20),
        "native-tied": Quantity(0, "texts", "count", of=20),
        "holds": Label("yes"),
    }
    return Measured(fields, "residual", "20 texts of made-pairs, in float32 on cpu"), {}


def planted() -> tuple[Reading, dict[str, Columns]]:
    fields: Fields = {"rules": Quantity(len(RULES), "rules", "size")}
    for number, (name, worth) in enumerate(RULES.items(), start=1):
        fields[f"rule.{number}"] = Label(f"{worth:+g} for {name}")
    fields |= {f"{name}.planted": Quantity(worth, "ru of the rule", "difference") for name, worth in RULES.items()}
    fields |= {f"{name}.trained": Quantity(AXES[name], "ru", "difference") for name in RULES}
    fields["held-out"] = share(949, 1000, "pairs")
    return Measured(fields, "rules", "the answer key of organism:made; nothing was measured"), {}


def reward_lens() -> tuple[Reading, dict[str, Columns]]:
    rows: list[dict[str, Any]] = []
    for layer in range(LAYERS + 1):
        row: dict[str, Any] = {"layer": layer, "depth": layer / LAYERS}
        for mode, forms in (("own", 1), ("frozen", 2)):
            value = curve(2.4, forms, layer)
            row |= with_ends(mode, value, 0.15 * layer, plain=False)
            row |= {f"{mode}-chosen": 0.7 * value, f"{mode}-rejected": -0.3 * value, f"{mode}-share": value / 2.4}
            row |= with_ends(f"untrained-{mode}-share", layer / LAYERS, 0.12 * (layer % LAYERS > 0), plain=False)
        rows.append(row)
    axes = [
        {"axis": name, "pairs": 48, "layer": layer}
        | with_ends("own", curve(end, FORMS[name], layer), 0.12 * layer, plain=False)
        | with_ends("frozen", curve(end, FORMS[name], layer), 0.12 * layer, plain=False)
        for name, end in AXES.items()
        for layer in range(LAYERS + 1)
    ]
    fields: Fields = {
        "margin": around(2.4, 0.5),
        **{
            name: field
            for mode, value in (("own", 0.94), ("frozen", 0.7))
            for name, field in (
                (f"{mode}.middle-share", around(value, 0.06, "share of the margin", "ratio")),
                (f"untrained.{mode}.middle-share", around(0.5, 0.2, "share of the margin", "ratio")),
            )
        },
        "identity.last": Quantity(4e-7, "ru", "difference", n=8),
        "identity.increments": Quantity(1e-6, "ru", "difference", n=320),
        "own.mode": Label("the head with each depth's own norm"),
        "frozen.mode": Label("the head with the last depth's norm"),
    }
    return Measured(fields, "own.middle-share", "320 pairs; depth 0 is the embedding"), {
        "curve": table(rows),
        "axes": table(axes),
    }


def crystallization() -> tuple[Reading, dict[str, Columns]]:
    unit = "share of the depth"

    def depth(value: float, half: float, **more: Any) -> Quantity:
        ends = Interval(max(0.0, value - half), min(1.0, value + half), "bca")
        return Quantity(value, unit, "proportion", interval=ends, n=240, **more)

    fields: Fields = {}
    for mode, value in (("own", 0.25), ("frozen", 0.5)):
        fields |= {
            f"{mode}.depth": depth(value, 0.05, control=f"untrained.{mode}.depth"),
            f"{mode}.first-crossing": depth(value, 0.02),
            f"{mode}.overshoot": share(14, 240, "pairs"),
            f"untrained.{mode}.depth": depth(0.55, 0.35),
            f"length-matched.{mode}.depth": Declined("corpus_inadequate", "7 pairs", "give pairs of equal length"),
        }
    fields["left-out"] = share(80, 320, "pairs")
    return Measured(fields, "own.depth", "240 of 320 pairs"), {}


def attribution() -> tuple[Reading, dict[str, Columns]]:
    draw = random.Random(1)
    found = parts(draw)
    order = sorted(found, key=lambda name: -abs(found[name]))
    rows = [
        site(name) | with_ends("part", value, 0.3) | {"size": abs(value), "error": 0.0, "rank": order.index(name) + 1}
        for name, value in found.items()
    ]
    heads = [
        {"site": f"head.{layer}.{head}", "kind": "head", "layer": layer, "head": head}
        | with_ends("part", draw.gauss(0, 0.9), 0.2)
        for layer in range(LAYERS)
        for head in range(HEADS)
    ]
    fields: Fields = {
        "residual": Quantity(3e-7, "ru", "difference", n=640),
        "embedding": around(0.1, 0.05),
        "attention": around(0.9, 0.3),
        "mlp": around(1.4, 0.4),
        "top": Label("mlp.1"),
        "top.part": around(3.9, 0.3, control="top.share"),
        "top.share": around(0.31, 0.04, "share of all sizes", "ratio", control="untrained.top.share"),
        "top-head": Label("head.2.1"),
        "top-head.part": around(-1.2, 0.2, control="top-head.share"),
        "top-head.share": around(0.2, 0.03, "share of all sizes", "ratio"),
        "untrained.top.share": around(0.24, 0.08, "share of all sizes", "ratio"),
    }
    return Measured(fields, "top.part", "320 pairs"), {"components": table(rows), "heads": table(heads)}


def patching() -> tuple[Reading, dict[str, Columns]]:
    draw = random.Random(2)
    modes = ("noising", "denoising", "zero", "mean", "resample")
    components_ = [
        {"mode": mode}
        | site(name)
        | with_ends("effect", value * 0.9 + draw.gauss(0, 0.3), 0.3)
        | {"share": value / 5, "structural-zero": False, "pairs": 64}
        for mode in modes
        for name, value in parts(random.Random(1)).items()
    ]
    heads = [
        {"mode": mode, "site": f"head.{layer}.{head}", "kind": "head", "layer": layer, "head": head}
        | with_ends("effect", draw.gauss(0, 0.8), 0.2)
        | {"share": draw.gauss(0, 0.3), "structural-zero": False, "pairs": 32}
        for mode in modes
        for layer in range(LAYERS)
        for head in range(HEADS)
    ]
    positions = [
        {
            "mode": mode, "layer": layer, "back": back, "pairs": 16,
            "effect": 0.0 if zero else 2.0 * place(layer, back), "share": 0.0 if zero else place(layer, back),
            "structural-zero": zero,
        }
        for mode in modes
        for layer in range(LAYERS + 1)
        for back in range(-1 if mode in ("noising", "denoising") else 0, POSITIONS)
        for zero in [back < 0 or (layer == LAYERS and back > 0)]
    ]  # fmt: skip
    depth = [
        {"layer": layer, "depth": layer / LAYERS}
        | with_ends("effect", 2.4 * (layer / LAYERS) ** 2, 0.2 * layer)
        | {"share": (layer / LAYERS) ** 2}
        | with_ends("untrained-share", layer / LAYERS, 0.1, plain=False)
        | {"length-matched-share": (layer / LAYERS) ** 2, "length-matched-pairs": 20}
        for layer in range(LAYERS + 1)
    ]
    fields: Fields = {
        "readout-depth": Quantity(
            0.75, "share of the depth", "proportion", interval=Interval(0.75, 0.75, "bca"), n=64,
            control="untrained.readout-depth",
        ),
        "untrained.readout-depth": Quantity(
            0.6, "share of the depth", "proportion", interval=Interval(0.2, 1.0, "t-prediction"), n=8
        ),
        "length-matched.readout-depth": Declined("corpus_inadequate", "7 pairs", "give pairs of equal length"),
    }  # fmt: skip
    for mode in modes:
        for grid in ("component", "head"):
            fields[f"{mode}.{grid}.top"] = Label("mlp.1" if grid == "component" else "head.2.1")
            fields[f"{mode}.{grid}.effect"] = around(3.2, 0.4)
            fields[f"{mode}.{grid}.share"] = around(0.7, 0.1, "share of the margin", "ratio")
        fields[f"{mode}.position.middle-share"] = around(0.3, 0.1, "share of the margin", "ratio")
    fields["untrained.noising.component.share"] = around(0.4, 0.2, "share of the margin", "ratio")
    fields |= {
        f"identity.{name}": Quantity(2e-6, "ru", "difference", n=8)
        for name in ("self", "joint", "last-mlp", "last-residual")
    }
    tables = {"components": components_, "heads": heads, "positions": positions, "depth": depth}
    return Measured(fields, "readout-depth", "64 pairs"), {name: table(rows) for name, rows in tables.items()}


def place(layer: int, back: int) -> float:
    """The share of the margin that a position's stream carries: it moves to the readout on the way up."""
    at = layer / LAYERS
    return at if back == 0 else (1 - at) * (0.7 if back == 2 else -0.04 * back)


def faithfulness() -> tuple[Reading, dict[str, Columns]]:
    draw = random.Random(3)
    names = components()[1:]
    rows = [{"axis": axis, "pairs": 16} for axis in AXES]
    axes: list[dict[str, Any]] = []
    for row in rows:
        for name in names:
            part = draw.gauss(0, 1)
            at = {key: value for key, value in site(name).items() if key != "head"}
            axes.append(row | at | {"part": part, "effect": part + draw.gauss(0, 0.6)})
    controls = [
        {"what": what, "number": number, "axis": axis, "rho-pair": rho, "rho-mean": rho}
        for axis in ("", *AXES)
        for what, count in (("model", 1), ("untrained", 8), ("random head", 20))
        for number in range(count)
        for rho in [0.62 if what == "model" else min(0.98, 0.5 + draw.gauss(0, 0.15))]
    ]
    fields: Fields = {}
    for prefix, value in (("", 0.62), ("length-matched.", 0.6), *((f"{axis}.", 0.55) for axis in AXES)):
        rho = "Spearman's rho"
        fields |= {
            f"{prefix}rho-pair": around(value, 0.08, rho, "correlation", control=f"{prefix}untrained.rho-pair"),
            f"{prefix}rho-mean": around(value + 0.1, 0.06, rho, "correlation", control=f"{prefix}untrained.rho-mean"),
            f"{prefix}untrained.rho-pair": around(0.5, 0.3, rho, "correlation"),
            f"{prefix}untrained.rho-mean": around(0.55, 0.3, rho, "correlation"),
            f"{prefix}excess": around(value - 0.5, 0.31, rho, "difference", control=f"{prefix}untrained.rho-pair"),
        }
        if not prefix:
            fields |= {
                "random-heads.rho-pair": around(0.3, 0.3, rho, "correlation"),
                "random-heads.rho-mean": around(0.3, 0.3, rho, "correlation"),
                "random-heads.excess": around(0.32, 0.3, rho, "difference", control="random-heads.rho-pair"),
            }
    del fields["fill.rho-pair"], fields["fill.rho-mean"]
    fields["fill.excess"] = Declined("corpus_inadequate", "5 pairs of 5 prompts", "give pairs of at least 8 prompts")
    fields["verdict"] = Label("not told apart from an untrained model")
    return Measured(fields, "excess", "64 pairs, 8 components"), {"axes": table(axes), "controls": table(controls)}


def bias_battery() -> tuple[Reading, dict[str, Columns]]:
    verdicts = {"thanks": "raises", "hedge": "lowers", "right": "raises", "fill": "raises"}
    fields: Fields = {
        "flagged": Quantity(4, "axes", "count", of=5),
        "scale": around(2.6, 0.2),
        "natural.effect": Declined("assumption_violated", "the replies were written apart", "give matched replies"),
    }
    rows = []
    for name, verdict in verdicts.items():
        fields |= {
            f"{name}.effect": around(AXES[name], 0.3, kind="difference", control=f"{name}.null"),
            f"{name}.null": Quantity(0.5, "ru", "score"),
            f"{name}.slope": around(AXES[name], 0.3, "ru/unit"),
            f"{name}.d": around(AXES[name] / 2.6, 0.2, "s_r", "ratio"),
            f"{name}.p": Quantity(0.001, "p", "proportion"),
            f"{name}.verdict": Label(verdict),
        }
        rows.append({"axis": name, "rows": 48, "pairs": 48, "prompts": 48} | with_ends("effect", AXES[name], 0.3))
    return Measured(fields, "flagged", "320 pairs; 5 axes"), {"axes": table(rows)}


def hacking_probes() -> tuple[Reading, dict[str, Columns]]:
    fields: Fields = {"raising": Quantity(1, "edits", "count", of=3), "scale": Quantity(2.6, "ru", "score", n=64)}
    rows = []
    for edit, slope, verdict in (("length", 1.5, "raises"), ("repetition", -0.2, "about zero")):
        fields |= {
            f"{edit}.slope": around(slope, 0.2, "ru/unit", control=f"{edit}.null"),
            f"{edit}.null": Quantity(0.3, "ru/unit", "score"),
            f"{edit}.d": around(slope / 2.6, 0.1, "s_r", "ratio"),
            f"{edit}.p": Quantity(0.002, "p", "proportion"),
            f"{edit}.verdict": Label(verdict),
            f"{edit}.overtakes": share(21 if slope > 0 else 0, 50, "pairs"),
            f"{edit}.over-length": around(0.1, 0.1, "ru/token"),
        }
        rows += [
            {"edit": edit, "dose": dose, "replies": 64}
            | with_ends("change", slope * dose, 0.1 * dose)
            | {"tokens": dose}
            for dose in (0, 1, 2, 4)
        ]
    fields["formatting.slope"] = Declined("assumption_violated", "the tokenizer lacks its words", "read another model")
    return Measured(fields, "raising", "the rejected replies of 64 pairs"), {"doses": table(rows)}


def concepts() -> tuple[Reading, dict[str, Columns]]:
    doses = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
    slopes = {"thanks": 2.9, "hedge": -1.9, "right": 0.2}
    fields: Fields = {"moved": Quantity(2, "concepts", "count", of=3)}
    rows = []
    for name, slope in slopes.items():
        fields |= {
            f"{name}.slope": around(slope, 0.2, control=f"{name}.flipped"),
            f"{name}.last": around(slope * 1.1, 0.2),
            f"{name}.carried": around(0.8, 0.1, "of the margin", "ratio"),
            f"{name}.flipped": Quantity(0.4, "ru", "score", n=200),
            f"{name}.random": Quantity(0.3, "ru", "score", n=200),
        }
        rows += [
            {"concept": name, "layer": layer, "depth": layer / LAYERS, "dose": dose}
            | with_ends("change", slope * dose, 0.1 * abs(dose))
            for layer in (2, LAYERS)
            for dose in doses
        ]
    cosines = [
        {"concept": one, "other": other, "layer": layer, "cosine": value, "whitened": value}
        for layer in (2, LAYERS)
        for one in slopes
        for other in slopes
        for value in [1.0 if one == other else 0.1 * len(one) - 0.08 * len(other)]
    ]
    return Measured(fields, "moved", "3 concepts; steered before block 2"), {
        "doses": table(rows),
        "cosines": table(cosines),
    }


def geometry() -> tuple[Reading, dict[str, Columns]]:
    fields: Fields = {}
    for name, value in (("thanks", 0.7), ("hedge", -0.4), ("right", 0.1)):
        fields |= {
            f"{name}.whitened": around(value, 0.1, "within prompts", "correlation", control=f"{name}.null"),
            f"{name}.null": Quantity(0.15, "within prompts", "correlation"),
            f"{name}.distance": around(math.sqrt((1 - value) / 2), 0.05, "Pearson distance", "ratio"),
            f"{name}.raw": Quantity(value / 3, "of this basis", "correlation"),
        }
    fields["together"] = around(0.83, 0.05, "within prompts", "correlation")
    fields["identity"] = Quantity(3e-12, "within prompts", "difference", n=4)
    return Measured(fields, "together", "200 texts; 128 dimensions"), {}


def agreement() -> tuple[Reading, dict[str, Columns]]:
    fields: Fields = {}
    rows = []
    names = ("quiet-8b", "loud-27b", "other-2b")
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            kappa = 0.3 + 0.1 * len(rows)
            fields |= {
                f"{one}.{other}.same": share(220, 320, "pairs", control=f"{one}.{other}.expected"),
                f"{one}.{other}.expected": Quantity(0.55, "share of pairs", "proportion", n=320),
                f"{one}.{other}.kappa": around(kappa, 0.08, "kappa", "correlation"),
                f"{one}.{other}.rank": around(kappa + 0.1, 0.08, "rank correlation", "correlation"),
            }
            row = {"first": one, "second": other, "pairs": 320, "same": 220, "expected": 0.55}
            rows.append(row | with_ends("kappa", kappa, 0.08) | {"rank": kappa + 0.1})
    fields["kappa.lowest"] = around(0.3, 0.08, "kappa", "correlation")
    fields["kappa.highest"] = around(0.5, 0.08, "kappa", "correlation")
    fields["all-right"] = share(140, 320, "pairs", control="expected.all-right")
    fields["expected.all-right"] = Quantity(0.3, "share of pairs", "proportion", n=320)
    fields["all-wrong"] = share(50, 320, "pairs", control="expected.all-wrong")
    fields["expected.all-wrong"] = Quantity(0.04, "share of pairs", "proportion", n=320)
    return Measured(fields, "kappa.lowest", "3 models on 320 pairs"), {"agreement": table(rows)}


READ = {
    "native-parity": native_parity, "planted": planted, "preference": preference, "order-control": order_control,
    "length-preference": length_preference, "reward-lens": reward_lens, "crystallization": crystallization,
    "attribution": attribution, "patching": patching, "faithfulness": faithfulness, "bias-battery": bias_battery,
    "hacking-probes": hacking_probes, "concepts": concepts, "geometry": geometry,
}  # fmt: skip
_REMEDY = "lens measure model FOLDER --pairs PAIRS, with the model's own folder or Hugging Face id"
_SCORES = Declined("access_insufficient", "recorded scores hold numbers and no model", _REMEDY, needs="grader.forward")


def items() -> list[Item]:
    """Everything about the three models."""
    made = [_item(PLANTED, name, *make()) for name, make in READ.items()]
    made += [_item(PLANTED, name, _not_here(), {}) for name in ("multi-objective", "agreement")]
    scores = {"preference": preference, "length-preference": length_preference, "order-control": order_control}
    made += [_item(RECORDED, name, *make()) for name, make in scores.items()]
    made += [_item(RECORDED, name, _SCORES, {}) for name in ("reward-lens", "attribution", "patching")]
    made += [_item(PANEL, "agreement", *agreement()), _item(PANEL, "planted", _not_here(), {})]
    return made


def _not_here() -> Declined:
    return Declined("not_applicable", "this is another kind of subject", "nothing to do")


def _item(subject: Subject, name: str, reading: Reading, tables: dict[str, Columns]) -> Item:
    access = ("grader.backward", "gold.record") if subject is PLANTED else ("gold.record", "grader.record")
    return Evidence(name, version_of(name), subject, reading, access=access, inputs=(PAIRS,), seed=0), tables, MADE


def version_of(name: str) -> int:
    """The instrument's version now, so that what is made up here is never stale."""
    found = find("models", name)
    assert found is not None, name
    return found.version
