"""How one row of a preference set is read: by its column names, whichever of the usual layouts it has.

    chosen, rejected                  strings or chat messages; the prompt in its own column or as the shared beginning
    response_A, response_B, label     two replies and which one is better, in words ("A>B") or by number (1, 2)

`axis` (what the two replies of a matched pair differ in), `lineage`, `pair_id` (else `id`) and `subset` (else `part`,
`category`, `source`) are read beside either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lens.errors import UsageError
from lens.models.model import Prompt
from lens.models.pairs import Pair, Pairs

PROMPT = ("prompt", "question", "instruction", "query", "input", "context")
PART = ("subset", "part", "category", "source")
KEY = ("pair_id", "id")
TWO = (
    ("response_a", "response_b"),
    ("response_1", "response_2"),
    ("response1", "response2"),
    ("output_1", "output_2"),
    ("completion_a", "completion_b"),
    ("answer_a", "answer_b"),
)  # fmt: skip
LABEL = ("label", "preference", "preferred", "winner", "better")
READ = "prompt, chosen, rejected; chosen and rejected as chat messages; or question, response_A, response_B, label"
_FIRST, _SECOND = {"a>b", "a", "1", "response_a", "response_1", "model_a"}, {"b>a", "b", "2", "response_b", "model_b"}
_SECOND |= {"response_2"}
_NAMED = 5  # lines listed by number in a message
_TIE = {"a=b", "b=a", "tie", "tied", "ties", "equal", "both", "neither", "same", "0.5", "tie (bothbad)"}


class Read(NamedTuple):
    """A row that was read. `swapped` is true where the second of two replies is the chosen one."""

    prompt: Prompt
    chosen: str
    rejected: str
    axis: str
    lineage: str
    key: str
    part: str
    swapped: bool


class Misfit(ValueError):
    """A row that is no pair, in words that follow its line number."""


class Tie(Misfit):
    """A row whose label says that neither reply is better."""


class Alike(Misfit):
    """A row with the same text for both replies."""


class Columns(NamedTuple):
    """Which column plays which part; "" where none does."""

    prompt: str
    first: str
    second: str
    label: str
    axis: str
    lineage: str
    key: str
    part: str


class LeftOut:
    """Rows that are no pairs, by why, with their numbers."""

    def __init__(self) -> None:
        self.lines: dict[str, list[int]] = {}

    def note(self, why: str, number: int) -> None:
        self.lines.setdefault(why, []).append(number)

    def told(self) -> tuple[str, ...]:
        """A phrase a reason: how many rows, why, which.

        >>> out = LeftOut()
        >>> out.note("labelled a tie", 3)
        >>> out.told()
        ('1 labelled a tie (line 3)',)
        """
        return tuple(f"{len(numbers)} {why} ({_lines(numbers)})" for why, numbers in self.lines.items())


def of_rows(
    name: str,
    rows: Iterable[tuple[int, dict[str, Any]]],
    told: str,
    content: str,
    locator: str,
    licence: str = "unknown",
) -> Pairs:
    """The pairs among (number, row). `told` is the source's name in messages, `content` its digest.

    Rows with two replies alike, and ties, are kept out and named in `Pairs.left_out`. Raises UsageError for any other
    row that is no pair, and where none is left.
    """
    out = LeftOut()
    pairs = tuple(pair for pair, _, _ in read_rows(rows, told, out))
    if not pairs:
        raise UsageError(
            f"{told} has no pairs: {'; '.join(out.told()) or 'it has no rows'}",
            remedy="give at least one prompt with a chosen and another, rejected reply",
        )
    return Pairs(name, pairs, content, locator, licence, out.told())


def read_rows(
    rows: Iterable[tuple[int, dict[str, Any]]], told: str, out: LeftOut
) -> Iterator[tuple[Pair, bool, dict[str, Any]]]:
    """(pair, whether the second of two replies is the chosen one, row) of every row that is a pair.

    Others go to `out`, or raise UsageError where they can't be read.
    """
    columns = None
    for number, row in rows:
        columns = columns or columns_of(row)
        if columns is None:
            raise UsageError(
                f"{told} has the columns {', '.join(map(str, row)) or '(none)'}: no layout of pairs fits",
                remedy=f"name them {READ}",
            )
        try:
            read = read_row(row, columns)
        except Tie:
            out.note("labelled a tie", number)
        except Alike:
            out.note("with both replies alike", number)
        except Misfit as misfit:
            raise UsageError(f"{told}, line {number}: {misfit}", remedy="mend the line or leave it out") from None
        else:
            yield Pair(number, *read[:-1]), read.swapped, row


def _lines(numbers: list[int]) -> str:
    named = ", ".join(map(str, numbers[:_NAMED]))
    more = len(numbers) - _NAMED
    return f"line{'s' * (len(numbers) > 1)} {named}{f' and {more} more' if more > 0 else ''}"


def columns_of(names: Iterable[str]) -> Columns | None:
    """The layout of a set with these columns, or None where none of those read fits."""
    known = {str(name).lower(): str(name) for name in names}

    def first(some: Iterable[str]) -> str:
        return next((known[name] for name in some if name in known), "")

    rest = first(("axis",)), first(("lineage",)), first(KEY), first(PART)
    if "chosen" in known and "rejected" in known:
        return Columns(first(PROMPT), known["chosen"], known["rejected"], "", *rest)
    for a, b in TWO:
        if a in known and b in known and first(LABEL) and first(PROMPT):
            return Columns(first(PROMPT), known[a], known[b], first(LABEL), *rest)
    return None


def read_row(row: Mapping[str, Any], columns: Columns) -> Read:
    """One row, read by the set's layout. Raises Misfit, Tie or Alike for a row that is no pair."""
    head, a = reply(row.get(columns.first), columns.first)
    other_head, b = reply(row.get(columns.second), columns.second)
    prompt = _prompt(row.get(columns.prompt) if columns.prompt else None, head, other_head, columns)
    swapped = bool(columns.label) and not _first_is_chosen(row.get(columns.label), columns.label)
    if a == b:
        raise Alike(f"{columns.first} and {columns.second} are alike")
    chosen, rejected = (b, a) if swapped else (a, b)
    beside = (columns.axis, columns.lineage, columns.key, columns.part)
    axis, lineage, key, part = (_word(row, name) for name in beside)
    return Read(prompt, chosen, rejected, axis, lineage, key, part, swapped)


def reply(value: Any, column: str) -> tuple[tuple[dict[str, str], ...], str]:
    """(messages before it, reply) of a text or of chat messages whose last one is the reply."""
    if isinstance(value, str):
        return (), value
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, (list, tuple)) or not value:
        raise Misfit(
            f"{column} is {'empty' if not value else f'a {type(value).__name__}'}, neither a text nor messages"
        )
    messages = _messages(value, column)
    if messages[-1]["role"] in ("user", "system"):
        raise Misfit(f"{column} ends with a message of the {messages[-1]['role']}: the last message is the reply")
    return messages[:-1], messages[-1]["content"]


def _messages(value: Iterable[Any], column: str) -> tuple[dict[str, str], ...]:
    messages = []
    for one in value:
        if not isinstance(one, Mapping) or not isinstance(one.get("content"), str) or "role" not in one:
            raise Misfit(f"{column} holds something that is no chat message (role and content, both text)")
        messages.append({"role": str(one["role"]), "content": one["content"]})
    return tuple(messages)


def _prompt(
    given: Any, head: tuple[dict[str, str], ...], other: tuple[dict[str, str], ...], columns: Columns
) -> Prompt:
    """The prompt: its column, the messages both replies come after, or the one continued by the other."""
    if head != other:
        raise Misfit(f"the messages before {columns.first} and {columns.second} differ: a pair shares its prompt")
    if isinstance(given, str):
        return head or given
    if isinstance(given, (list, tuple)) and given:
        asked = _messages(given, columns.prompt)
        return head if head[: len(asked)] == asked else asked + head
    if not head:
        raise Misfit(
            f"no prompt: {columns.prompt or 'a column'} {'is empty' if columns.prompt else 'prompt is missing'}"
        )
    return head


def _first_is_chosen(label: Any, column: str) -> bool:
    text = str(label).strip().lower().replace(" > ", ">").replace(" = ", "=").replace(">>", ">")
    if isinstance(label, float) and label.is_integer():
        text = str(int(label))
    if text in _TIE:
        raise Tie(f"{column} is {label!r}: neither is preferred")
    if text not in _FIRST | _SECOND:
        raise Misfit(f"{column} is {label!r}, none of A>B, B>A, A, B, 1, 2")
    return text in _FIRST


def _word(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column) if column else None
    return "" if value is None else str(value)
