"""One built page, parsed as a browser parses it: what is stamped, what is drawn, and the text left over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from site_builder.claims.finding import Finding
from site_builder.claims.numerals import Numeral, judged
from site_builder.claims.visible import BACKED, plain

if TYPE_CHECKING:
    from site_builder.claims.readback.repeats import Counts
    from site_builder.claims.rules import Rule
    from site_builder.claims.units import Units
    from site_builder.lookup import Lookup

STAMPED = "data[data-ev], tspan[data-ev]"
_BACKED = f"{STAMPED}, [data-said], [data-ev-claim]"
_STAMPED_TAGS = ("data", "tspan")
_HIDDEN = "script, style, template"
_CODE = "code, pre, kbd, samp"
_SPOKEN = ("title", "alt", "aria-label", "aria-description", "aria-valuetext", "placeholder", "label", "summary")
_SEEN = (*_SPOKEN, "content", "data-label", "data-title")
_NAMED = ",".join(f"[{name}]" for name in _SEEN)
_INLINE_TAGS = "a abbr b bdi button cite em i mark q s small span strong sub sup u data tspan label"
_INLINE = frozenset(_INLINE_TAGS.split())
_TECHNICAL = frozenset(("viewport", "generator", "theme-color", "color-scheme", "robots", "format-detection"))
_DIGITS = re.compile(r"[0-9]")
_EDGE = 24  # characters looked at on either side of a stamp


class Stamped(NamedTuple):
    """A stamped element: its reference, text and machine value (None where it has none), and what touches it."""

    ref: str
    text: str
    value: str | None
    before: str
    after: str

    @property
    def is_spaced(self) -> bool:
        """Whether white space already keeps what stands on either side apart."""
        return self.before[-1:].isspace() or self.after[:1].isspace()


class Said(NamedTuple):
    """Words quoted from a record (`data-said`), or backed by a condition (`data-ev-claim`)."""

    ref: str
    text: str


class Tick(NamedTuple):
    """One label of an axis: the drawing's stored scale (empty where there is none), the axis, its place, its text."""

    scale: str
    axis: str
    at: str
    text: str


class Seen(NamedTuple):
    """An attribute people read or hear: the element's tag, the attribute, its value, and the references beside it."""

    tag: str
    name: str
    value: str
    refs: tuple[str, ...]


class Built:
    """Facts are taken from the tree once, then what they cover is cut out; `rest` is the text that is left."""

    def __init__(
        self, path: str, html: str, lookup: Lookup, units: Units, *, part: str, aside: Iterable[Counts] = ()
    ) -> None:
        """`part` of the page's `html` is read here; `aside` was counted in the parts read elsewhere."""
        self.path = path
        self.html = html
        self.lookup = lookup
        self.units = units
        self._aside = list(aside)
        tree = LexborHTMLParser(part)
        backed = tree.css(_BACKED)
        spaced = self._take(backed)
        self.ticks = [tick for group in tree.css("g.tick") for tick in _ticks(group)]
        self.seen = [seen for node in tree.css(_NAMED) for seen in _attributes(node)]
        self.structured = [
            Seen("script", "text", node.text(), _refs(node, "text"))
            for node in tree.css('script[type="application/ld+json"]')
        ]
        self.styles = [
            node.text() if node.tag == "style" else _ref(node, "style") for node in tree.css("style, [style]")
        ]
        self.code = _cut(tree, _CODE, f"{STAMPED}, [data-said]")
        for node in tree.css(_BACKED) if self.code else backed:  # what stood in code is gone
            if node.mem_id in spaced:
                node.decompose()
            else:
                node.replace_with("  ")  # what stands on either side of a number is no phrase
        for node in tree.css(f"g.tick, {_HIDDEN}"):
            node.decompose()
        self.rest = plain("\n".join(part.text(separator=" ") for part in (tree.head, tree.body) if part is not None))

    def _take(self, backed: list[LexborNode]) -> set[int]:
        """Notes what is stamped, said or claimed; returns the stamped elements that white space sets apart."""
        self.stamped, self.said, self.claims = [], [], []
        spaced = set()
        for node in backed:
            attributes = node.attributes
            if "data-ev" in attributes and node.tag in _STAMPED_TAGS:
                one = _stamped(node, attributes)
                self.stamped.append(one)
                if one.is_spaced:
                    spaced.add(node.mem_id)
            if "data-said" in attributes:
                self.said.append(Said(attributes["data-said"] or "", node.text()))
            if "data-ev-claim" in attributes:
                self.claims.append(Said(attributes["data-ev-claim"] or "", node.text()))
        return spaced

    @cached_property
    def numerals(self) -> list[Numeral]:
        """Numerals of the text that is left, each judged."""
        return judged(self.rest, self.units, exotic=not self.rest.isascii())

    @cached_property
    def allowed(self) -> Counter[str]:
        """Digits that stand unbacked, by token class; names are words, and not counted."""
        counts: Counter[str] = Counter()
        for part in self._aside:
            counts.update(part.allowed)
        for numeral in self.numerals:
            if numeral.allowed and numeral.allowed != "name":
                counts[numeral.allowed] += len(_DIGITS.findall(numeral.text))
        return counts

    @cached_property
    def digits(self) -> int:
        """Digits outside code and names: backed, drawn, quoted or allowed."""
        backed = [*(one.text for one in self.stamped), *(one.text for one in self.said)]
        backed += [*(one.text for one in self.ticks), *(one.text for one in self.numerals if one.allowed != "name")]
        return len(_DIGITS.findall("".join(backed))) + sum(part.digits for part in self._aside)

    def finding(self, rule: Rule, text: str, message: str, hint: str = "", *, within: str = "") -> Finding:
        """A finding about `text`, placed at the first occurrence of `within` (or of it) in the source."""
        at = self.html.find(within) if within else -1
        at = max(0, at if at >= 0 else self.html.find(text.strip()))
        line = self.html.count("\n", 0, at) + 1
        start = self.html.rfind("\n", 0, at) + 1
        end = self.html.find("\n", at)
        source = self.html[start : end if end >= 0 else len(self.html)]
        width = max(1, min(len(within or text.strip()), len(source) - (at - start)))
        return Finding(rule.code, rule.name, self.path, line, at - start + 1, width, message, hint, source, text)


def _cut(tree: LexborHTMLParser, selector: str, backed: str) -> list[str]:
    """The text of every outermost element, without what is backed in it; the elements are cut out."""
    found = []
    for node in tree.css(selector):
        if node.attributes.get("data-said") is not None:
            continue
        if (child := node.child) is not None and (child.tag != "-text" or child.next is not None):
            for inner in node.css(backed):
                if inner.mem_id != node.mem_id:
                    inner.decompose()
        found.append(plain(node.text()))
    if found:
        for node in tree.css(selector):
            node.decompose()
    return found


def _ref(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


def _refs(node: LexborNode, name: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, _ref(node, f"data-ev-{name}").split(";"))))


def _stamped(node: LexborNode, attributes: dict[str, str | None]) -> Stamped:
    value = attributes.get("value") if node.tag == "data" else None
    return Stamped(
        attributes.get("data-ev") or "",
        node.text(),
        value,
        _beside(node, attributes, forward=False),
        _beside(node, attributes, forward=True),
    )


def _beside(node: LexborNode, attributes: dict[str, str | None], *, forward: bool) -> str:
    """The characters next to an element in its line, made plain; another stamp is one `BACKED`."""
    at: LexborNode | None = node
    while at is not None:
        sibling = at.next if forward else at.prev
        if sibling is None:
            if (attributes if at is node else at.attributes).get("x") is not None:
                return ""  # a piece of a drawing with a place of its own
            at = at.parent
            if at is None or at.tag not in _INLINE:
                return ""
            continue
        tag = sibling.tag
        if tag == "-text":
            text = sibling.text_content or ""
        elif tag not in _INLINE or (around := sibling.attributes).get("x") is not None:
            return ""  # another block, or a piece of a drawing
        elif around.get("data-ev") is not None:
            return BACKED
        else:
            text = sibling.text()
        if text:
            return plain(text[:_EDGE] if forward else text[-_EDGE:])
        at = sibling
    return ""


def _ticks(group: LexborNode) -> list[Tick]:
    at: LexborNode | None = group
    while at is not None and at.tag != "svg":
        at = at.parent
    scale = _ref(at, "data-scale") if at is not None else ""
    axis = _ref(group, "data-axis")
    return [Tick(scale, axis, _ref(label, axis[:1]), label.text()) for label in group.css("text")]


def _attributes(node: LexborNode) -> list[Seen]:
    attributes = node.attributes
    if node.tag == "meta" and attributes.get("name") in _TECHNICAL:
        return []
    return [
        Seen(node.tag or "", name, plain(value), _refs(node, name))
        for name, value in attributes.items()
        if name in _SEEN and value and not (value.isascii() and not _DIGITS.search(value))
    ]
