"""What lies beside a grader's file is part of it, so far as the file imports it."""

from __future__ import annotations

from pathlib import Path

from lens.graders.neighbours import neighbours
from lens.graders.subject import resolve


def _written(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_imported_modules_count_and_others_do_not(tmp_path: Path) -> None:
    _written(tmp_path, grader="import near\n", near="from deep import part\n", deep__part="X = 1\n", other="Y = 2\n")
    found = neighbours(tmp_path / "grader.py", tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["deep/part.py", "near.py"]


def test_a_changed_neighbour_is_another_grader_and_a_changed_stranger_is_not(tmp_path: Path) -> None:
    text = "from near import same\ndef reward(response, gold):\n    return same(response, gold)\n"
    _written(tmp_path, grader=text, near="def same(a, b):\n    return a == b\n", other="Y = 2\n")
    prints = [resolve(f"{tmp_path}/grader.py:reward").fingerprint]
    _written(tmp_path, other="Y = 3\n")
    prints.append(resolve(f"{tmp_path}/grader.py:reward").fingerprint)
    _written(tmp_path, near="def same(a, b):\n    return a.strip() == b\n")
    prints.append(resolve(f"{tmp_path}/grader.py:reward").fingerprint)
    assert prints[0] == prints[1]
    assert prints[1] != prints[2]
