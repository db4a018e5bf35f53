"""Whatever a Markdown or HTML page shows is seen: texts made of markup at random, held against a real renderer."""

from __future__ import annotations

import re

from conftest import Check
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

STAMP = "<!--ev graders/toy/kill-matrix#gold.killed-->"
SYMBOLS = (
    '<!-- --> --!> <!--> <!---> ` `` ``` ~~~ [ ]( ) ![ ](a.html) < > ** _ $ $$ \\ & &# ; x --- {ev}` [a]: [^a]: ">'
)
TAGS = ("b", "div", "title", "textarea", "svg", "script", "style", "noframes")
OTHERS = ("<?x", "?>", "<![CDATA[", "]]>", "<!--/ev-->", STAMP, '<p title="')
SPACED = (" ", "\t", "\n", "\n\n", "\n    ", "> ", "- ", "1. ", "| ", "# ", "```python\n")
MARKUP = (*SYMBOLS.split(" "), *(f"<{tag}>" for tag in TAGS), *(f"</{tag}>" for tag in TAGS), *OTHERS, *SPACED)
NUMBER = "0.374"  # no name holds it
pieces = st.lists(st.one_of(st.sampled_from(MARKUP), st.just(NUMBER)), min_size=1, max_size=14).map("".join)


def shown(html: str) -> str:
    """What a browser prints outside code, where a number may stand."""
    tree = LexborHTMLParser(html)
    for node in tree.css("script, style, template, pre, code"):
        node.decompose()
    return "".join(part.text() for part in (tree.head, tree.body) if part is not None)


@settings(max_examples=400, deadline=None)
@given(pieces)
def test_a_number_a_markdown_page_shows_is_found(check: Check, text: str) -> None:
    stampless = re.sub(re.escape(STAMP) + r"[^\n]*?<!--/ev-->", "", text)
    rendered = shown(MarkdownIt("commonmark").enable("table").render(stampless))
    findings = check(text)
    if NUMBER in rendered:
        assert findings


@settings(max_examples=400, deadline=None)
@given(pieces)
def test_a_number_an_html_page_shows_is_found(check: Check, text: str) -> None:
    stampless = re.sub(re.escape(STAMP) + r"[\s\S]*?<!--/ev-->", "", text)
    findings = check(text, "html")
    if NUMBER in shown(stampless):
        assert findings


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["markdown", "latex", "html", "page"]))
def test_no_text_breaks_the_check(check: Check, text: str, syntax: str) -> None:
    for one in check(text, syntax):
        assert 1 <= one.line <= text.count("\n") + text.count("\r") + 1
        assert 1 <= one.column <= len(one.source) + 1
