"""Modules that lie beside a grader's file and that it imports: part of the grader, so part of its fingerprint."""

from __future__ import annotations

import ast
from pathlib import Path


def neighbours(path: Path, root: Path) -> list[Path]:
    """Source files under `root` that `path` imports, directly or through one another, sorted; `path` left out.

    Imports are read from the source and nothing is run. Of a package that is imported all modules count.
    """
    found: set[Path] = {path}
    waiting = [path]
    while waiting:
        here = waiting.pop()
        for name in _imported(here):
            for each in _files(root, name) | _files(here.parent, name):
                if each not in found:
                    found.add(each)
                    waiting.append(each)
    return sorted(found - {path})


def _imported(path: Path) -> set[str]:
    """First parts of the names a file imports; a relative import counts by the first name it asks for."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module.partition(".")[0]} if node.module else {alias.name for alias in node.names}
    return names


def _files(folder: Path, name: str) -> set[Path]:
    module, package = folder / f"{name}.py", folder / name
    found = {module} if module.is_file() else set()
    return found | (set(package.rglob("*.py")) if package.is_dir() else set())
