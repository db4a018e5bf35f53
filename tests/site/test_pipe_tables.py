"""Pipe tables come out as markdown-it's own rule has them, but for the box around them and classes for alignment."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from site_builder.pipe_tables import pipe_tables

ALIGNED = {' class="num"': "right", ' class="mid"': "center"}
OURS = MarkdownIt("commonmark").enable("table").use(pipe_tables)
THEIRS = MarkdownIt("commonmark").enable("table")


def plainly(html: str) -> str:
    """Our tables with their own box taken off and styles for classes, as the other rule writes them."""
    html = html.replace('<div class="scroll" tabindex="0" role="group" aria-label="Table">', "")
    html = html.replace("</table></div>", "</table>")
    for ours, theirs in ALIGNED.items():
        html = html.replace(ours, f' style="text-align:{theirs}"')
    return html


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
        "| a | b |\n| --: | :-: |\n| 1 | 2 |\n",
        "a | b\n- | -\n1 | 2\n",
        "a | b\n-- | --\n1 | 2\nno bar\n\nafter\n",
        "a | b\n|---|---|\n1 | 2\n> quoted\n",
        "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n||\n|\n",
        "| a | b |\n|---|\n| 1 | 2 |\n",
        "|a|\n---\n|1|\n",
        "|a|\n---|\n|1|\n- item\n",
        "| a \\| b | `c\\|d` |\n|---|---|\n| \\\\| | |\n",
        "text\n| a | b |\n|---|---|\n| *1* | [2](x) |\n",
        "> | a | b |\n> |---|---|\n> | 1 | 2 |\nafter\n",
        "- | a | b |\n  |---|---|\n  | 1 | 2 |\n\n      code\n",
        "| a | b |\n|---|---|\n    | 1 | 2 |\n",
        "    | a | b |\n|---|---|\n",
        "| a | b |\n|---|---|\n",
        "| a | b |\n|-:-|---|\n| 1 | 2 |\n",
        "no bar\n|---|\n",
    ],
)
def test_a_table_is_what_markdown_it_makes_of_it(text: str) -> None:
    assert plainly(OURS.render(text)) == THEIRS.render(text)


def test_left_is_where_text_stands_anyway() -> None:
    assert "<th>a</th>" in OURS.render("| a |\n| :-- |\n")
