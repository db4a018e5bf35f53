"""What tests of the built site share: the home page they build, and how they read what was built."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

KILL = "graders/tidy-equal/kill-matrix"
VARIANTS = "graders/tidy-equal/variants"
INDEX = f"""# Home

Gold answers notice {{ev}}`{KILL}#gold.killed|count` mutants, {{claim}}`hardly any|{KILL}#gold.killed < 0.1`, and the
ratio is {{ev}}`= {KILL}#labelled.killed / {KILL}#gold.killed | d0`. See [the card](/graders/tidy-equal).

```{{pair}}
With the source | {KILL}#gold.killed
With the log | {KILL}~log#declined
```
"""

_EXAMPLES = re.compile(r"^(`{4,}).*?^\1|(?<!`)``(?!`).*?``", re.MULTILINE | re.DOTALL)  # of how references are written
_QUOTED = re.compile(r"\{(?:ev|claim|said|declined)\}`|^```\{(?:figure|bibtex)\} ", re.MULTILINE)


def quotes(text: str) -> bool:
    """Whether a content page needs records of the published evidence to be built."""
    return _QUOTED.search(_EXAMPLES.sub("", text)) is not None


def content_on(content: Path, folder: Path) -> Path:
    """A copy of `content` that made-up evidence can be built with: a page that quotes the published evidence stands
    there, with its headings, so that links to it hold, and says nothing."""
    shutil.copytree(content, folder)
    for page in folder.rglob("*.md"):
        text = page.read_text("utf-8")
        if quotes(text):
            headings = re.findall(r"^#+ .*$", text, re.MULTILINE)
            page.write_text("\n\n".join([*headings, "Elsewhere.\n"]), "utf-8")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def tree(path: Path) -> LexborHTMLParser:
    return LexborHTMLParser(path.read_text("utf-8"))


def pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


def laid_out(folder: Path) -> list[Path]:
    """Every page but those where plotly draws figures, which need its script and say so."""
    return [path for path in pages(folder) if "plotly.min.js" not in path.read_text("utf-8")]
