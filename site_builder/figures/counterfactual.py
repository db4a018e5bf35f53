"""Whom another reward would have pushed: a block an edit, its shares of rollouts with their intervals."""

from __future__ import annotations

from lens.errors import UsageError
from lens.reading import Columns, Declined
from site_builder.figures import _shares, _terms
from site_builder.figures._readings import Reader, sentence, share
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, TEXT, Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

MEDIUM = 760.0
MOST = 3  # edits drawn; the table has all
_SAID = {
    "flips": "pushed the other way",
    "to-zero": "no longer pushed",
    "from-zero": "pushed where it was not",
    "moved": "moved by more than a spread",
}


@figure("counterfactual", draws="rollouts another reward would have pushed otherwise", instruments=("counterfactual",))
def counterfactual(lookup: Lookup, id: str, width: Width, *, edit: str = "") -> Spec:
    """`id` is a counterfactual record; the edits that turn most rollouts are drawn, or `edit` alone."""
    reader = Reader(lookup, id)
    edits = sorted(_edits(reader), key=lambda edit: _turned(reader, edit), reverse=True)
    if edit and edit not in edits:
        raise UsageError(f"{id} has no edit {edit}", remedy=f"one of {', '.join(edits)}")
    edits = [edit] if edit else edits
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    top = 0.0
    labels = 210.0 if width == "wide" else 120.0
    for edit in edits[:MOST]:
        sheet.text(0, top + 9, Run(_terms.words(edit), bold=True), size=TEXT)
        top = _shares.draw(sheet, [*_rows(reader, edit), *_control(reader)], unit="", top=top + 22, labels=labels)
    sheet.text(sheet.width, top - 6, "% of scored rollouts", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(top + 6, _meta(reader, edits))


def _edits(reader: Reader) -> list[str]:
    return [name for name, _ in reader.ending("flips") if name != "identity"]


def _turned(reader: Reader, edit: str) -> float:
    flips = reader.quantity(f"{edit}.flips")
    return -1.0 if flips is None else share(flips)


def _rows(reader: Reader, edit: str) -> list[_shares.Row]:
    return [
        _shares.Row(reader, f"{edit}.{part}", (Run(words),), gap="rules differ")
        for part, words in _SAID.items()
        if reader.get(f"{edit}.{part}") is not None
    ]


def _control(reader: Reader) -> list[_shares.Row]:
    if reader.get("identity.flips") is None:
        return []
    return [_shares.Row(reader, "identity.flips", (Run("control: as it was"),))]


def _title(reader: Reader, edits: list[str]) -> str:
    known = [edit for edit in edits if not isinstance(reader.get(f"{edit}.flips"), Declined)]
    if not known:
        return "The rules that fit the record differ on every edit tried"
    first = reader.quantity(f"{known[0]}.flips")
    if first is None or not first.value:
        return "No edit tried would have pushed a rollout the other way"
    return f"{_terms.capital(_terms.words(known[0]))}: of the edits tried, it turns most rollouts around"


def _meta(reader: Reader, edits: list[str]) -> dict[str, object]:
    caption = (
        "The same rollouts under a reward with one leaf changed, through the rule that replays the record. Dot and "
        "line: share of scored rollouts, with its interval over steps. The control is the replay itself: whom the "
        "reward as it was would push the other way."
    )
    if len(edits) > MOST:
        caption += " Edits that turn the most rollouts are drawn; the table has all."
    rows = [
        _shares.Row(reader, row.field, (Run(f"{_terms.words(edit)}: {row.label[0].text}"),), gap=row.gap)
        for edit in edits
        for row in _rows(reader, edit)
    ]
    table: Columns | None = reader.table("steps")
    made: dict[str, object] = {
        "figure": "counterfactual",
        "of": reader.id,
        "title": _title(reader, edits),
        "desc": "For each edit of the reward, rows for rollouts pushed the other way, no longer pushed, newly "
        "pushed and moved far, as shares with intervals, and the control last.",
        "caption": sentence(caption),
        "source": reader.scope(),
        "units": {"x": "% of scored rollouts"},
        "table": _shares.table([*rows, *_control(reader)], "edit", "rollouts"),
    }
    return made | ({"rows": table} if table else {})
