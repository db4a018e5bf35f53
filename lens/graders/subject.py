"""A grader by the name a person types.

    verl-gsm8k                                              a built-in (lens.graders.adapter)
    pypi:verl==0.9.1/verl.utils.reward_score.gsm8k:compute_score
    my_grader.py:reward                                     called as reward(response, gold, **columns), or by the
                                                            convention its parameters show (lens.graders.conventions)

Resolving reads files and never runs them.
"""

from __future__ import annotations

import difflib
import importlib.metadata
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lens.canonical import digest, file_digest
from lens.errors import LensError, UsageError
from lens.graders import conventions
from lens.graders.adapter import Adapter, adapters
from lens.graders.fetch import Fetched, compile_files, fetch
from lens.graders.neighbours import neighbours
from lens.graders.sandbox.limits import Limits
from lens.reading import Subject

_PYPI = re.compile(r"pypi:(?P<release>[^/]+==[^/]+)/(?P<module>[\w.]+)(?::(?P<function>\w+))?")
_FILE = re.compile(r"(?P<file>.+\.py)(?::(?P<function>\w+))?")


@dataclass(frozen=True)
class GraderSubject:
    """A grader found and fetched, ready for a Session. `paths` are what its worker alone has on its path;
    `module_file` is the source its entry is named in; `call_source` the text of the adapter's call."""

    adapter: Adapter
    slug: str
    title: str
    spec: str
    module_file: Path
    module_name: str
    function_name: str
    paths: tuple[Path, ...]
    fingerprint: str
    licence: str
    call_source: str = field(repr=False)
    call_name: str
    columns: tuple[str, ...] = ()  # columns a row must bring beside response and gold
    by_path: bool = False
    limits: Limits = field(default_factory=Limits)  # of a Session that is given none

    def as_subject(self) -> Subject:
        """Who was measured, as evidence records it."""
        return Subject("graders", self.slug, self.title, self.fingerprint, self.spec, self.licence)

    def loading(self) -> dict[str, Any]:
        """What its worker is told."""
        parts = self.module_name.split(".")
        return {
            "paths": [str(path) for path in self.paths],
            "module": self.module_name,
            "function": self.function_name,
            "file": str(self.module_file),
            "by_path": self.by_path,
            "above": [".".join(parts[:n]) for n in range(1, len(parts))],
            "call": self.call_source,
            "call_name": self.call_name,
            "cache": "" if self.by_path else str(self.paths[0]),
        }

    def compile_loaded(self, files: Sequence[str]) -> None:
        """Byte-compile what a first worker found uncompiled in this subject's folder."""
        folder = "" if self.by_path else str(self.paths[0])
        compile_files([name for name in files if folder and name.startswith(folder)])

    def not_loaded(self, kind: str, about: dict[str, Any]) -> LensError:
        """The error for a worker that could not be confined, or could not import the grader."""
        what = f"{about['type']}: {about['text']}"
        if kind == "unconfined":
            return LensError(
                f"the sandbox could not be set up: {what}", remedy="run `lens capabilities` as another user"
            )
        remedy = f"import it by hand to see all of it: python -c 'import {self.module_name}'"
        match about["type"]:
            case "ModuleNotFoundError" | "ImportError":
                remedy = "install what it imports into this environment, or name the release that brings it"
            case "SyntaxError" | "IndentationError":
                remedy = f"check that {self.module_file.name} is Python {sys.version_info[0]}.{sys.version_info[1]}"
            case "AttributeError" if self.function_name and self.function_name in about["text"]:
                remedy = (
                    f"{self.function_name} is not there once {self.module_file.name} has run; name another function"
                )
        where = next((place for place in reversed(about["where"]) if str(self.module_file) in place), "")
        return UsageError(f"{self.spec} can't be imported: {what}{f' ({where})' if where else ''}", remedy=remedy)


def resolve(spec: str, *, offline: bool = False) -> GraderSubject:
    """The grader `spec` names. Raises UsageError naming the likely mistake; `offline`, where it isn't here yet."""
    if spec in adapters():
        return of_adapter(adapters()[spec], offline)
    if match := _PYPI.fullmatch(spec):
        return of_adapter(_adapter_for(spec, match), offline)
    if match := _FILE.fullmatch(spec):
        return _resolve_file(spec, Path(match["file"]), match["function"] or "")
    raise _unknown(spec)


def _unknown(spec: str) -> UsageError:
    near = difflib.get_close_matches(spec, adapters(), n=3, cutoff=0.4)
    near += [slug for slug in adapters() if slug not in near and any(p in slug for p in spec.split("-") if len(p) > 2)]
    known = f"did you mean {' or '.join(near[:3])}?" if near else f"built in are {', '.join(adapters())}"
    if spec.startswith("pypi:"):
        known = "write pypi:NAME==VERSION/module.path:function"
    return UsageError(
        f"no grader is called {spec!r}: {known}",
        remedy=f"lens measure grader {near[0] if near else 'FILE.py:FUNCTION'}",
    )


def _adapter_for(spec: str, match: re.Match[str]) -> Adapter:
    """The built-in adapter of the same function, at whatever version was asked for, or a plain one."""
    asked = match["release"].split("==")[0].lower().replace("_", "-"), match["module"], match["function"]
    for adapter in adapters().values():
        if (known := _PYPI.fullmatch(adapter.spec)) is None:
            continue
        if asked == (known["release"].split("==")[0].lower().replace("_", "-"), known["module"], known["function"]):
            return replace(adapter, spec=spec)
    parts = [match["release"].split("==")[0], match["module"].rpartition(".")[2], match["function"] or ""]
    return Adapter(slug=_slug("-".join(filter(None, parts))), title=spec, judges="", spec=spec, answer="", licence="")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def of_adapter(adapter: Adapter, offline: bool = False) -> GraderSubject:
    """The grader an adapter declares, fetched where it isn't here yet."""
    match = _PYPI.fullmatch(adapter.spec)
    assert match is not None, f"{adapter.slug}: {adapter.spec} is not a pypi: spec"
    fetched = fetch([match["release"], *adapter.requires], offline=offline)
    source = _module_source(fetched.folder, match["module"], match["release"])
    function = match["function"] or ""
    _check_function(source, function, adapter.spec)
    call_source, call_name = textwrap.dedent(inspect.getsource(adapter.call)), adapter.call.__name__
    return GraderSubject(
        adapter=adapter,
        slug=adapter.slug,
        title=adapter.title,
        spec=adapter.spec,
        module_file=source,
        module_name=match["module"],
        function_name=function,
        paths=(fetched.folder,),
        fingerprint=_fingerprint(fetched, source, f"{match['module']}:{function}", call_source),
        licence=adapter.licence or _licence(fetched.folder, match["release"]),
        call_source=call_source,
        call_name=call_name,
    )


def _fingerprint(
    fetched: Fetched | None, source: Path, entry: str, call_source: str, beside: Iterable[Path] = ()
) -> str:
    parts = [fetched.digest if fetched else "", file_digest(source), entry, call_source]
    return digest([*parts, *(file_digest(each) for each in beside)])


def _module_source(folder: Path, module: str, release: str) -> Path:
    base = folder.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    parent = base.parent
    while not parent.is_dir():
        parent = parent.parent
    there = sorted(
        {path.stem for path in parent.glob("*.py")} | {path.parent.name for path in parent.glob("*/__init__.py")}
    )
    near = difflib.get_close_matches(base.name, there, n=3, cutoff=0.3) or there[:8]
    at = ".".join(parent.relative_to(folder).parts) or "its top level"
    raise UsageError(
        f"{release} has no module {module}: {at} has {', '.join(near)}", remedy=f"pypi:{release}/MODULE:FUNCTION"
    )


def _licence(folder: Path, release: str) -> str:
    wanted = re.sub(r"[-_.]+", "-", release.split("==")[0]).lower()
    for found in importlib.metadata.distributions(path=[str(folder)]):
        if re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower() == wanted:
            for field_name in ("License-Expression", "License"):
                if field_name in found.metadata:
                    return found.metadata[field_name]
    return ""


def _check_function(source: Path, function: str, spec: str) -> None:
    """Raises UsageError where the module plainly binds no such name."""
    names, callables, open_ended = conventions.bound_names(source)
    if not function or function in names or open_ended:
        return
    near = difflib.get_close_matches(function, callables, n=3, cutoff=0.4)
    listed = ", ".join(callables[:12]) or "no functions"
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise UsageError(
        f"{source.name} has no function {function}: {hint}it has {listed}",
        remedy=f"{spec.rpartition(':')[0]}:{(near or callables or ['FUNCTION'])[0]}",
    )


def _resolve_file(spec: str, path: Path, function: str) -> GraderSubject:
    if not path.is_file():
        near = difflib.get_close_matches(path.name, [each.name for each in path.parent.glob("*.py")], n=3)
        hint = f": did you mean {' or '.join(near)}?" if near else ""
        raise UsageError(f"no file {path}{hint}", remedy="name a Python file and a function in it: my_grader.py:reward")
    path = path.resolve()
    if not function:
        callables = conventions.bound_names(path)[1]
        raise UsageError(
            f"{path.name}: which function? it has {', '.join(callables) or 'none'}",
            remedy=f"{spec}:{(callables or ['FUNCTION'])[0]}",
        )
    _check_function(path, function, spec)
    convention = conventions.of(path, function)
    root, module = _package_root(path)
    slug = _slug(f"{path.stem}-{function}")
    return GraderSubject(
        adapter=Adapter(slug=slug, title=f"{path.name}:{function}", judges="", spec=spec, answer="", licence=""),
        slug=slug,
        title=f"{path.name}:{function}",
        spec=spec,
        module_file=path,
        module_name=module,
        function_name=function,
        paths=(root, *_site_packages()),
        fingerprint=_fingerprint(None, path, f"{path.name}:{function}", convention.source, neighbours(path, root)),
        licence="",
        call_source=convention.source,
        call_name=convention.name,
        columns=convention.columns,
        by_path="." not in module,
    )


def _package_root(path: Path) -> tuple[Path, str]:
    """Where a file's top package lies, and its dotted name: relative imports in it then work."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        parts.insert(0, folder.name)
        folder = folder.parent
    if len(parts) == 1 and (path.stem in sys.stdlib_module_names or not path.stem.isidentifier()):
        parts = ["grader_" + re.sub(r"\W", "_", path.stem)]
    return folder, ".".join(parts)


def _site_packages() -> list[Path]:
    """What is installed beside us: a grader file may use it, as it would under a plain interpreter."""
    import sysconfig

    return sorted({Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")})
