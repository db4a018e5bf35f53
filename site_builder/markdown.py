"""Content pages: Markdown with numbers looked up, never typed.

    {ev}`id#field|fmt`                a number             {said}`id@scope`     prose of a record
    {claim}`words|id#field > 0.5`     words the store backs    {declined}`id#field`   a plate that opens
    ```{figure} name id key=value     a drawing; other fences in braces are blocks (see `site_builder.blocks`)

A reference that fails is an error with file, line and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from lens.errors import LensError, UsageError
from site_builder import blocks, links
from site_builder.context import Body, Page, Site
from site_builder.writer import Writer

_FENCE = re.compile(r"\{(\w+)\}\s*(.*)")


class ContentError(LensError):
    """A content page can't be rendered; the message begins with file:line:column."""


class _Places:
    """Where the page stands in its source, so that a message can say line and column."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.cursor = 0

    @contextmanager
    def role(self, name: str, text: str) -> Iterator[None]:
        """Roles are rendered in the order they stand, so each is looked for after the one before."""
        head = f"{{{name}}}`"
        at = self.source.text.find(head + text, self.cursor)
        at = self.source.text.find(head, self.cursor) if at < 0 else at
        self.cursor = max(at, self.cursor) + len(head)
        with self._named(at + len(head) if at >= 0 else 0):
            yield

    @contextmanager
    def line(self, number: int) -> Iterator[None]:
        """A fenced block that starts on this line, counted from zero."""
        at = sum(len(line) for line in self.source.text.splitlines(keepends=True)[:number])
        with self._named(at):
            yield

    @contextmanager
    def _named(self, at: int) -> Iterator[None]:
        try:
            yield
        except ContentError:
            raise
        except LensError as error:
            before = self.source.text[:at]
            line, column = before.count("\n") + 1, at - before.rfind("\n")
            raise ContentError(f"{self.source.name}:{line}:{column}: {error.message}", remedy=error.remedy) from error


@dataclass(frozen=True)
class Source:
    """A content file: `path` is its page's, `name` is how messages call it."""

    file: Path
    name: str
    path: str
    text: str


def sources(content: Path) -> list[Source]:
    """Every Markdown file under `content`, by page path. Raises UsageError where there is none."""
    files = sorted(content.rglob("*.md"))
    if not files:
        raise UsageError(f"no Markdown page under {content}", remedy="lens new DIR starts a site")
    return [
        Source(file, f"{content.name}/{relative}", _page_path(relative), file.read_text("utf-8"))
        for file in files
        for relative in [file.relative_to(content).as_posix()]
    ]


def _page_path(relative: str) -> str:
    stem = relative.removesuffix(".md")
    return stem.removesuffix("index") if stem == "index" or stem.endswith("/index") else f"{stem}/"


def page(site: Site, source: Source) -> tuple[Page, Body]:
    """One content page. Raises ContentError."""
    writer = Writer(site, source.path, quoting=True)
    tokens = _parser().parse(source.text, {})
    meta = _front_matter(tokens, source)
    state = {"writer": writer, "at": _Places(source)}
    html = _parser().renderer.render(tokens, _parser().options, state)
    title = meta.get("title") or _first_heading(tokens) or source.path.strip("/") or site.words.title
    body = site.env.get_template("content.html").render(
        html=Markup(html),
        title=title,
        has_heading=_first_heading(tokens) is not None,
        meta=meta,
        w=writer,
        path=source.path,
    )
    return writer.page(title, body, section=meta.get("section", ""), description=meta.get("description", ""))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True, "linkify": False})
    parser.enable(["table", "strikethrough", "replacements", "smartquotes"])
    parser.use(front_matter_plugin).use(myst_role_plugin)
    parser.add_render_rule("myst_role", _role)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("link_open", _link)
    parser.add_render_rule("heading_open", _heading)
    parser.add_render_rule("table_open", _table)
    parser.add_render_rule("table_close", _table_end)
    return parser


def _role(self: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
    token = tokens[index]
    name, text = token.meta["name"], token.content
    writer: Writer = env["writer"]
    roles: dict[str, Callable[[str], Markup]] = {
        "ev": writer.n,
        "claim": writer.claim,
        "said": writer.said,
        "declined": lambda ref: writer.declined(*ref.split("#", 1)),
    }
    with env["at"].role(name, text):
        if name not in roles:
            raise UsageError(f"no role {{{name}}}", remedy=f"one of {', '.join(roles)}")
        return str(roles[name](text))


def _fence(self: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
    token = tokens[index]
    found = _FENCE.fullmatch(token.info.strip())
    if found is None:
        return str(Markup('<pre tabindex="0"><code>{}</code></pre>\n').format(token.content))
    with env["at"].line((token.map or [0])[0]):
        return str(blocks.block(found[1], found[2], token.content, env["writer"]))


def _link(self: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
    """Links to `page.md` or `/folder/` lead to pages, relative to this one."""
    token = tokens[index]
    href = str(token.attrs.get("href", ""))
    if href.startswith("/"):
        target, _, fragment = href[1:].partition("#")
        target = target if not target or target.endswith("/") or "." in target.rpartition("/")[2] else f"{target}/"
        is_page = not target or target.endswith("/")
        token.attrSet("href", env["writer"].root + (links.to_page(target, fragment) if is_page else target))
    return str(self.renderToken(tokens, index, options, env))


def _heading(self: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
    token = tokens[index]
    slug = re.sub(r"[^a-z0-9]+", "-", tokens[index + 1].content.lower()).strip("-")
    if token.tag != "h1":
        token.attrSet("id", env["writer"].heading(slug))
    return str(self.renderToken(tokens, index, options, env))


def _table(self: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
    return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'


def _table_end(self: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
    return "</table></div>\n"


def _front_matter(tokens: list[Token], source: Source) -> dict[str, str]:
    """`key: value` lines between two `---`."""
    if not tokens or tokens[0].type != "front_matter":
        return {}
    meta = {}
    for number, line in enumerate(tokens[0].content.splitlines(), start=2):
        if not line.strip():
            continue
        key, colon, value = line.partition(":")
        if not colon:
            raise ContentError(f"{source.name}:{number}:1: not key: value in the front matter: {line!r}")
        meta[key.strip()] = value.strip().strip('"')
    return meta


def _first_heading(tokens: list[Token]) -> str | None:
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            return tokens[at + 1].content
    return None
