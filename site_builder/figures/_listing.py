"""Lines in columns: number, survivors, a margin that says who ran the line, and hooks for branches never taken.

Marks are gathered in px over all columns, so that those of one kind are one path.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from site_builder.figures._lines import Piece
from site_builder.figures._sheet import SMALL, Sheet, axis, hidden, measure
from site_builder.figures.survivors import CLASSES
from site_builder.svg import Run
from site_builder.svg.palette import Tone

ROW = 14.0
_GUTTER = 9.0
_HOOKS = 40.0  # px right of the margin for branches never taken
_LANES = 4

Place = tuple[str, int]  # file, line
State = tuple[bool, bool]  # ran under the base corpus, under any
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Arc:
    """A branch the base corpus never takes. `end` is −1 where it leaves the function; `by_any`: another corpus does."""

    file: str
    start: int
    end: int
    by_any: bool


@dataclass
class Listing:
    """Draws columns of lines; `finish` puts the marks on the sheet."""

    sheet: Sheet
    width: float
    reached: dict[Place, State]
    survivors: dict[Place, list[str]]
    arcs: list[Arc]
    _squares: dict[str, Points] = field(default_factory=lambda: defaultdict(list))
    _ran: list[tuple[float, float, float]] = field(default_factory=list)
    _hatched: dict[Tone, list[tuple[float, float, float, float]]] = field(default_factory=lambda: defaultdict(list))
    _hooks: dict[Tone, list[Points]] = field(default_factory=lambda: defaultdict(list))
    _heads: dict[tuple[Tone, str], Points] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        digits = max((len(f"{line:,}") for _, line in self.reached), default=1)
        self.numbers = measure(Run("0" * digits, mono=True), SMALL) + 8
        self.gutter = self.width - _HOOKS - _GUTTER
        most = max((len(self.survivors.get(place, [])) for place in self.reached), default=0)
        self.pitch = max(3.5, min(7.0, (self.gutter - self.numbers - 12) / max(most, 1)))

    def column(self, found: list[Piece], left: float) -> float:
        """One column from the top; returns where it ends."""
        top = 2.0
        for piece in found:
            if piece.head:
                self.sheet.text(left, top + ROW / 2, fitted(piece.function, self.width), size=SMALL, tone="ink2")
                top += ROW + 2
            self._piece(piece, left, top)
            top += (piece.last - piece.first + 1) * ROW + ROW * 0.7
        return top

    def _piece(self, piece: Piece, left: float, top: float) -> None:
        shown = [line for line in range(piece.first, piece.last + 1) if (piece.file, line) in self.reached]
        height = (piece.last - piece.first + 1) * ROW
        y = axis(piece.last + 0.5, piece.first - 0.5, ticks=shown, mono=True)
        self.sheet.panel(left + self.numbers, top, self.gutter - self.numbers, height, hidden(0, 1), y)

        def at(line: float) -> float:
            return top + (line - piece.first + 0.5) * ROW

        margin = left + self.gutter
        for first, last, (by_base, by_any) in self._stretches(piece.file, shown):
            if by_base:
                self._ran.append((margin + 1.5, at(first - 0.5), at(last + 0.5)))
            else:
                box = (margin, margin + _GUTTER, at(first - 0.5), at(last + 0.5))
                self._hatched["hatch" if by_any else "ink"].append(box)
        for line in shown:
            for place, name in enumerate(reversed(self.survivors.get((piece.file, line), []))):
                self._squares[name].append((margin - 6 - (place + 0.5) * self.pitch, at(line)))
        self._arcs(piece, margin + _GUTTER + 3, at)

    def _stretches(self, file: str, shown: list[int]) -> Iterator[tuple[int, int, State]]:
        """Neighbouring lines in one state; lines without code between two of a state take it."""
        start = 0
        for at in range(1, len(shown) + 1):
            state = self.reached[file, shown[start]]
            if at == len(shown) or self.reached[file, shown[at]] != state:
                yield shown[start], shown[at] - 1 if at < len(shown) else shown[at - 1], state
                start = at

    def _arcs(self, piece: Piece, left: float, at: Callable[[float], float]) -> None:
        """Hooks from a line to the line its branch would lead to; a stub where that stands elsewhere."""
        lanes: list[tuple[int, int]] = []
        for arc in self.arcs:
            if arc.file != piece.file or not piece.first <= arc.start <= piece.last:
                continue
            inside = piece.first <= arc.end <= piece.last
            low, high = sorted((arc.start, arc.end if inside else arc.start))
            lane = sum(first <= high and low <= last for first, last in lanes) % _LANES
            lanes.append((low, high))
            x = left + 8 + 8 * lane
            tone: Tone = "ink2" if arc.by_any else "ink"
            start, end = at(arc.start), at(arc.end)
            if inside:
                self._hooks[tone].append([(left, start), (x, start), (x, end), (left + 3, end)])
                self._heads[tone, "triangle-left"].append((left + 2, end))
            else:
                self._hooks[tone].append([(left, start), (x, start)])
                self._heads[tone, "triangle-right"].append((x, start))

    def finish(self, height: float) -> None:
        """Put every mark on the sheet, those of one kind in one trace."""
        panel = self.sheet.panel(0, 0, self.sheet.width, height, hidden(0, self.sheet.width), hidden(height, 0))
        for tone, boxes in self._hatched.items():
            panel.plates(boxes, outline=False, tone=tone)
        if self._ran:
            panel.lines([[(x, top), (x, bottom)] for x, top, bottom in self._ran], tone="cell", width=3)
        for tone, paths in self._hooks.items():
            panel.lines(paths, tone=tone, width=1)
        for (tone, symbol), points in self._heads.items():
            panel.dots([x for x, _ in points], [y for _, y in points], symbol=symbol, size=6, tone=tone)
        for name, points in self._squares.items():
            _, symbol, tone = CLASSES[name]
            panel.dots([x for x, _ in points], [y for _, y in points], symbol=symbol, size=self.pitch - 1.5, tone=tone)


def fitted(function: str, room: float) -> Run:
    """A function's name: its outer names left off where they don't fit, then its end."""
    run = Run(function, mono=True)
    while measure(run, SMALL) > room and "." in run.text:
        run = run._replace(text=run.text.partition(".")[2])
    while measure(run, SMALL) > room:
        run = run._replace(text=run.text.rstrip("…")[:-1] + "…")
    return run
