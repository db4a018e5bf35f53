"""The site on loopback: built, watched, rebuilt; open pages reload through a script that only this server adds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from lens.errors import LensError
from lens.resource import resource
from site_builder.build import build
from site_builder.context import Options

RELOAD = "/~lens/reload.js"
STATE = "/~lens/state"
_SCRIPT = """(function () {
  function wait(seen) {
    fetch("/~lens/state?" + seen).then(function (answer) { return answer.text(); }).then(function (now) {
      if (seen && now !== seen) location.reload(); else wait(now);
    }).catch(function () { setTimeout(wait, 500, seen); });
  }
  wait("");
})();
"""
_POLL = 25.0  # seconds a waiting page is held before it is told that nothing changed


class State:
    """A counter that waiting pages are woken by."""

    def __init__(self) -> None:
        self.number = 0
        self._changed = threading.Condition()

    def bump(self) -> None:
        with self._changed:
            self.number += 1
            self._changed.notify_all()

    def after(self, seen: str) -> int:
        """The counter, once it differs from `seen` or the poll is over."""
        with self._changed:
            self._changed.wait_for(lambda: str(self.number) != seen, timeout=_POLL)
            return self.number


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, state: State, **options: Any) -> None:
        self.state = state
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        if self.path.startswith(STATE):
            self._send(str(self.state.after(self.path.partition("?")[2])), "text/plain")
        elif self.path == RELOAD:
            self._send(_SCRIPT, "text/javascript")
        elif (page := self._page()) is not None:
            self._send(_reloading(page.read_text("utf-8")), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def _page(self) -> Path | None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if self.path.partition("?")[0].endswith("/") else path
        return path if path.suffix == ".html" and path.is_file() else None

    def _send(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Requests are not news."""


def _reloading(html: str) -> str:
    html = html.replace("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
    return html.replace("</head>", f'<script src="{RELOAD}" defer></script></head>', 1)


class Server:
    """Serves `options.out` on loopback; `run` returns when it is interrupted."""

    def __init__(self, options: Options, port: int) -> None:
        self.options = options
        self.state = State()
        handler = partial(_Handler, directory=str(options.out), state=self.state)
        self.http = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.http.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/"

    def run(self, say: Callable[[str], None], stop: threading.Event | None = None) -> None:
        """Build, serve, and build again whenever content, evidence or templates change, until `stop` or Ctrl-C."""
        from watchfiles import watch

        self.rebuild(say)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        say(f"serving {self.url}")
        watched = [path for path in (self.options.content, self.options.data, resource("templates")) if path.exists()]
        try:
            for _ in watch(*watched, stop_event=stop, debounce=60, step=20, raise_interrupt=False):
                self.rebuild(say)
        finally:
            self.http.shutdown()
            self.http.server_close()

    def rebuild(self, say: Callable[[str], None]) -> None:
        """Build once; on an error say it and leave the last good site up."""
        began = time.perf_counter()
        try:
            report = build(self.options)
        except LensError as error:
            say(f"error: {error}")
            return
        self.state.bump()
        say(f"built {report.written} of {report.pages} pages in {time.perf_counter() - began:.2f} s")
