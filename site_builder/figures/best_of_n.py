"""Best of n: what the choice gains by the reward and by what it didn't choose by, and what it costs in KL."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures import _curves
from site_builder.figures._curves import Curve
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.palette import Tone
from site_builder.svg.scales import nice
from site_builder.wording import plain

WIDE = 1120.0
_HEIGHT = 200.0
_TOP = 42.0
_LEFT = 44.0
_NAMES = 168.0
_COSTS = ("kl", "bound", "least-kl")
_COST_NAMES = {"kl": "ties counted", "bound": "as if none tied", "least-kl": "the least possible"}
_TONES: tuple[Tone, ...] = ("s2", "s1", "s3", "s4")


@figure("best-of-n", draws="scores and KL of the best of n samples", instruments=("best-of-n",))
def best_of_n(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a best-of-n record with its `curve` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("curve") or {}
    scores = [name for name in table if name != "n" and not name.endswith(("-low", "-high")) and name not in _COSTS]
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    room = WIDE / 2 - 20 if width == "wide" else NARROW
    end = _panel(sheet, reader, table, [*scores[1:], *scores[:1]], (0.0, 0.0, room), "mean score")
    place = (WIDE / 2 + 20, 0.0, room) if width == "wide" else (0.0, end + 16, room)
    end = _panel(sheet, reader, table, ["least-kl", "bound", "kl"], place, "KL from the policy, nats")
    return sheet.spec(end, _meta(reader, table, scores))


def _panel(
    sheet: Sheet, reader: Reader, table: Columns, names: list[str], place: tuple[float, float, float], head: str
) -> float:
    left, top, width = place
    curves = {name: _values(table, name) for name in names}
    reach = [value for columns in curves.values() for some in columns for value in some if value is not None]
    ticks = nice(min([0.0, *reach]), max(reach, default=1.0), 4)
    numbers = [float(n) for n in table["n"]]
    span = width - _LEFT - _NAMES
    panel = sheet.panel(
        left + _LEFT, top + _TOP, span, _HEIGHT,
        axis(0.8, max(numbers) * 1.25, ticks=numbers, log=True, line=True),
        axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True),
    )  # fmt: skip
    drawn: list[Curve] = []
    for index, (name, (values, low, high)) in enumerate(curves.items()):
        kept = [at for at, value in enumerate(values) if value is not None]
        if not kept:
            continue
        x, y = [numbers[at] for at in kept], [values[at] for at in kept]
        tone: Tone = "ink" if name in ("reward", "kl") else _TONES[index % len(_TONES)]
        panel.line(x, y, tone=tone, width=1.5, dash="dash" if name == "bound" else "solid")
        panel.dots(
            x, y, tone=tone, size=6, flat=False, low=[low[at] for at in kept], high=[high[at] for at in kept],
            refs=[reader.ref(f"curve/{at}/{name}") for at in kept],
        )  # fmt: skip
        label = [Run(_COST_NAMES.get(name, plain(name)) + " "), reader.number(f"best-of-{table['n'][kept[-1]]}.{name}")]
        drawn.append(Curve([float(y[-1] or 0.0)], label, tone))
    _curves.names(sheet, drawn, right=left + _LEFT + span, top=top + _TOP, height=_HEIGHT, span=(ticks[0], ticks[-1]))
    sheet.text(left, top + 8, Run(head, bold=True))
    sheet.text(
        left + _LEFT + span, top + _TOP + _HEIGHT + 31, "samples chosen from", anchor="right", tone="ink3", size=SMALL
    )
    return top + _TOP + _HEIGHT + 40


def _values(table: Columns, name: str) -> tuple[list[float | None], list[float | None], list[float | None]]:
    values, low, high = (table[f"{name}{tail}"] for tail in ("", "-low", "-high"))
    if name in _COSTS and any(value is not None for n, value in zip(table["n"], values, strict=True) if n > 1):
        # one sample costs nothing, by no measurement
        values = [0.0 if n == 1 and value is None else value for n, value in zip(table["n"], values, strict=True)]
    return values, low, high


def _title(reader: Reader, table: Columns, scores: list[str]) -> str:
    last = max(table["n"])

    def gains(name: str) -> str:
        one, most = reader.quantity(f"best-of-1.{name}"), reader.quantity(f"best-of-{last}.{name}")
        if one is None or most is None or one.interval is None or most.interval is None:
            return ""
        if most.interval.low > one.interval.high:
            return "more"
        return "less" if most.interval.high < one.interval.low else "as much"

    others = [name for name in scores if name != "reward" and gains(name)]
    if not others:
        return "What choosing the best of several samples by the reward would bring"
    words = {"more": "gains too", "less": "loses", "as much": "stays where it was"}
    first = "gold" if "gold" in others else others[0]
    name = "the trusted grader’s score" if first == "gold" else plain(first)
    return f"Where the best is chosen by the reward, {name} {words[gains(first)]}"


def _meta(reader: Reader, table: Columns, scores: list[str]) -> dict[str, object]:
    rows: list[object] = []
    for at, n in enumerate(table["n"]):
        row: list[object] = [cell(reader.number(f"curve/{at}/n", "k"))]
        for name in [*scores, *_COSTS]:
            field = reader.quantity(f"best-of-{n}.{name}")
            row.append(cell(reader.number(f"best-of-{n}.{name}") if field else ""))
            row.append(cell(reader.number(f"best-of-{n}.{name}", "interval") if field and field.interval else ""))
        rows.append(row)
    heads = [head for name in [*scores, *_COSTS] for head in (_COST_NAMES.get(name, plain(name)), "interval")]
    return {
        "figure": "best-of-n",
        "of": reader.id,
        "title": _title(reader, table, scores),
        "desc": "Two panels against the number of samples. Left, the mean of each score of the sample with the best "
        "reward; right, how far that choice lies from the policy, by three counts.",
        "caption": sentence(
            "Left: the mean score, over prompts, of the sample that the reward likes best. Right: how far that moves "
            "from the policy. Where samples tie, the usual formula (dashed) is an upper bound; the least any policy "
            "needs for the same reward is a tilt by it."
        ),
        "source": reader.scope(),
        "units": {"x": "samples chosen from", "y": "score; nats"},
        "table": {"columns": ["best of", *heads], "rows": rows},
        "rows": table,
    }
