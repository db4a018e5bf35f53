"""Containers of a content page: `:::: stage The scorer`, with `::: say`, `::: beside` and `::: across` inside.

stage, schematic   a step of the front page's story: measured, or drawn with nothing measured behind it
say, beside        its text, and the figure as large beside it;  across: a figure over the whole width
findings           findings side by side, each in a `finding`
two                two halves side by side, each in a `side`
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape
from mdit_py_plugins.container import container_plugin

_TAGS = {
    "stage": ("section", "stage"),
    "schematic": ("section", "stage schematic"),
    "say": ("div", "say"),
    "beside": ("div", "beside"),
    "across": ("div", "across"),
    "findings": ("div", "three findings"),
    "finding": ("section", "finding-of"),
    "two": ("div", "split two-halves"),
    "side": ("div", "side"),
}
UNREAD = re.compile(r"^:{3,}.*", re.MULTILINE)  # what is left of one whose name isn't known, or that was never opened


def containers(parser: MarkdownIt) -> None:
    for name in _TAGS:
        container_plugin(parser, name, render=_render)


def names() -> list[str]:
    return list(_TAGS)


def _render(_self: Any, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: Any) -> str:
    token = tokens[index]
    name = token.type.removeprefix("container_").rpartition("_")[0]
    tag, css = _TAGS[name]
    if token.nesting < 0:
        return f"</{tag}>\n"
    label = token.info.strip().removeprefix(name).strip()
    where = Markup('<p class="where">{}</p>\n').format(label) if label else ""
    return f'<{tag} class="{escape(css)}">\n{where}'
