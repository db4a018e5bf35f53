"""Whether what components write orders what patching them does: ranks against ranks, a panel a property, with the
controls' correlations beneath."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Declined, Quantity
from site_builder.figures import _terms
from site_builder.figures._readings import Reader, cell, declined, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

WIDE = 1120.0
_STRIP = 34.0
_TONES = {"attn": ("s1", "circle"), "mlp": ("s2", "square")}


class _Axis(NamedTuple):
    """One panel: "" for all pairs. Ranks are by size, the largest last; `controls` are the untrained copies' rho."""

    name: str
    kinds: list[str]
    part: list[float]
    effect: list[float]
    controls: list[float]


@figure("rank-agreement", draws="attribution rank against patch rank, with controls", instruments=("faithfulness",))
def rank_agreement(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a faithfulness record with its `axes` and `controls` tables; axes with too few pairs are in the table."""
    reader = Reader(lookup, id)
    found = [one for one in _axes(reader) if reader.quantity(f"{one.name}.rho-pair")]
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    across, gap = (5 if len(found) == 5 else min(4, max(2, len(found))), 30.0) if width == "wide" else (2, 22.0)
    left = 20.0
    side = min(230.0, (sheet.width - left - 8 - gap * (across - 1)) / across)
    tall = min(side, 190.0)
    top = 22.0
    _key(sheet, found)
    for at, one in enumerate(found):
        row, column = divmod(at, across)
        _panel(sheet, reader, one, left + column * (side + gap), top + row * (tall + _STRIP + 96), side, tall)
    rows = -(-len(found) // across)
    end = top + rows * (tall + _STRIP + 96)
    sheet.text(0, end - 6, "up: rank by patching; across: rank by attribution", tone="ink3", size=SMALL)
    return sheet.spec(end + 6, _meta(reader, found))


def _key(sheet: Sheet, found: list[_Axis]) -> None:
    """What the two marks are, beside the first panel's name."""
    if not found:
        return
    x = 0.0
    for kind, words in (("attn", "attention"), ("mlp", "MLP")):
        tone, symbol = _TONES[kind]
        panel = sheet.panel(x, 2, 12, 12, hidden(-1, 1), hidden(-1, 1))
        panel.dots([0], [0], tone=tone, symbol=symbol, size=8)  # type: ignore[arg-type]
        sheet.text(x + 16, 8, words, size=SMALL, tone="ink2")
        x += 16 + measure(words, SMALL) + 18


def _axes(reader: Reader) -> list[_Axis]:
    axes, controls = reader.table("axes") or {"axis": []}, reader.table("controls") or {"what": []}
    found = []
    for name in dict.fromkeys(axes["axis"]):
        rows = [at for at, one in enumerate(axes["axis"]) if one == name]
        rhos = [
            controls["rho-pair"][at]
            for at, what in enumerate(controls["what"])
            if what == "untrained" and controls["axis"][at] == name and controls["rho-pair"][at] is not None
        ]
        found.append(
            _Axis(
                name,
                [axes["kind"][at] for at in rows],
                [axes["part"][at] for at in rows],
                [axes["effect"][at] for at in rows],
                rhos,
            )
        )
    return found


def _panel(sheet: Sheet, reader: Reader, one: _Axis, left: float, top: float, side: float, tall: float) -> None:
    """Ranks of signed values, as the correlation compares them: the most positive at the top right."""
    count = len(one.part)
    sheet.text(
        left, top + 10, Run(_terms.shortened(_terms.words(one.name), side, 12.5), bold=True)
    )  # fmt: skip
    y = top + 24
    panel = sheet.panel(left, y, side, tall, hidden(0.2, count + 0.8), hidden(0.2, count + 0.8))
    corners = [(left, y, left + side, y), (left + side, y, left + side, y + tall)]
    corners += [(left + side, y + tall, left, y + tall), (left, y + tall, left, y)]
    for corner in corners:
        sheet.rule(*corner)
    panel.line([0.2, count + 0.8], [0.2, count + 0.8], tone="hair", width=1)
    across, up = _ranks(one.part), _ranks(one.effect)
    for kind, (tone, symbol) in _TONES.items():
        which = [at for at, each in enumerate(one.kinds) if each == kind]
        panel.dots(
            [across[at] for at in which], [up[at] for at in which], tone=tone, symbol=symbol, size=8,  # type: ignore[arg-type]
        )  # fmt: skip
    _strip(sheet, reader, one, left, y + tall + 12, side)


def _strip(sheet: Sheet, reader: Reader, one: _Axis, left: float, top: float, side: float) -> None:
    """The correlation with its interval, over those of the untrained copies as ticks."""
    field = reader.quantity(f"{one.name}.rho-pair")
    assert field is not None
    panel = sheet.panel(left, top, side, _STRIP - 14, axis(-1, 1, ticks=[-1, 0, 1], line=False), hidden(0, 2))
    panel.line([-1, 1], [0, 0], tone="rule", width=1)
    panel.dots(one.controls, [0.75] * len(one.controls), tone="hatch", symbol="line-ns", size=11)
    interval = field.interval
    panel.dots(
        [float(field.value)], [1.55], size=7, low=[interval.low if interval else None],
        high=[interval.high if interval else None], refs=[reader.ref(f"{one.name}.rho-pair")],
    )  # fmt: skip
    sheet.text(left, top + _STRIP + 18, [Run("ρ "), reader.number(f"{one.name}.rho-pair")], size=SMALL)
    sheet.text(left + side, top + _STRIP + 18, _told(reader, one.name), anchor="right", size=SMALL, tone="ink2")


def _told(reader: Reader, axis_: str) -> str:
    """What the excess over untrained copies says, in a word."""
    excess = reader.quantity(f"{axis_}.excess")
    if excess is None or excess.interval is None:
        return "no control"
    if excess.interval.low > 0:
        return "beyond control"
    return "below control" if excess.interval.high < 0 else "as untrained"


def _ranks(values: list[float]) -> list[float]:
    """Ranks from 1, the largest last; equal values share their mean.

    >>> _ranks([3.0, 1.0, 3.0])
    [2.5, 1.0, 2.5]
    """
    order = sorted(values)
    return [(order.index(value) + 1 + len(order) - order[::-1].index(value)) / 2 for value in values]


def _meta(reader: Reader, found: list[_Axis]) -> dict[str, object]:
    return {
        "figure": "rank-agreement",
        "of": reader.id,
        "title": _title(reader, found),
        "desc": "A panel for each property: a mark for each component, its rank by attribution across and by patching "
        "up. Beneath, the rank correlation with its interval over grey ticks of untrained copies.",
        "caption": sentence(
            "Ranks of the pairs’ mean part and mean noising effect; the most positive at the top right. Beneath, ρ: "
            "the mean over pairs of Spearman’s correlation, with its interval over prompts, and as grey ticks the same "
            "of re-initialised copies on the same pairs. Attention and MLPs agree in untrained models too, so ρ alone "
            "shows nothing; the claim is what is left over its control. Inside the band, the model is not told apart "
            "from an untrained one."
        ),
        "source": reader.scope(),
        "units": {"x": "rank", "y": "rank"},
        "table": _table(reader),
        **({"rows": rows} if (rows := reader.table("axes")) else {}),
    }


def _title(reader: Reader, found: list[_Axis]) -> str:
    told = [_told(reader, one.name) for one in found]
    beyond = [_terms.words(one.name) for one, word in zip(found, told, strict=True) if word == "beyond control"]
    if not found:
        return "Too few pairs a property to compare the two orders"
    if not beyond:
        return "The two orders agree no more than in untrained models, on any property"
    if len(beyond) == len(found):
        return "The two orders agree more than in untrained models, on every property"
    return f"The two orders agree more than in untrained models on {_terms.listed(beyond)} alone"


def _table(reader: Reader) -> dict[str, object]:
    rows: list[object] = []
    for name, label in [("", "all pairs"), *((one, _terms.words(one)) for one in _names(reader))]:
        head = f"{name}." if name else ""
        cells: list[object] = [cell(label)]
        for field in ("rho-pair", "rho-mean", "untrained.rho-pair", "excess"):
            cells += _cells(reader, f"{head}{field}", interval=field != "rho-mean")
        rows.append(cells)
    heads = ("ρ, mean over pairs", "interval", "ρ of means", "untrained", "where one more falls", "excess", "interval")
    return {"columns": ["property", *heads], "rows": rows}


def _names(reader: Reader) -> list[str]:
    """Every axis there is a comparison of, made or declined."""
    names = [head for head, _ in reader.ending("excess")]
    return [name for name in names if name not in ("random-heads", "length-matched") and "." not in name]


def _cells(reader: Reader, name: str, *, interval: bool) -> list[object]:
    field = reader.get(name)
    count = 2 if interval else 1
    if isinstance(field, Declined):
        return [declined(field)] * count
    if not isinstance(field, Quantity):
        return [cell("")] * count
    ends = [cell(reader.number(name, "interval") if field.interval else "")] if interval else []
    return [cell(reader.number(name)), *ends]
