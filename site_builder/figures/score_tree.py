"""What a reward was the sum of: from the total to its leaves, as wide as each leaf decides inside a group."""

from __future__ import annotations

from dataclasses import dataclass

from lens.reading import Columns, Declined, Quantity
from site_builder.figures import _terms
from site_builder.figures._readings import Reader, cell, declined, sentence, why
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, TEXT, Panel, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 860.0
_TREE = 250.0  # px from the total to a leaf's name
_STEP = 66.0
_WHOLE = 46.0  # px: the width of all of the variance
_BAR = 9.0


@dataclass(frozen=True)
class _Leaf:
    """A leaf and its share of the variance inside groups; None where there is but one leaf."""

    name: str
    share: Quantity | Declined | None

    @property
    def part(self) -> float:
        """Of the tree's width; a share below nothing or one that declined has none."""
        if self.share is None:
            return 1.0
        return 0.0 if isinstance(self.share, Declined) else max(0.0, float(self.share.value))


@figure("score-tree", draws="leaves of a reward, as wide as they decide inside a group", instruments=("score-tree",))
def score_tree(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a score-tree record: the leaf that decides most stands first."""
    reader = Reader(lookup, id)
    leaves = sorted(_leaves(reader), key=lambda leaf: -leaf.part)
    wide = width == "wide"
    sheet = Sheet(WIDE if wide else NARROW)
    tree = _TREE if wide else 104.0
    step = _STEP if wide or len(leaves) < 2 else 96.0
    height = max(step * len(leaves), 84.0)
    top = 0.0 if wide else 62.0
    _total(sheet, reader, wide)
    root = 128.0 if wide else 0.0
    _branches(sheet, leaves, (root, tree), (top, step, height))
    for at, leaf in enumerate(leaves):
        _words(sheet, reader, leaf, tree + _BAR + 12, top + _middle(at, len(leaves), step, height), wide)
    end = top + height
    if any(leaf.share is not None for leaf in leaves):
        end = _shares(sheet, reader, leaves, top, step, wide)
    return sheet.spec(end + 8, _meta(reader, leaves))


def _leaves(reader: Reader) -> list[_Leaf]:
    found = []
    for name, _ in reader.ending("weight"):
        share = reader.get(f"{name}.share")
        found.append(_Leaf(name, share if isinstance(share, Quantity | Declined) else None))
    return found or [_Leaf("", None)]


def _middle(at: int, count: int, step: float, height: float) -> float:
    return height / 2 if count == 1 else step * (at + 0.5)


def _total(sheet: Sheet, reader: Reader, wide: bool) -> None:
    lines: list[list[Run]] = [[Run("reward", bold=True)]]
    if reader.quantity("low") and reader.quantity("high"):
        lines.append([reader.number("low"), Run(" to "), reader.number("high")])
    if reader.quantity("abstained"):
        lines.append([Run("without a score ", tone="ink3"), *reader.count("abstained")])
    if wide:
        lines = [*lines[:2], *([[Run("without a score", tone="ink3")], reader.count("abstained")] if lines[2:] else [])]
    for at, line in enumerate(lines):
        sheet.text(0, 12 + at * 18, line, size=TEXT if at == 0 else SMALL)


def _branches(sheet: Sheet, leaves: list[_Leaf], across: tuple[float, float], down: tuple[float, float, float]) -> None:
    """Bands from the total's bar to each leaf's, in px; a leaf without a width is a dashed line."""
    (root, tree), (top, step, height) = across, down
    panel = sheet.panel(0, top, sheet.width, height, hidden(0, sheet.width), hidden(height, 0))
    whole = min(_WHOLE, height - 12)
    start = height / 2 - whole / 2
    panel.band([(root, start), (root + _BAR, start), (root + _BAR, start + whole), (root, start + whole)], tone="ink")
    scale = whole / max(1.0, sum(leaf.part for leaf in leaves))
    for at, leaf in enumerate(leaves):
        middle = _middle(at, len(leaves), step, height)
        thick = leaf.part * scale
        if thick < 0.5:
            panel.line([root + _BAR, tree], [height / 2, middle], tone="hatch", width=1, dash="dash")
            continue
        ends = (middle - thick / 2, middle + thick / 2)
        _band(panel, (root + _BAR, tree), (start, start + thick), ends)
        panel.band([(tree, ends[0]), (tree + _BAR, ends[0]), (tree + _BAR, ends[1]), (tree, ends[1])], tone="ink")
        start += thick


def _band(panel: Panel, across: tuple[float, float], left: tuple[float, float], right: tuple[float, float]) -> None:
    """A band that leaves and arrives level."""
    steps = 12

    def side(at: int) -> list[tuple[float, float]]:
        made = []
        for n in range(steps + 1):
            share = n / steps
            eased = share * share * (3 - 2 * share)
            x = across[0] + share * (across[1] - across[0])
            made.append((round(x, 1), round(left[at] + eased * (right[at] - left[at]), 1)))
        return made

    panel.band([*side(0), *reversed(side(1))])


def _words(sheet: Sheet, reader: Reader, leaf: _Leaf, left: float, middle: float, wide: bool) -> None:
    if not leaf.name:
        sheet.text(left, middle, "recorded as one number", tone="ink2")
        return
    lines: list[list[Run]] = [[Run(_terms.words(leaf.name), bold=True)]]
    lines[0] += [Run("  weight ", tone="ink3"), reader.number(f"{leaf.name}.weight")]
    if reader.quantity(f"{leaf.name}.low"):
        ends = [reader.number(f"{leaf.name}.low"), Run(" to "), reader.number(f"{leaf.name}.high")]
        lines.append(ends)
    scored = [Run("scored ", tone="ink3"), *reader.count(f"{leaf.name}.scored")]
    if wide and len(lines) > 1:
        lines[1] += [Run(", ", tone="ink3"), *scored]
    else:
        lines.append(scored)
    start = middle - (len(lines) - 1) * 8.5
    for at, line in enumerate(lines):
        sheet.text(left, start + at * 17, line, size=TEXT if at == 0 else SMALL)


def _shares(sheet: Sheet, reader: Reader, leaves: list[_Leaf], top: float, step: float, wide: bool) -> float:
    """Each leaf's share with its interval, on one axis: beside the names, or under them where there is no room."""
    height = step * len(leaves)
    printed = max((measure(reader.number(f"{leaf.name}.share")) for leaf in leaves if _read(leaf)), default=0.0) + 12
    left = 520.0 if wide else 8.0
    if not wide:
        top, step = top + height + 24, 30.0
        height = step * len(leaves)
        left = max(measure(_terms.words(leaf.name)) for leaf in leaves) + 12
    room = sheet.width - left - printed
    known = [leaf.share for leaf in leaves if isinstance(leaf.share, Quantity)]
    reach = [value for one in known if one.interval for value in (one.interval.low, one.interval.high)]
    ticks = nice(min([0.0, *reach]), max([1.0, *reach]), 4 if room > 170 else 2)
    panel = sheet.panel(
        left, top, room, height, axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True), hidden(len(leaves), 0)
    )
    for at, leaf in enumerate(leaves):
        middle = top + step * (at + 0.5)
        if not wide:
            sheet.text(left - 12, middle, _terms.words(leaf.name), anchor="right", tone="ink2")
        share = leaf.share
        if isinstance(share, Declined):
            panel.plate(ticks[0], ticks[-1], at + 0.25, at + 0.75, why=share.detail)
            sheet.text(left + room / 2, middle, why(share), anchor="center", size=SMALL, plate=True)
        elif share is not None:
            low, high = (share.interval.low, share.interval.high) if share.interval else (None, None)
            ref = reader.ref(f"{leaf.name}.share")
            panel.dots([float(share.value)], [at + 0.5], low=[low], high=[high], refs=[ref])
            sheet.text(sheet.width, middle, reader.number(f"{leaf.name}.share"), anchor="right")
    unit = "share of the variance inside groups"
    sheet.text(sheet.width, top + height + 30, unit, anchor="right", tone="ink3", size=SMALL)
    return top + height + 38


def _read(leaf: _Leaf) -> bool:
    return isinstance(leaf.share, Quantity)


def _title(leaves: list[_Leaf]) -> str:
    if len(leaves) == 1:
        return "One leaf is the whole reward: there is nothing to take apart"
    first = leaves[0].share
    if not isinstance(first, Quantity):
        return "The leaves of the reward"
    rest = [float(leaf.share.value) for leaf in leaves[1:] if isinstance(leaf.share, Quantity)]
    low = first.interval.low if first.interval else float(first.value)
    if low > max(rest, default=0.0):
        return f"Inside a group {_terms.words(leaves[0].name)} decides most"
    return "No leaf alone decides inside a group"


def _meta(reader: Reader, leaves: list[_Leaf]) -> dict[str, object]:
    caption = "From the total to its leaves."
    if len(leaves) > 1:
        caption += (
            " A branch is as wide as the leaf’s part in what tells rollouts of one group apart: its covariance with "
            "the total over the total’s variance. Dot and line: that share, and its interval over steps."
        )
    else:
        caption += " A single number was recorded; it may itself be a sum that the grader never wrote down."
    table: Columns | None = reader.table("leaves")
    made: dict[str, object] = {
        "figure": "score-tree",
        "of": reader.id,
        "title": _title(leaves),
        "desc": "A tree from the total reward at the left to its leaves, each with its weight, its range, how many "
        "rollouts it scored, and its share of the variance inside groups with an interval.",
        "caption": sentence(caption),
        "source": reader.scope(),
        "units": {"x": "share of the variance inside groups"},
        "table": _table(reader, leaves),
    }
    return made | ({"rows": table} if table else {})


def _table(reader: Reader, leaves: list[_Leaf]) -> dict[str, object]:
    rows: list[object] = []
    for leaf in leaves:
        if not leaf.name:
            continue
        row: list[object] = [cell(_terms.words(leaf.name))]
        for part in ("weight", "low", "high", "scored", "abstained"):
            row.append(cell(reader.number(f"{leaf.name}.{part}") if reader.quantity(f"{leaf.name}.{part}") else ""))
        share = leaf.share
        row.append(declined(share) if isinstance(share, Declined) else cell(_printed(reader, leaf)))
        rows.append(row)
    if not rows:
        rows.append(
            [cell("the total"), *(cell(reader.number(n) if reader.quantity(n) else "") for n in ("low", "high"))]
        )
        return {"columns": ["leaf", "lowest", "highest"], "rows": rows}
    return {"columns": ["leaf", "weight", "lowest", "highest", "scored", "without a score", "share"], "rows": rows}


def _printed(reader: Reader, leaf: _Leaf) -> Run | list[Run]:
    if not isinstance(leaf.share, Quantity):
        return Run("all of it")
    number = reader.number(f"{leaf.name}.share")
    if leaf.share.interval is None:
        return number
    return [number, Run(" ["), reader.number(f"{leaf.name}.share", "interval"), Run("]")]
