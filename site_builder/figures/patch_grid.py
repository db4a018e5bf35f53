"""What causes the margin: the share lost or won when one place takes another text's value, as a heat map."""

from __future__ import annotations

from lens.reading import Columns, Label
from site_builder.figures import _grids, _terms
from site_builder.figures._grids import Panel
from site_builder.figures._heat import Heat
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import Width, figure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

_MODES = {
    "noising": "noising: the rejected reply’s value",
    "denoising": "denoising: the chosen reply’s value",
    "zero": "zero",
    "mean": "mean",
    "resample": "resample",
}
_KINDS = ("embed", "attn", "mlp")
_SHOWN = 16  # positions back from the readout that are drawn


@figure("patch-grid", draws="patching effects by component, head or position", instruments=("patching",))
def patch_grid(
    lookup: Lookup, id: str, width: Width, *, grid: str = "position", modes: str = "noising-denoising"
) -> Spec:
    """`id` is a patching record; `grid` is component, head or position, `modes` those drawn, joined by dashes."""
    reader = Reader(lookup, id)
    name = f"{grid}s"
    table: Columns = reader.table(name) or {"mode": []}
    wanted = [mode for mode in modes.split("-") if mode in table["mode"]]
    rows = {mode: [at for at, one in enumerate(table["mode"]) if one == mode] for mode in wanted}
    if grid == "component":
        panels = [_components(reader, table, rows, brief=width == "narrow")]
    else:
        make = _positions if grid == "position" else _heads
        panels = [make(reader, table, some, _MODES[mode]) for mode, some in rows.items()]
    across = {"position": "tokens before the readout", "head": "head", "component": ""}[grid]
    up = {"position": "blocks passed", "head": "block", "component": ""}[grid]
    sheet, height = _grids.sheet(
        reader, panels, width, unit="share of the margin", across=across, up=up, leftward=grid == "position"
    )
    return sheet.spec(height, _meta(reader, table, rows, grid))


def _heads(reader: Reader, table: Columns, rows: list[int], name: str) -> Panel:
    return Panel(name, _grids.by_head(table, rows, "heads", "share", reader))


def _components(reader: Reader, table: Columns, rows: dict[str, list[int]], *, brief: bool) -> Panel:
    """Modes across, components up the side from the embedding; `brief` names leave a phone's cells more room."""
    sites = [table["site"][at] for at in next(iter(rows.values()), [])]
    heat = Heat([[None] * len(rows) for _ in sites], [[""] * len(rows) for _ in sites])
    for column, some in enumerate(rows.values()):
        for at in some:
            row = sites.index(table["site"][at])
            heat.values[row][column] = table["share"][at]
            heat.refs[row][column] = reader.ref(f"components/{at}/share") if table["share"][at] is not None else ""
            if table["structural-zero"][at]:
                heat.zeros.append((row, column))
    return Panel(
        "", heat, x=tuple(range(len(rows))), x_words=tuple(rows), y=tuple(range(len(sites))),
        y_words=tuple(_terms.brief_site(site) if brief else _terms.site(site) for site in sites),
    )  # fmt: skip


def _positions(reader: Reader, table: Columns, rows: list[int], name: str) -> Panel:
    """Depths up, tokens back from the readout to the left; the last column stands for all tokens both texts begin
    with."""
    backs = sorted({table["back"][at] for at in rows if table["back"][at] >= 0})[:_SHOWN]
    shared = any(table["back"][at] < 0 for at in rows)
    layers = 1 + max((table["layer"][at] for at in rows), default=0)
    columns = len(backs) + shared
    heat = Heat([[None] * columns for _ in range(layers)], [[""] * columns for _ in range(layers)])
    for at in rows:
        back, layer = table["back"][at], table["layer"][at]
        column = columns - 1 if back < 0 else back
        if back >= len(backs):
            continue
        if table["structural-zero"][at]:
            heat.zeros.append((layer, column))
        elif table["share"][at] is not None:
            heat.values[layer][column] = table["share"][at]
            heat.refs[layer][column] = reader.ref(f"positions/{at}/share")
    return Panel(name, heat, x=tuple(float(back) for back in backs[:: 1 if len(backs) < 9 else 4]))


def _meta(reader: Reader, table: Columns, rows: dict[str, list[int]], grid: str) -> dict[str, object]:
    structure = {
        "position": " Hatched: zero by structure, since both texts begin alike there, or the head reads one token "
        "alone; the column at the left stands for every token the texts share.",
        "head": "",
        "component": "",
    }[grid]
    cut = grid == "position" and max(table["back"], default=0) >= _SHOWN
    return {
        "figure": "patch-grid",
        "of": reader.id,
        "title": _title(reader, grid),
        "desc": f"Heat maps of the share of the margin that changes when one {grid} takes another text’s value.",
        "caption": sentence(
            "The margin lost when the chosen reply runs on with the rejected one’s value at one place, or won the "
            "other way round, as a share of the mean margin; texts are aligned at their last token. Blue: the place "
            "carries the preference, orange: it works against it; a cell without its value has a bar there. A place "
            f"that causes the margin need not write it.{structure}"
            + (" Tokens further back are in the table alone." if cut else "")
        ),
        "source": reader.scope(),
        "units": {"cell": "share of the margin"},
        "table": _table(reader, table, rows, grid),
        "rows": table,
    }


def _title(reader: Reader, grid: str) -> str:
    if grid == "position":
        return _gathered(reader)
    top, control = reader.get(f"noising.{grid}.top"), reader.quantity("untrained.noising.component.share")
    field = reader.quantity(f"noising.{grid}.share")
    if not isinstance(top, Label):
        return f"What the margin loses, {grid} by {grid}"
    name = _terms.capital(_terms.site(top.value))
    if grid == "component" and field and control and control.interval and field.interval:
        if control.interval.low <= field.value <= control.interval.high:
            return f"{name} matters most, no more than the largest of an untrained model"
        return f"{name} matters most, beyond the largest of an untrained model"
    return f"{name} matters more than any other {grid}"


def _gathered(reader: Reader) -> str:
    """How much of the margin lies at the readout token halfway up."""
    field = reader.quantity("noising.position.middle-share")
    if field is not None and field.interval is not None:
        if field.interval.low > 0.5:
            return "Halfway up, the larger part of the margin already lies at the readout token"
        if field.interval.high < 0.5:
            return "Halfway up, the larger part of the margin still lies at earlier tokens"
    return "Where the margin lies on its way to the readout token"


def _table(reader: Reader, table: Columns, rows: dict[str, list[int]], grid: str) -> dict[str, object]:
    made: list[object] = []
    for mode, some in rows.items():
        for at in some:
            place: list[object]
            if grid == "position":
                back = table["back"][at]
                where = cell(reader.number(f"positions/{at}/back")) if back >= 0 else cell("those both share")
                place = [cell(mode), cell(reader.number(f"positions/{at}/layer")), where]
            else:
                place = [cell(mode), cell(_terms.site(table["site"][at]))]
            zero = table["structural-zero"][at]
            share = table["share"][at]
            value = cell("zero by structure") if zero else cell(_number(reader, f"{grid}s/{at}/share", share))
            effect = cell("") if zero else cell(_number(reader, f"{grid}s/{at}/effect", table["effect"][at]))
            made.append([*place, value, effect])
    heads = ["mode", "blocks passed", "tokens before the readout"] if grid == "position" else ["mode", "site"]
    return {"columns": [*heads, "share of the margin", "effect, ru"], "rows": made}


def _number(reader: Reader, name: str, value: float | None) -> Run | str:
    return "" if value is None else reader.number(name)
