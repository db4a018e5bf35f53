"""Entry points are found as importlib.metadata finds them, without its cost."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from zipfile import ZipFile

import pytest

from measure.points import Point, points

METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"


def declare(folder: Path, name: str, text: str) -> None:
    """A distribution's metadata in `folder`."""
    inside = folder / f"{name}-1.0.dist-info"
    inside.mkdir(parents=True)
    (inside / "METADATA").write_text(METADATA.format(name=name))
    (inside / "entry_points.txt").write_text(text)


@pytest.mark.parametrize(
    "group", ["evidence_lens.commands", "evidence_lens.measure", "console_scripts", "pytest11", "nobody.has.this"]
)
def test_the_same_as_importlib_metadata(group: str) -> None:
    wanted = {one.name: (one.name, one.module, one.attr or "") for one in entry_points(group=group)}
    assert {name: tuple(point) for name, point in points(group).items()} == wanted


def test_a_package_outside_adds_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = "[evidence_lens.commands]\n# a comment\nextra = os.path:join [fast]\n"
    text = f"[other]\nx = y:z\n\n{ours}\n[last]\na = b:c\n"
    declare(tmp_path, "extra", text)
    monkeypatch.syspath_prepend(tmp_path)
    found = points("evidence_lens.commands")
    assert found["extra"] == Point("extra", "os.path", "join")
    assert found["extra"].load() is __import__("os").path.join
    assert "x" not in found
    assert "a" not in found
    assert [(one.name, one.module, one.attr) for one in entry_points(name="extra")] == [found["extra"]]


def test_the_first_on_the_path_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("second", "first"):
        declare(tmp_path / place, "twice", f"[a.group]\nname = {place}:command\n")
        monkeypatch.syspath_prepend(tmp_path / place)
    assert points("a.group") == {"name": Point("name", "first", "command")}


def test_an_archive_is_read_through_importlib_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with ZipFile(archive, "w") as made:
        made.writestr("packed-1.0.dist-info/METADATA", METADATA.format(name="packed"))
        made.writestr("packed-1.0.dist-info/entry_points.txt", "[packed.group]\nname = packed:command\n")
    monkeypatch.syspath_prepend(archive)
    assert points("packed.group") == {"name": Point("name", "packed", "command")}


def test_a_command_is_found_without_importlib_metadata() -> None:
    script = (
        "import sys; from measure.cli import cli; cli(['claims', '--help'], standalone_mode=False)\n"
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
