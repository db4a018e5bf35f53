"""How a function in somebody's file wants to be called, read from its parameters.

    reward(response, gold, **columns)                              plain
    reward(completions, solution, **kwargs)                        TRL: lists in, a list out, gold in a named column
    compute_score(data_source, solution_str, ground_truth, ...)    verl: by keyword

The source is parsed, never run.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from lens.errors import UsageError
from lens.graders.adapter import plain

GOLD_COLUMNS = ("solution", "answer", "ground_truth", "gold", "target", "reference", "label", "answers", "solutions")
_GIVEN = ("completions", "prompts", "completion_ids", "prompt_ids", "trainer_state", "log_extra", "log_metric")


class Convention(NamedTuple):
    """The call's source text and the name it defines; the columns a row must bring for it."""

    source: str
    name: str
    columns: tuple[str, ...] = ()


def trl(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    """TRL's call, for one completion; GOLD, CONVERSATIONAL, ACCEPTED are constants written above it."""
    message = [{"role": "assistant", "content": response}]
    given = {"prompts": columns.pop("prompt", ""), "completions": message if CONVERSATIONAL else response}  # type: ignore[name-defined]  # noqa: F821
    given |= {GOLD: gold, **columns} if GOLD else columns  # type: ignore[name-defined]  # noqa: F821
    wanted = {name: [value] for name, value in given.items() if ACCEPTED is None or name in ACCEPTED}  # type: ignore[name-defined]  # noqa: F821
    result = grader(**wanted)
    if hasattr(result, "__await__"):
        import asyncio

        result = asyncio.run(result)
    return result[0]


def verl(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    """verl's custom reward function; ACCEPTED is a constant written above it."""
    given = {"data_source": "", "extra_info": None, **columns, "solution_str": response, "ground_truth": gold}
    return grader(**{name: value for name, value in given.items() if ACCEPTED is None or name in ACCEPTED})  # type: ignore[name-defined]  # noqa: F821


def own(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    """The plain call, with the columns the function names; ACCEPTED is a constant written above it."""
    wanted = {name: value for name, value in columns.items() if ACCEPTED is None or name in ACCEPTED}  # type: ignore[name-defined]  # noqa: F821
    return grader(response, gold, **wanted)


def of(path: Path, function: str) -> Convention:
    """The convention the function's parameters show. Raises UsageError where they show none."""
    tree = _parse(path)
    found = [
        node
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function
    ]
    if not found:
        return Convention(_text(plain), "plain")
    arguments = found[-1].args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    names = positional + [each.arg for each in arguments.kwonlyargs]
    accepted = None if arguments.kwarg else tuple(names)
    required = set(positional[: len(positional) - len(arguments.defaults)])
    required |= {
        each.arg for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None
    }
    if "completions" in names:
        gold = next((name for name in GOLD_COLUMNS if name in names), "")
        constants = {"GOLD": gold, "CONVERSATIONAL": _reads_content(tree), "ACCEPTED": accepted}
        return _with_constants(trl, constants, required - {gold, *_GIVEN})
    if {"solution_str", "ground_truth"} <= set(names):
        taken = {"data_source", "solution_str", "ground_truth", "extra_info"}
        return _with_constants(verl, {"ACCEPTED": accepted}, required - taken)
    if len(positional) < 2 and not arguments.vararg:
        raise UsageError(
            f"{path.name}:{function} takes ({', '.join(names)}): a grader takes (response, gold)",
            remedy="write a function of (response, gold), or of (completions, solution, **columns) as TRL calls it",
        )
    if accepted is not None:
        accepted = tuple(name for name in accepted if name not in positional[:2])
    return _with_constants(own, {"ACCEPTED": accepted}, required - set(positional[:2]))


def _with_constants(call: Callable[..., Any], constants: dict[str, Any], columns: set[str]) -> Convention:
    head = "".join(f"{name} = {value!r}\n" for name, value in constants.items())
    return Convention(head + _text(call), call.__name__, tuple(sorted(columns)))


def _text(call: Callable[..., Any]) -> str:
    return textwrap.dedent(inspect.getsource(call))


def _parse(path: Path) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about somebody else's source
            return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{path} is not Python: {error}", remedy=f"python -m py_compile {path}") from None


def _reads_content(tree: ast.Module) -> bool:
    """Whether the file looks into messages (`completion[0]["content"]`): then completions are conversational."""
    return any(isinstance(node, ast.Constant) and node.value == "content" for node in ast.walk(tree))


def bound_names(path: Path) -> tuple[set[str], list[str], bool]:
    """Names a module binds at its top level; the functions and classes among them; whether there may be more
    (a star import, a module `__getattr__`, or one that replaces itself)."""
    names: set[str] = set()
    callables: list[str] = []
    open_ended = False
    for node in ast.walk(_parse(path)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
                open_ended |= name == "__getattr__"
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {(alias.asname or alias.name).split(".")[0] for alias in aliases}
                open_ended |= any(alias.name == "*" for alias in aliases)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="sys"), attr="modules"):
                open_ended = True
    for node in _parse(path).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("__"):
            callables.append(node.name)
    return names, callables, open_ended
