"""Pipe tables in Markdown, as GitHub's flavour has them: a rule for markdown-it in place of its own.

A content page is mostly such tables. The tags between two cells are one token here, and a row that begins with a bar
can begin nothing else, so no other rule is asked about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

_DELIMITERS = re.compile(r"(?!-[ \t])\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*")
_SPACE = " \t"
_BAR = re.compile(r"(?<!\\)\|")
_ALIGNED = {(False, True): ' class="num"', (True, True): ' class="mid"'}
_OPEN = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'


def pipe_tables(parser: MarkdownIt) -> None:
    """Puts the rule in place of markdown-it's own."""
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.add_render_rule("tags", _tags)


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if start + 2 > end or state.sCount[start + 1] < state.blkIndent or state.is_code_block(start + 1):
        return False
    delimiters = _line(state, start + 1)
    if not _DELIMITERS.fullmatch(delimiters):
        return False
    if "|" not in _line(state, start) or state.is_code_block(start):
        return False
    head = _cells(_line(state, start))
    aligned = [_ALIGNED.get((cell.startswith(":"), cell.endswith(":")), "") for cell in _cells(delimiters)]
    if len(head) != len(aligned):
        return False
    if not silent:
        _push(state, start, head, aligned, end)
    return True


def _push(state: StateBlock, start: int, head: list[str], aligned: list[str], end: int) -> None:
    """The tokens of a table: its rows run to a blank line, or to where another block begins."""
    parent, state.parentType = state.parentType, "table"
    before = f"{_OPEN}<thead>\n<tr>\n"
    before = _row(state, start, "th", head, aligned, before) + "</thead>\n"
    line = start + 2
    while line < end and _goes_on(state, line, end):
        before += "<tbody>\n" if line == start + 2 else ""
        cells = _cells(_line(state, line))
        before = _row(state, line, "td", [*cells, *[""] * (len(head) - len(cells))], aligned, f"{before}<tr>\n")
        line += 1
    _tags_token(state, before + ("</tbody>\n" if line > start + 2 else "") + "</table></div>\n")
    state.parentType = parent
    state.line = line


def _row(state: StateBlock, line: int, tag: str, cells: list[str], aligned: list[str], before: str) -> str:
    """The tokens of a row's cells, each after the tags before it; returns those after the last."""
    for cell, align in zip(cells, aligned, strict=False):  # what goes beyond the header's columns is left out
        _tags_token(state, f"{before}<{tag}{align}>")
        state.tokens.append(Token("inline", "", 0, map=[line, line + 1], content=cell, children=[]))
        before = f"</{tag}>\n"
    return f"{before}</tr>\n"


def _tags_token(state: StateBlock, html: str) -> None:
    state.tokens.append(Token("tags", "", 0, content=html))


def _goes_on(state: StateBlock, line: int, end: int) -> bool:
    if state.sCount[line] < state.blkIndent or state.isEmpty(line) or state.is_code_block(line):
        return False
    if state.src[state.bMarks[line] + state.tShift[line]] == "|":
        return True
    others = state.md.block.ruler.getRules("blockquote")  # what ends a quotation ends a table
    return not any(rule(state, line, end, True) for rule in others)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _cells(line: str) -> list[str]:
    """A row's cells: a bar after a backslash is text, and those at the row's ends part nothing."""
    row = line.strip(_SPACE)
    cells = [cell.replace(r"\|", "|") for cell in _BAR.split(row)] if "\\" in row else row.split("|")
    inner = cells[not cells[0] : len(cells) - (not cells[-1] and len(cells) > 1)]
    return [cell.strip(_SPACE) for cell in inner]


def _tags(_self: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: Any) -> str:
    return tokens[index].content
