"""Path data through points in px. A long trail is written in steps of tenths of a px: a third of the bytes."""

from __future__ import annotations

from collections.abc import Sequence

from site_builder.svg.pen import n

Point = tuple[float, float]
_LONG = 12  # points; a shorter trail is written point by point, to hundredths


def line(points: Sequence[tuple[float | None, float | None]]) -> str:
    """A line through points; a null parts two lines, level and upright pieces are written short.

    >>> line([(0, 0), (5, 0), (5, 2.25), (None, None), (9, 9), (10, 8)])
    'M0 0H5V2.25M9 9L10 8'
    """
    stretches: list[list[Point]] = [[]]
    for x, y in points:
        if x is not None and y is not None:
            stretches[-1].append((x, y))
        elif stretches[-1]:
            stretches.append([])
    some = [stretch for stretch in stretches if stretch]
    return _steps(some) if len(points) > _LONG else "".join(map(_places, some))


def dots(points: Sequence[Point]) -> str:
    """A line of no length at each point: round caps make it a disc.

    >>> dots([(1, 2), (3.5, 2)])
    'M1 2h0M3.5 2h0'
    """
    if len(points) <= _LONG:
        return "".join(f"M{n(x)} {n(y)}h0" for x, y in points)
    at, d = _tenths(points[0]), ""
    for point in points:
        to = _tenths(point)
        d += f"m{_pair(to[0] - at[0], to[1] - at[1])}h0" if d else f"M{_pair(*to)}h0"
        at = to
    return d


def _places(points: Sequence[Point]) -> str:
    d, at = "", ("", "")
    for x, y in points:
        to = (n(x), n(y))
        if not d:
            d = f"M{to[0]} {to[1]}"
        elif to[1] == at[1]:
            d += f"H{to[0]}"
        elif to[0] == at[0]:
            d += f"V{to[1]}"
        else:
            d += f"L{to[0]} {to[1]}"
        at = to
    return d


def _steps(stretches: Sequence[Sequence[Point]]) -> str:
    """From rounded place to rounded place, so that no error adds up; what goes on level is one piece."""
    d, at = "", (0, 0)
    for points in stretches:
        places = [_tenths(point) for point in points]
        to = places[0]
        d += f"m{_pair(to[0] - at[0], to[1] - at[1])}" if d else f"M{_pair(*to)}"
        at = to
        for to, after in zip(places[1:], [*places[2:], None], strict=True):
            across, down = to[0] - at[0], to[1] - at[1]
            if not down and after is not None and after[1] == to[1] and (after[0] - to[0]) * across > 0:
                continue
            if not down:
                d += f"h{_short(across)}"
            elif not across:
                d += f"v{_short(down)}"
            else:
                d += f"l{_pair(across, down)}"
            at = to
    return d


def _tenths(point: Point) -> tuple[int, int]:
    return round(point[0] * 10), round(point[1] * 10)


def _pair(x: int, y: int) -> str:
    one, other = _short(x), _short(y)
    return one + other if other.startswith("-") else f"{one} {other}"


def _short(tenths: int) -> str:
    """
    >>> _short(5), _short(-12), _short(30)
    ('.5', '-1.2', '3')
    """
    text = n(tenths / 10)
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
