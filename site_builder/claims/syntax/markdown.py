"""Markdown (CommonMark, tables, MyST roles, dollar maths) as its reader sees it.

markdown-it finds the blocks whose text is code, since a fence that only looks like one must not hide a number;
what it doesn't call code is read as prose, with the inline markup taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from site_builder.claims.document import Document
from site_builder.claims.stamps import DATA, LAST, LINK, PAIR, ROLE, Stamp, broken, stamp
from site_builder.claims.syntax import Reading, markup
from site_builder.claims.visible import BACKED, Kind, Visible

_MAYBE_CODE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:`{3}|~{3}|<)|^(?:[ ]{0,3}\t|[ ]{4})", re.MULTILINE)
_FRONT = re.compile(r"---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$", re.MULTILINE)
_SETTING = re.compile(r"\s*[\"']?[\w./:+-]*[\"']?\s*")
_KEY = re.compile(r"^[ \t]*([\w.-]+)[ \t]*:", re.MULTILINE)
_UNSEEN_KEYS = {
    "date", "updated", "order", "weight", "template", "slug", "lang", "evidence", "id", "nav_order", "version", "tags",
    "layout", "permalink", "toc_depth", "nav", "section",
}  # fmt: skip
_TEXT_FENCES = {"", "text", "txt", "console", "output", "none", "plain", "plaintext", "log", "md", "markdown", "csv"}
_PREFIX = r"(?P<prefix>^[ \t]*(?:>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)+|^[ \t]+)"
# Markup begins with one of these or indents a line: everything else is passed over in one step a character.
_BEGINS = r"(?=[\\<\[{`$!\]&*~_]|^[ \t>#+*-])"
_INLINE = re.compile(
    f"{_BEGINS}(?:"
    + "|".join(
        (
            _PREFIX,
            r"(?P<escape>\\[!-/:-@\[-`{-~])",
            PAIR,
            LINK,
            DATA,
            ROLE,
            r"(?P<code>(?<!`)(?P<fence>`+)(?!`)"
            r"(?P<inner>(?:[^`\n]|(?<!`)`+(?!`)|\n(?![ \t]*\r?\n))+?)(?<!`)(?P=fence)(?!`))",
            r"(?P<ticks_alone>`+)",
            r"(?P<math>\$\$(?P<display>(?:[^$]|\\\$)+?)\$\$|\$(?=[^\s$])(?P<formula>(?:[^$\n\\]|\\.)+?)(?<=\S)\$(?!\d))",
            r"(?P<footnote>\[\^[^\]\s]+\]:?)",
            r"(?P<image>!\[(?=[^\]\n]*\]))",
            r"(?P<open>\[)",
            r"(?P<target>\]\([ \t]*(?:<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))*)"
            r"(?:[ \t\n]+(?P<title>\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\))",
            r"(?P<close>\])",
            markup.COMMENT.replace(r"[\s\S]", r"[^\n]"),  # over several lines, a paragraph may end first
            markup.TAG,
            markup.ENTITY,
            r"(?P<mark>\*+|~~|(?<![^\W_])_+|_+(?![^\W_]))",
        )
    )
    + ")",
    re.MULTILINE,
)
_LINKED = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(")
_HTML = re.compile("|".join((PAIR, DATA, markup.COMMENT, markup.TAG, markup.ENTITY)))


class Block(NamedTuple):
    start: int
    end: int
    kind: str  # "prose", "html", "block" (a fence in braces, whose body is prose), "fence", "program"
    info: str = ""


def read(document: Document) -> Reading:
    scanner = _Scanner(document.text)
    body = scanner.front_matter()
    for block in _blocks(document, body):
        scanner.block(block)
    read_spans = [(stamp.start, stamp.end) for stamp in scanner.stamps] + scanner.code
    return Reading(scanner.visible.seal(), scanner.stamps, broken(document.text, read_spans))


def _blocks(document: Document, body: int) -> Iterator[Block]:
    """The text after the front matter cut into code, raw HTML and all the rest."""
    text = document.text
    if not _MAYBE_CODE.search(text, body):
        yield Block(body, len(text), "prose")
        return
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    skipped, _ = document.position(body)
    at = body
    for token in parser.parse(text[body:].replace("\0", " ")):
        if token.type not in ("fence", "code_block", "html_block") or token.map is None:
            continue
        start, end = (document.line_start(line + skipped - 1) for line in token.map)
        start = max(start, body)
        yield Block(at, start, "prose")
        if token.type == "html_block":
            yield Block(start, end, "html")
        else:
            language = token.info.strip().split(" ")[0].lower()
            kind = "block" if language.startswith("{") else "fence" if language in _TEXT_FENCES else "program"
            yield Block(start, end, kind, token.info.strip())
        at = end
    yield Block(at, len(text), "prose")


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.visible = Visible(text)
        self.stamps: list[Stamp] = []
        self.code: list[tuple[int, int]] = []
        self.brackets: list[bool] = []  # open square brackets; true where one opens an image

    def front_matter(self) -> int:
        """Shows what a page would print of the front matter; returns where the body begins."""
        match = _FRONT.match(self.text)
        if match is None:
            return 0
        unseen = False
        for line in re.finditer(r"[^\n]*\n", match[1]):
            key = _KEY.match(line[0])
            unseen = key[1].lower() in _UNSEEN_KEYS if key else unseen
            if not (unseen and _SETTING.fullmatch(line[0], key.end() if key else 0)):
                start = match.start(1) + line.start()
                self.visible.copy(start + (key.end() if key else 0), match.start(1) + line.end(), "attribute")
        return match.end()

    def block(self, block: Block) -> None:
        if block.kind in ("fence", "program"):
            self.code.append((block.start, block.end))
            self.visible.copy(block.start, block.end, "fence" if block.kind == "fence" else "program")
        elif block.kind == "block":
            first = self.text.index("\n", block.start) if "\n" in self.text[block.start : block.end] else block.end
            self._directive(block)
            self._scan(_INLINE, first, block.end, "prose")
        else:
            self._scan(_HTML if block.kind == "html" else _INLINE, block.start, block.end, "prose")

    def _directive(self, block: Block) -> None:
        """```{figure} name id,id: the ids are cited, nothing is typed."""
        words = block.info.split()
        if len(words) >= 3 and words[0] == "{figure}":
            at = self.text.index(words[2], block.start)
            for one in words[2].split(","):
                self.stamps.append(Stamp(at, at + len(one), at, at, "", one, "", "ev"))
                at += len(one) + 1

    def _scan(self, grammar: re.Pattern[str], start: int, end: int, kind: Kind) -> None:
        at = start
        for match in grammar.finditer(self.text, start, end):
            if match.start() < at:
                continue
            self.visible.copy(at, match.start(), self._kind(kind))
            at = self._piece(match, self._kind(kind))
        self.visible.copy(at, end, self._kind(kind))
        self.brackets.clear()

    def _kind(self, kind: Kind) -> Kind:
        return "attribute" if any(self.brackets) else kind

    def _piece(self, match: re.Match[str], kind: Kind) -> int:
        """Shows one piece of markup; returns where reading goes on."""
        what, (start, end) = match.lastgroup or "", match.span()
        if what in LAST:
            self.stamps.append(stamp(match))
            self.visible.put(BACKED, start, end, "backed")
        elif what == "code":
            self.code.append((start, end))
            self.visible.put(" ", start, match.start("inner"), "code")
            self.visible.copy(*match.span("inner"), "code")
            self.visible.put(" ", match.end("inner"), end, "code")
        elif what == "math":
            from site_builder.claims.syntax import latex

            latex.formula(self.visible, self.text, *match.span("display" if match["display"] else "formula"))
        elif what == "target":
            self._target(match, kind)
        else:
            self._small(what, match, kind)
        return end

    def _small(self, what: str, match: re.Match[str], kind: Kind) -> None:
        start, end = match.span()
        match what:
            case "prefix":
                if "#" in match[0]:
                    self.visible.put("\n", start, end, "heading")
            case "escape":
                self.visible.copy(start + 1, end, kind)
            case "entity":
                markup.entity(self.visible, match, kind)
            case "tag":
                markup.tag(self.visible, self.text, start, end)
            case "open" | "image":
                self.brackets.append(what == "image")
                if not _LINKED.match(self.text, end - 1):
                    self.visible.copy(end - 1, end, kind)
            case "close":
                self.visible.copy(start, end, kind)
                if self.brackets:
                    self.brackets.pop()
            case "mark" | "footnote" | "comment":
                pass
            case _:
                self.visible.copy(start, end, kind)

    def _target(self, match: re.Match[str], kind: Kind) -> None:
        """A link's target hides only behind an opened bracket; its title shows."""
        start, end = match.span()
        if not self.brackets:
            self.visible.copy(start, end, kind)
            return
        self.brackets.pop()
        if match["title"]:
            markup.attribute(self.visible, self.text, *match.span("title"))
