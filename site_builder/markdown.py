"""Content pages: Markdown with numbers looked up, never typed.

    {ev}`id#field|fmt`                a number             {said}`id@scope`     prose of a record
    {claim}`words|id#field > 0.5`     words the store backs    {declined}`id#field`   a plate that opens
    ```{figure} name id key=value     a drawing; other fences in braces are blocks (see `site_builder.blocks`)
    ::: name                          a container (see `site_builder.containers`)

A reference that fails is an error with file, line and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from lens.errors import LensError, StoreError, UsageError
from site_builder import blocks, links
from site_builder.containers import UNREAD, containers, names
from site_builder.context import Body, Page, Site
from site_builder.pipe_tables import pipe_tables
from site_builder.writer import Writer

_ROLE = re.compile(r"\{(?:ev|claim|said|declined)\}`[^`\n]*`")
_UNREAD = re.compile(r"\{(?:ev|claim|said|declined)\}`?")
_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_MARK = re.compile(r"[\n!#$%&*+\-:<=>@\[\\\]^_`{}~]")  # what markdown-it reads as more than text
_ROLE = re.compile(r"\{(\w+)\}`([^`\n]+)`")
_FENCE = re.compile(r"\{(\w+)\}\s*(.*)")


class ContentError(LensError):
    """A content page can't be rendered; each of its problems begins with file:line:column."""

    def __init__(self, message: str, *, remedy: str = "", problems: Sequence[str] = ()) -> None:
        super().__init__(message, remedy=remedy)
        self.problems = list(problems) or [str(self)]


class _Places:
    """Where the page stands in its source, so that each problem is told with line and column, and all at once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.cursor = 0
        self.problems: list[ContentError] = []

    def role(self, name: str, text: str, make: Callable[[], Markup]) -> str:
        """What `make` gives. Roles are rendered in the order they stand, so each is looked for after the one before."""
        head = f"{{{name}}}`"
        at = self.source.text.find(head + text, self.cursor)
        at = self.source.text.find(head, self.cursor) if at < 0 else at
        self.cursor = max(at, self.cursor) + len(head)
        return self._tried(at + len(head) if at >= 0 else 0, make)

    def block(self, line: int, make: Callable[[], Markup]) -> str:
        """What `make` gives for a fenced block that starts on this line, counted from zero."""
        return self._tried(sum(len(one) for one in self.source.text.splitlines(keepends=True)[:line]), make)

    def _tried(self, at: int, make: Callable[[], Markup]) -> str:
        try:
            return str(make())
        except StoreError:
            raise
        except LensError as error:
            before = self.source.text[:at]
            line, column = before.count("\n") + 1, at - before.rfind("\n")
            message = f"{self.source.name}:{line}:{column}: {error.message}"
            self.problems.append(ContentError(message, remedy=error.remedy))
            return ""


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
    tokens = _parser().parse(_ROW.sub(_barred, source.text), {})
    meta = _front_matter(tokens, source)
    places = _Places(source)
    html = _parser().renderer.render(tokens, _parser().options, {"writer": writer, "at": places})
    places.problems += _unread(tokens, source)
    if places.problems:
        problems = [str(problem) for problem in places.problems]
        raise ContentError("\n".join(problems), problems=problems)
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
    parser.use(front_matter_plugin).use(myst_role_plugin).use(pipe_tables).use(containers)
    parser.core.ruler.at("inline", _inline)
    parser.add_render_rule("myst_role", _role)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("link_open", _link)
    parser.add_render_rule("heading_open", _heading)
    return parser


def _barred(row: re.Match[str]) -> str:
    """A table's row, with the bar before a format kept from ending the cell."""
    return _ROLE.sub(lambda role: re.sub(r"(?<!\\)\|", r"\\|", role[0]), row[0])


def _unread(tokens: list[Token], source: Source) -> list[ContentError]:
    """References and containers that Markdown left as text, a backtick missing, say: they would be printed as they
    stand."""
    found = []
    for block in tokens:
        if block.type == "inline" and (left := UNREAD.search(block.content)):
            line = (block.map or [0])[0] + 1
            remedy = f"one of {', '.join(names())}, closed by as many colons"
            found.append(ContentError(f"{source.name}:{line}:1: {left[0]} is no container", remedy=remedy))
        for token in block.children or ():
            if token.type == "text" and (match := _UNREAD.search(token.content)):
                line = (block.map or [0])[0] + 1
                remedy = "{ev}`id#field|format`, with a backtick on either side, in one line"
                found.append(
                    ContentError(f"{source.name}:{line}:1: {match[0]} was not read as a reference", remedy=remedy)
                )
    return found


def _inline(state: StateCore) -> None:
    """Markdown-it's own rule, but for text with no mark in it and for a role alone: most cells of a table."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        if not _MARK.search(token.content):
            token.children = [Token("text", "", 0, content=token.content)]
        elif alone := _ROLE.fullmatch(token.content):
            token.children = [Token("myst_role", "", 0, meta={"name": alone[1]}, content=alone[2])]
        else:
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _role(_self: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, env: Any) -> str:
    token = tokens[index]
    name, text = token.meta["name"], token.content
    writer: Writer = env["writer"]
    roles: dict[str, Callable[[str], Markup]] = {
        "ev": writer.n,
        "claim": writer.claim,
        "said": writer.said,
        "declined": lambda ref: writer.declined(*ref.split("#", 1)),
    }

    def make() -> Markup:
        if name not in roles:
            raise UsageError(f"no role {{{name}}}", remedy=f"one of {', '.join(roles)}")
        return roles[name](text)

    return str(env["at"].role(name, text, make))


def _fence(_self: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, env: Any) -> str:
    token = tokens[index]
    found = _FENCE.fullmatch(token.info.strip())
    if found is None:
        return str(Markup('<pre tabindex="0"><code>{}</code></pre>\n').format(token.content))
    name, argument = found.groups()
    line = (token.map or [0])[0]
    return str(env["at"].block(line, lambda: blocks.block(name, argument, token.content, env["writer"])))


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
