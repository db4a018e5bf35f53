"""The mutation engine: what each operator changes, what a unit compiles to, and whom a swapped function reaches."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from lens.graders.mutate import plan, units
from lens.graders.mutate.graph import Graph, definition
from lens.graders.mutate.operators import operators
from lens.graders.mutate.quiet import Quiet
from lens.graders.mutate.scope import home_of, scope_of

CALL = "def plain(grader, response, gold, **columns):\n    return grader(response, gold)\n"

# operator: (a function body, every body the operator makes of it)
CASES = {
    "comparison": ("return a < b", ["return a <= b", "return a >= b"]),
    "boolean": ("return a and not b", ["return a or not b", "return not b", "return a", "return a and b"]),
    "arithmetic": ("return -a * b", ["return -a / b", "return +a * b"]),
    "condition": (
        "if a:\n    return 1",
        ["if True:\n    return 1", "if False:\n    return 1"],
    ),
    "constant": ("return [a, True, 3]", ["return [a, False, 3]", "return [a, True, 4]", "return [a, True, 2]"]),
    "string": (
        "return a.strip('x')",
        ["return a.lstrip('x')", "return a.strip('')", "return a.strip('XXxXX')"],
    ),
    "slice": ("return a[1:b]", ["return a[:b]", "return a[1:]"]),
    "statement-deletion": ("a = b\nreturn a", ["pass\nreturn a"]),
    "call-deletion": ("print(a)\nreturn len(a.lower())", ["pass\nreturn len(a.lower())", "print(a)\nreturn a.lower()",
                      "print(a)\nreturn len(a)"]),
    "return-none": ("return a", ["return None"]),
    "except-raise": (
        "try:\n    return a\nexcept ValueError:\n    return b",
        ["try:\n    return a\nexcept ValueError:\n    raise"],
    ),
    "loop": (
        "for a in b:\n    if a:\n        continue",
        ["for a in b:\n    break\n    if a:\n        continue", "for a in b:\n    if a:\n        continue\n    break",
         "for a in b:\n    if a:\n        break"],
    ),
}  # fmt: skip


@pytest.fixture
def load(tmp_path: Path) -> Iterator[object]:
    """Import source text as a module of its own, gone again after the test."""
    names: list[str] = []

    def make(source: str, name: str = "planted_mutate") -> ModuleType:
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(source))
        module = ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        names.append(name)
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
        return module

    yield make
    for name in names:
        del sys.modules[name]


def unit_of(module: ModuleType, name: str) -> tuple[units.Unit, dict[units.Key, list[object]]]:
    live = units.live_functions(lambda file: file == module.__file__)
    assert module.__file__
    found = {unit.name: unit for unit in units.units_of(module.__file__).values()}
    return found[name], live  # type: ignore[return-value]


def body_of(source: str) -> str:
    return "def f(a, b):\n" + textwrap.indent(source, "    ")


@pytest.mark.parametrize("operator", CASES)
def test_an_operator_makes_exactly_its_changes_and_leaves_the_tree_as_it_was(operator: str) -> None:
    source, wanted = CASES[operator]
    node = ast.parse(body_of(source)).body[0]
    assert isinstance(node, ast.FunctionDef)
    unit = units.Unit(units.Key("f.py", 1, "f"), node, ())
    before, found = ast.unparse(node), []
    for site in plan.sites(unit):
        if site.operator == operator:
            with site.edit.applied():
                found.append(ast.unparse(node))
    assert sorted(found) == sorted(body_of(one) for one in wanted)
    assert ast.unparse(node) == before


def test_every_operator_has_a_case() -> None:
    assert {name for acting in operators().values() for name, _ in acting} == set(CASES)


def test_docstrings_and_annotations_are_no_mutants() -> None:
    node = ast.parse(
        "def f(a):\n    'text'\n    x: 'int' = a\n    def g(y: 'str' = 'd') -> 'str':\n        'more'\n"
    ).body[0]
    assert isinstance(node, ast.FunctionDef)
    found = plan.sites(units.Unit(units.Key("f.py", 1, "f"), node, ()))
    assert {(site.operator, site.line) for site in found} == {("statement-deletion", 3), ("string", 4)}


def test_same_bytecode_and_repeated_mutants_are_set_aside(load: object) -> None:
    module = load("def f(a):\n    if a and a:\n        a = 1\n    while True:\n        return 1 + 0\n")  # type: ignore[operator]
    unit, live = unit_of(module, "f")
    swap = units.Swap(unit, live)  # type: ignore[arg-type]
    planned = plan.plan(unit, swap)
    all_ = plan.sites(unit)
    assert len(planned.kept) + len(planned.same_bytecode) + planned.duplicates + planned.invalid == len(all_)
    assert planned.duplicates >= 1  # dropping either operand of `a and a` leaves `a`
    folded = [site for site in planned.same_bytecode if site.line == 5]
    assert {site.edit.what for site in folded} >= {"right half dropped"}  # 1 + 0 is folded to 1


def test_whoever_holds_the_function_runs_the_mutant(load: object) -> None:
    module = load(  # type: ignore[operator]
        """
        import functools
        def outer(f):
            @functools.wraps(f)
            def inner(*args):
                return f(*args) + 0
            return inner
        @outer
        def one(a):
            return a + 1
        table = {"one": one}
        kept = functools.partial(one, 1)
        class Base:
            def two(self, a):
                return a
        class Child(Base):
            def two(self, a):
                __hidden = super().two(a)
                return __hidden + 1
        """
    )
    unit, live = unit_of(module, "one")
    swap = units.Swap(unit, live)  # type: ignore[arg-type]
    site = next(site for site in plan.sites(unit) if site.edit.what == "Add to Sub")
    with site.edit.applied():
        swap.install(swap.compile())
    assert (module.one(1), module.table["one"](1), module.kept()) == (0, 0, 0)
    swap.restore()
    assert module.kept() == 2

    unit, live = unit_of(module, "outer")  # the live closure takes the code nested in it
    swap = units.Swap(unit, live)  # type: ignore[arg-type]
    site = next(site for site in plan.sites(unit) if site.edit.what == "one more")
    with site.edit.applied():
        swap.install(swap.compile())
    assert module.one(1) == 3
    swap.restore()

    unit, live = unit_of(module, "Child.two")
    swap = units.Swap(unit, live)  # type: ignore[arg-type]
    site = next(site for site in plan.sites(unit) if site.edit.what == "Add to Sub")
    with site.edit.applied():
        swap.install(swap.compile())
    assert module.Child().two(5) == 4
    swap.restore()
    assert module.Child().two(5) == 6
    planned = plan.plan(unit, swap)
    assert planned.invalid == 1  # without super() the method captures no class, and no live function takes that code
    assert "Assign deleted" not in {site.edit.what for site in planned.kept}


def test_reachable_functions_and_constant_arguments(load: object) -> None:
    module = load(  # type: ignore[operator]
        """
        def grade(response, gold, strict=True, verbose=False):
            if verbose:
                shout(response)
            if strict:
                return exact(response, gold, False)
            return loose(response)
        def shout(x): return x
        def exact(response, gold, lower):
            if lower:
                response = response.lower()
            return helper(response) == gold
        def loose(x): return unused(x)
        def unused(x): return x
        def helper(x, mode="a"):
            if mode == "a":
                return Cleaner().clean(x)
            elif mode == "b":
                return x
            return TABLE[mode](x)
        def by_table(x): return x
        TABLE = {"c": by_table}
        class Cleaner:
            def clean(self, x): return x
            def other(self, x): return x
        """
    )
    scope = scope_of(module, str(module.__file__))
    live = units.live_functions(scope)
    graph = Graph(definition(CALL, "plain"), {"grader": module.grade}, live, scope)
    assert {unit.name for unit in graph.units.values()} == {"grade", "exact", "helper", "Cleaner.clean"}
    assert [key.name for key in graph.entries] == ["grade"]
    folded = {graph.units[key].name: graph.folded(key) for key in graph.units}
    assert [taken for *_, taken in folded["grade"].forced] == [False, True]
    assert folded["grade"].dead == [(4, 4), (7, 7)]
    assert [taken for *_, taken in folded["exact"].forced] == [False]
    assert [taken for *_, taken in folded["helper"].forced] == [True]

    own = definition(
        "ACCEPTED = None\ndef own(grader, r, g, **columns):\n"
        "    wanted = {k: v for k, v in columns.items() if k != ACCEPTED}\n    return grader(r, g, **wanted)\n",
        "own",
    )
    without = Graph(own, {"grader": module.grade}, live, scope)
    assert {unit.name for unit in without.units.values()} == {"grade", "exact", "helper", "Cleaner.clean"}
    brought = Graph(own, {"grader": module.grade}, live, scope, ["strict"])
    assert {unit.name for unit in brought.units.values()} >= {"loose", "unused"}  # a column sets it
    assert "shout" not in {unit.name for unit in brought.units.values()}
    mixed = (
        "def mixed(grader, r, g, **columns):\n    given = {'strict': g, **columns}\n    return grader(r, g, **given)\n"
    )
    opened = Graph(definition(mixed, "mixed"), {"grader": module.grade}, live, scope)
    assert {unit.name for unit in opened.units.values()} >= {"loose", "shout"}


def test_a_function_passed_on_can_be_called_with_anything(load: object) -> None:
    module = load(  # type: ignore[operator]
        """
        def grade(response, gold):
            return sum(map(step, response)) + step(response)
        def step(x, wide=False):
            if wide:
                return 2
            return 1
        """
    )
    scope = scope_of(module, str(module.__file__))
    graph = Graph(definition(CALL, "plain"), {"grader": module.grade}, units.live_functions(scope), scope)
    key = next(key for key, unit in graph.units.items() if unit.name == "step")
    assert graph.folded(key).dead == []


def test_scope_is_the_distribution_of_the_module() -> None:
    module = ModuleType("dist.sub.mod")
    assert home_of(module, "/x/dist/sub/mod.py") == "/x/dist"
    assert home_of(ModuleType("dist.sub"), "/x/dist/sub/__init__.py") == "/x/dist"
    scope = scope_of(module, "/x/dist/sub/mod.py")
    assert scope("/x/dist/other.py")
    assert not scope("/x/dist2/other.py")
    alone = scope_of(ModuleType("grader"), "/x/grader.py")
    assert alone("/x/beside.py")
    assert not alone("/x/dist/other.py")


def test_what_only_prints_logs_or_words_an_error_is_quiet() -> None:
    source = textwrap.dedent(
        """
        def f(a, logger):
            shown = a == 1
            if shown:
                print('seen')
            logger.info('text')
            if not a:
                raise ValueError('no a')
            count = a + 1
            print(count)
            return count
        """
    ).lstrip()
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    quiet, unit = Quiet(node), units.Unit(units.Key("f.py", 1, "f"), node, ())
    lines = {site.line for site in plan.sites(unit) if quiet.covers(site.line, site.column, site.first, site.last)}
    loud = {site.line for site in plan.sites(unit) if not quiet.covers(site.line, site.column, site.first, site.last)}
    assert lines == {2, 3, 4, 5, 7, 9}
    assert loud == {6, 7, 8, 10}  # the raise itself, not its text
