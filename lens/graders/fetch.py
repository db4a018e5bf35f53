"""Wheels of graders, each subject's in a folder of its own, by hash.

A release's hashes come from `locks/<name>-<version>.txt`, committed for the built-in graders (made by
`python -m lens.graders.fetch`); for any other release, from the first download, kept in the cache.
Nothing is installed beside us, and no package's code runs: wheels only, no build step. One exception: a release
that has no wheel at all is built by pip where its source's hash is committed here.
"""

from __future__ import annotations

import hashlib
import os
import py_compile
import re
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lens.canonical import file_digest
from lens.errors import UsageError
from lens.resource import cache_folder

LOCKS = Path(__file__).with_name("locks")
_SOURCE = ".tar.gz"


class Fetched(NamedTuple):
    """Where the wheels of a subject lie, and the digest of the lock they were checked against."""

    folder: Path
    digest: str


def fetch(requirements: Sequence[str], *, offline: bool = False) -> Fetched:
    """The folder with exactly these pinned releases (`name==version`) in it, downloaded once.

    Raises UsageError for a requirement that isn't pinned, or that pip can't fetch or whose hash differs;
    `offline`, for one that isn't in the cache.
    """
    try:
        return _fetch(requirements, offline)
    except OSError as error:
        remedy = "name a folder with room that you may write to in EVIDENCE_LENS_CACHE"
        raise UsageError(f"can't keep {', '.join(requirements)} in {cache_folder()}: {error}", remedy=remedy) from None


def _fetch(requirements: Sequence[str], offline: bool) -> Fetched:
    locks = {requirement: _lock(requirement, offline) for requirement in sorted(requirements)}
    lock = "".join(f"{requirement} {_hashes(path)}\n" for requirement, path in locks.items())
    sources = [requirement for requirement, path in locks.items() if path.parent == LOCKS and _is_source(path)]
    digest = hashlib.sha256(lock.encode()).hexdigest()
    folder = cache_folder() / "wheels" / digest[:32]
    if not folder.is_dir():
        if offline:
            raise _not_here(", ".join(requirements))
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as temporary:
            listed = Path(temporary, "lock.txt")
            listed.write_text(lock)
            target = Path(temporary, "target")
            options = ["--target", str(target), "--require-hashes", "--no-compile", "-r", str(listed)]
            _pip("install", *options, about=requirements, sources=sources)
            with suppress(OSError):  # somebody else finished first: theirs is the same
                target.rename(folder)
    return Fetched(folder, digest)


def compile_files(files: Sequence[str]) -> None:
    """Byte-compile these files of the cache; workers can't write there."""
    wheels = (cache_folder() / "wheels").resolve()
    for name in files:
        path = Path(name).resolve()
        if path.is_relative_to(wheels) and path.suffix == ".py":
            with suppress(OSError, py_compile.PyCompileError), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about somebody else's source
                py_compile.compile(str(path), doraise=True)


def lock_name(requirement: str) -> str:
    """`Lm_Eval==0.4.13` -> `lm-eval-0.4.13.txt`"""
    match = re.fullmatch(r"([A-Za-z0-9][\w.-]*?)==([\w.!+]+)", requirement)
    if match is None:
        raise UsageError(
            f"{requirement!r} does not pin a release", remedy="write NAME==VERSION, for example verl==0.9.1"
        )
    name = re.sub(r"[-_.]+", "-", match[1]).lower()
    return f"{name}-{match[2]}.txt"


def _not_here(what: str) -> UsageError:
    return UsageError(f"{what} isn't in {cache_folder()}", remedy="lens measure grader fetches it")


def _lock(requirement: str, offline: bool) -> Path:
    """The lock of a release: the committed one where it names a file for this machine, else the cache's."""
    name = lock_name(requirement)
    kept = cache_folder() / "locks" / name
    path = LOCKS / name
    if not path.is_file() or not any(_fits(line.split()[1]) for line in path.read_text().splitlines()):
        path = kept
        if not kept.is_file():
            if offline:
                raise _not_here(requirement)
            kept.parent.mkdir(parents=True, exist_ok=True)
            partial = kept.with_suffix(f".{os.getpid()}")
            partial.write_text(make_lock(requirement))
            partial.replace(kept)
    return path


def _hashes(lock: Path) -> str:
    """The options that follow a release in a pip requirements file."""
    return " ".join(f"--hash={each}" for each in sorted(line.split()[0] for line in lock.read_text().splitlines()))


def _is_source(lock: Path) -> bool:
    return any(line.endswith(_SOURCE) for line in lock.read_text().splitlines())


def _fits(wheel: str) -> bool:
    """Whether a file name is for any machine, or for this kind of machine and interpreter."""
    if wheel.endswith(_SOURCE):
        return True
    python, _, platform = wheel.removesuffix(".whl").split("-")[-3:]
    system, _, machine = sysconfig.get_platform().partition("-")
    here = f"cp{sys.version_info[0]}{sys.version_info[1]}" in python and system in platform and machine in platform
    return platform == "any" or here


def make_lock(requirement: str, *, source: bool = False) -> str:
    """Download a release's wheel (or its source) and write its lock: lines of `sha256:HEX  FILENAME`."""
    with tempfile.TemporaryDirectory() as folder:
        _pip("download", "-d", folder, requirement, about=[requirement], sources=[requirement] if source else [])
        return "".join(f"sha256:{file_digest(path)}  {path.name}\n" for path in sorted(Path(folder).iterdir()))


def _pip(command: str, *arguments: str, about: Sequence[str], sources: Sequence[str]) -> None:
    fixed = ["--no-deps", "--only-binary=:all:", "--no-input", "--quiet", "--disable-pip-version-check"]
    fixed += [f"--no-binary={release.partition('==')[0]}" for release in sources]
    ran = subprocess.run(
        [sys.executable, "-m", "pip", command, *fixed, *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if ran.returncode == 0:
        return
    said = [line for line in ran.stderr.splitlines() if line.startswith("ERROR") or "No module named pip" in line]
    raise UsageError(
        f"can't fetch {', '.join(about)}: {(said or ran.stderr.splitlines() or ['pip said nothing'])[-1].strip()}",
        remedy="check the name and version on the package index, and that it has wheels; offline, bring the cache "
        "along and name it in EVIDENCE_LENS_CACHE"
        if "No module named pip" not in ran.stderr
        else f"{sys.executable} -m ensurepip",
    )


def _main(arguments: Sequence[str]) -> None:
    """Lock the releases named, or all that the built-in graders need; `--source` for one that has no wheel."""
    named = [each for each in arguments if each != "--source"]
    for requirement in named or _needed():
        path = LOCKS / lock_name(requirement)
        if not path.exists():
            path.write_text(make_lock(requirement, source="--source" in arguments))
            print(path.name)


def _needed() -> list[str]:
    from lens.graders.adapter import adapters

    releases = (adapter.spec.removeprefix("pypi:").split("/")[0] for adapter in adapters().values())
    return sorted({*releases, *(each for adapter in adapters().values() for each in adapter.requires)})


if __name__ == "__main__":
    _main(sys.argv[1:])
