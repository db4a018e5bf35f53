"""Answer shapes: the ways a response can carry its answer, and how to read the answer back out of one.

A shape is written by hand once and used everywhere: contract discovery renders the oracle in each,
corpora render their rows in the one that pays, and the null grader "raw equality" compares the text
that a shape's `slot` finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_REASONING = "The parts given above settle it together."


def braced(text: str, macro: str) -> str | None:
    """The content of the last balanced `macro{...}` in `text`, or None.

    >>> braced(r"so \\boxed{\\frac{1}{2}}", r"\\boxed")
    '\\\\frac{1}{2}'
    """
    start = text.rfind(macro + "{")
    if start < 0:
        return None
    depth = 0
    for place in range(start + len(macro), len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + len(macro) + 1 : place]
    return None


def _last(pattern: str) -> Callable[[str], str | None]:
    compiled = re.compile(pattern, re.DOTALL)

    def slot(text: str) -> str | None:
        found: list[str] = compiled.findall(text)
        return found[-1].strip() if found else None

    return slot


def _line(marker: str) -> Callable[[str], str | None]:
    """The rest of the last line that carries `marker`; linear in the text."""

    def slot(text: str) -> str | None:
        start = text.rfind(marker)
        return None if start < 0 else text[start + len(marker) :].split("\n", 1)[0].strip()

    return slot


def _tag(name: str) -> Callable[[str], str | None]:
    def slot(text: str) -> str | None:
        end = text.rfind(f"</{name}>")
        start = text.rfind(f"<{name}>", 0, end) if end >= 0 else -1
        return None if start < 0 else text[start + len(name) + 2 : end].strip()

    return slot


@dataclass(frozen=True)
class Shape:
    """One way to carry an answer.

    lead     text before the marked answer in a rendered response
    before   the mark's opening, `after` its closing: `\\boxed{` and `}`
    slot     reads the text in the answer slot of any response; None where there is none
    defect   class of a grader that refuses a right answer in this shape (a policy, see lens.graders.defects)
    family   what response-level rules ask for: "box", "line", "tag", "dollars", "prose", "bare", "whole"
    dress    what encloses a gold before the grader takes it: nothing, or dollar signs
    """

    name: str
    words: str
    defect: str
    family: str
    before: str = ""
    after: str = ""
    lead: str = ""
    slot: Callable[[str], str | None] = lambda _text: None
    dress: str = ""

    def dressed(self, gold: Any) -> Any:
        """The gold as the grader takes it."""
        return f"{self.dress}{gold}{self.dress}" if self.dress and isinstance(gold, str) else gold

    def mark(self, answer: Any) -> Any:
        """The marked answer alone."""
        return answer if self.family in ("bare", "whole") else f"{self.before}{answer}{self.after}"

    def render(self, answer: Any) -> Any:
        """A short response carrying `answer` in this shape. Bare and whole shapes pass any value through."""
        return answer if self.family in ("bare", "whole") else f"{self.lead}{self.mark(answer)}"

    @property
    def has_slot(self) -> bool:
        """Whether text can stand around the answer without being part of it."""
        return self.family not in ("bare", "whole")


_LEAD = f"{_REASONING}\n"

SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape("four-hash", "a last line `#### N`", "four-hash-refused", "line", "#### ", "", _LEAD, _line("####")),
        Shape("boxed", "`\\boxed{...}`", "boxed-refused", "box", "\\boxed{", "}", f"{_LEAD}The result is ",
              lambda text: braced(text, "\\boxed")),
        Shape("answer-tag", "`<answer>...</answer>`", "answer-tag-refused", "tag", "<answer>", "</answer>", _LEAD,
              _tag("answer")),
        Shape("answer-line", "a line `Answer: ...`", "answer-line-refused", "line", "Answer: ", "", _LEAD,
              _line("Answer:")),
        Shape("dollars", "`$...$` in a sentence", "dollars-refused", "dollars", "$", "$", f"{_LEAD}The answer is ",
              _last(r"\$([^$]*)\$")),
        Shape("display-box", "`\\boxed{...}` in display math", "display-math-refused", "box", "\\[ \\boxed{", "} \\]",
              f"{_LEAD}The result is\n", lambda text: braced(text, "\\boxed")),
        Shape("fbox", "`\\fbox{...}`", "fbox-refused", "box", "\\fbox{", "}", f"{_LEAD}The result is ",
              lambda text: braced(text, "\\fbox")),
        Shape("think-boxed", "`\\boxed{...}` after `</think>`", "think-block-refused", "box", "\\boxed{", "}",
              f"<think>\n{_REASONING}\n</think>\nThe result is ", lambda text: braced(text, "\\boxed")),
        Shape("bold", "bold in a sentence", "bold-refused", "prose", "**", "**", f"{_LEAD}Final Answer: ",
              _last(r"\*\*(.+?)\*\*")),
        Shape("prose", "a plain sentence", "prose-refused", "prose", "The answer is ", ".", _LEAD,
              _last(r"[Tt]he answer is (.+?)\.?\s*$")),
        Shape("bare", "the answer alone", "bare-refused", "bare", slot=lambda text: text),
        Shape("whole", "a whole response of its own kind", "whole-refused", "whole"),
    )
}  # fmt: skip


def find_slot(text: str, names: tuple[str, ...] = ("boxed", "answer-tag", "four-hash", "answer-line")) -> str | None:
    """The answer text of a response whose shape nobody declared: the first of `names` that finds one."""
    for name in names:
        if (found := SHAPES[name].slot(text)) is not None:
            return found
    return None
