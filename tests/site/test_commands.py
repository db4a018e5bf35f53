"""`lens new`, `lens build`, `lens serve` as somebody types them."""

from __future__ import annotations

import re
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from lens.errors import UsageError
from site_builder.commands import build as build_command
from site_builder.commands import new as new_command
from site_builder.commands import options
from site_builder.serving import Server


def test_a_new_site_builds_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(new_command.command, ["mysite"], catch_exceptions=False)
    assert done.exit_code == 0
    assert "cd mysite" in done.output
    assert {"_site/", ".cache/"} <= set((tmp_path / "mysite/.gitignore").read_text().split())
    monkeypatch.chdir(tmp_path / "mysite")
    done = CliRunner().invoke(build_command.command, [], catch_exceptions=False)
    assert done.exit_code == 0
    assert "What our graders really pay for" in (tmp_path / "mysite/_site/index.html").read_text("utf-8")


def test_new_refuses_a_folder_with_something_in_it(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        CliRunner().invoke(new_command.command, [str(tmp_path)], catch_exceptions=False)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_build_never_replaces_what_is_not_a_site(tmp_path: Path) -> None:
    content = tmp_path / "content"
    content.mkdir()
    (content / "index.md").write_text("# Home")
    out = tmp_path / "papers"
    out.mkdir()
    (out / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="something other than a site"):
        options(tmp_path / "data", content, out)
    with pytest.raises(UsageError, match="would be replaced"):
        options(tmp_path / "data", content, content)
    with pytest.raises(UsageError, match="no folder"):
        options(tmp_path / "data", tmp_path / "nowhere", tmp_path / "_site")


def test_findings_exit_with_one_and_print_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("content").mkdir()
    Path("content/index.md").write_text("# Home\n\n{ev}`graders/a/b#c`\n")
    done = CliRunner().invoke(build_command.command, [])
    assert done.exit_code == 1
    assert "content/index.md:3:6: no evidence has the id 'graders/a/b'" in done.output
    assert "1 finding; _site is as it was" in done.output


def test_serve_rebuilds_on_save_and_wakes_open_pages(tmp_path: Path) -> None:
    content = tmp_path / "content"
    content.mkdir()
    (content / "index.md").write_text("# First\n")
    server = Server(options(tmp_path / "data", content, tmp_path / "_site"), 0)
    said: list[str] = []
    stop = threading.Event()
    thread = threading.Thread(target=server.run, args=(said.append, stop), daemon=True)
    thread.start()
    try:
        _until(lambda: any(line.startswith("serving") for line in said))
        page = _get(server.url)
        assert "First" in page
        assert '<script src="/~lens/reload.js" defer></script>' in page
        assert "connect-src 'self'" in page
        assert "reload" in _get(server.url + "~lens/reload.js")
        seen = _get(server.url + "~lens/state?")
        answers: list[str] = []
        waiting = threading.Thread(target=lambda: answers.append(_get(f"{server.url}~lens/state?{seen}")))
        waiting.start()
        time.sleep(0.3)
        (content / "index.md").write_text("# Second\n")
        _until(lambda: "Second" in _get(server.url))
        waiting.join(20)
        assert answers
        assert answers[0] != seen
        (content / "index.md").write_text("# Third {ev}`graders/a/b`\n")
        _until(lambda: any("content/index.md:1:14" in line for line in said))
        assert "Second" in _get(server.url)
    finally:
        stop.set()
        thread.join(20)
    assert not thread.is_alive()
    assert "/~lens/" not in (tmp_path / "_site/index.html").read_text()
    assert re.search(r"built \d+ of \d+ pages", "\n".join(said))


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


def _until(true: object, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if true():  # type: ignore[operator]
            return
        time.sleep(0.05)
    raise AssertionError("it never came")
