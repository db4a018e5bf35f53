"""What browser tests of the published site share: the pages they open, a server under a sub-path, what is measured."""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"
PLOTTED = STRICT.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'") + " blob:"
SUBJECTS = ("graders", "models", "runs")

# Texts of each drawing that meet another or leave the drawing; a line's box holds room above and below its letters.
OVERLAPS = """() => {
  const found = [];
  for (const svg of document.querySelectorAll('svg[role=img]')) {
    const frame = svg.getBoundingClientRect();
    if (!frame.width) continue;
    const boxes = [...svg.querySelectorAll('text')].map(text => {
      const box = text.getBoundingClientRect(), room = .15 * box.height;
      return {left: box.left, top: box.top + room, right: box.right, bottom: box.bottom - room, says: text.textContent};
    }).filter(box => box.right > box.left);
    const where = svg.closest('.figure')?.id ?? svg.getAttribute('aria-labelledby');
    boxes.forEach((one, at) => {
      if (one.left < frame.left - .5 || one.right > frame.right + .5 ||
          one.top < frame.top - .5 || one.bottom > frame.bottom + .5)
        found.push(`${where}: ${one.says} leaves the drawing`);
      for (const two of boxes.slice(at + 1))
        if (Math.min(one.right, two.right) - Math.max(one.left, two.left) > .5 &&
            Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > .5)
          found.push(`${where}: ${one.says} meets ${two.says}`);
    });
  }
  return found;
}"""

# Buttons that show and the keyboard can't get to; sheets that no button opens.
UNREACHED = """() => {
  const buttons = [...document.querySelectorAll('button[popovertarget]')];
  const shows = button => button.checkVisibility({visibilityProperty: true}) && button.getClientRects().length;
  const stuck = buttons.filter(shows).filter(button => {
    button.focus({preventScroll: true});
    return button.tabIndex < 0 || button.disabled || document.activeElement !== button;
  }).map(button => button.textContent);
  const opened = new Set(buttons.map(button => button.getAttribute('popovertarget')));
  const alone = [...document.querySelectorAll('[popover]')].map(sheet => sheet.id).filter(id => !opened.has(id));
  document.activeElement?.blur();
  return [...stuck, ...alone];
}"""

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# In print: figures with more or less than one drawing of some size inside the page, numbers without their footnote.
LOST = """() => {
  const wide = document.documentElement.clientWidth, found = [];
  for (const figure of document.querySelectorAll('.figure figure')) {
    const shown = [...figure.querySelectorAll('svg')].map(svg => svg.getBoundingClientRect()).filter(box => box.width);
    if (shown.length !== 1 || shown[0].height < 20 || shown[0].left < 0 || shown[0].right > wide + .5)
      found.push(`${figure.parentElement.id}: ${shown.length} drawings, ${shown[0]?.left} to ${shown[0]?.right}`);
  }
  for (const number of document.querySelectorAll('button[popovertarget]')) {
    if (!number.checkVisibility()) continue;
    const id = number.getAttribute('popovertarget'), note = document.getElementById(id);
    const mark = getComputedStyle(number, '::after').content;
    if (mark !== `"${id}"` && mark !== 'attr(popovertarget)') found.push(`${id} has no mark: ${mark}`);
    if (!note.checkVisibility() || !/#|=/.test(note.innerText)) found.push(`${id} has no footnote`);
  }
  return found;
}"""


def written(content: Path) -> list[str]:
    """The path of every page that somebody wrote."""
    places = [page.relative_to(content).with_suffix("").as_posix() for page in sorted(content.rglob("*.md"))]
    return ["" if place == "index" else place.removesuffix("index").rstrip("/") + "/" for place in places]


def kind(path: str) -> str:
    """What kind of generated page a path is: where it stands, how deep, and whether it is a figure's table."""
    parts = path.rstrip("/").split("/")
    if parts[0] in ("evidence", "figures"):
        return f"{'/'.join(parts[:2])} {len(parts)} {parts[-1] == 'table'}"
    return parts[0]


def chosen(site: Path, content: Path, manifest: Path) -> list[str]:
    """Every page that was written, every card, model and run with all their pages; of each other kind the longest and
    one by chance, which changes with the evidence and with nothing else."""
    own = set(written(content))
    sizes: dict[str, dict[str, int]] = {}
    for page in sorted(site.rglob("index.html")):
        place = page.parent.relative_to(site).as_posix()
        path = "" if place == "." else f"{place}/"
        if path.startswith(tuple(f"{subject}/" for subject in SUBJECTS)):
            own.add(path)
        elif path not in own:
            sizes.setdefault(kind(path), {})[path] = page.stat().st_size
    chance = random.Random(hashlib.sha256(manifest.read_bytes()).digest())
    for found in sizes.values():
        longest = max(found, key=lambda path: found[path])
        own |= {longest, chance.choice([path for path in found if path != longest] or [longest])}
    return sorted(own)


def plotted(path: str) -> bool:
    """Whether plotly draws on this page, under a policy of its own."""
    return path.startswith("figures/") and not path.endswith("/table/")


class _Strict(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def end_headers(self) -> None:
        place = self.path.partition("/_site/")[2].removesuffix("index.html")
        self.send_header("Content-Security-Policy", PLOTTED if plotted(place) else STRICT)
        super().end_headers()

    def log_message(self, *words: Any) -> None:
        """Say nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of the site under a sub-path, each answer under the strict policy."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Strict, directory=str(site.parent)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
    finally:
        server.shutdown()
        server.server_close()
