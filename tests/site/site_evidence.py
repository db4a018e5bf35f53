"""A store with records of every state for graders and models that do not exist: what a site must be able to show."""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path

import model_evidence
import msgspec
import run_evidence
import study_evidence

from lens.instrument import find
from lens.reading import (
    Columns,
    Declined,
    Evidence,
    Input,
    Interval,
    Label,
    Measured,
    Quantity,
    Quote,
    Reading,
    Reported,
    Schematic,
    Subject,
)
from lens.stats.intervals import share
from measure.store import Made, Store

sys.path.insert(0, str(Path(__file__).parents[1] / "figures"))
import alarm_evidence
import update_evidence

TIDY = Subject("graders", "tidy-equal", "Tidy is_equal", "a1" * 32, "pypi:tidy==1.0/tidy.check:is_equal", "MIT")
STRICT = Subject("graders", "strict-last", "Strict last number", "b2" * 32, "strict.py:reward", "Apache-2.0")
GOLD = Input("gold", "toy-gold", "c3" * 32, "package:corpora/toy.jsonl", 240, "MIT")
MADE = Made(
    "2026-11-29T10:00:00+00:00", 12.5, 11.0, 89_760, "lens measure grader tidy-equal", {"python": "3.11"}, "0" * 40
)
CORPORA = ("gold", "near-misses", "variants", "labelled")
OPERATORS = {"string": 30, "constant": 24, "comparison": 18, "condition": 14, "return None": 6}
NEEDS = {
    "contract": "grader.query",
    "corpus-adequacy": "gold.record",
    "kill-matrix": "grader.source",
    "survivors": "grader.source",
    "branch-coverage": "grader.source",
    "metamorphic": "grader.query",
    "variants": "gold.record",
    "exploits": "grader.query",
    "determinism": "grader.replicate",
    "silent-zeros": "record.record",
}
Item = tuple[Evidence, dict[str, Columns], Made]


def mutants(seed: int, rates: dict[str, float]) -> Columns:
    """A mutants table whose kills differ by corpus."""
    rng = random.Random(seed)
    table: Columns = {key: [] for key in ("mutant", "operator", "function", "line", *rates)}
    for operator, count in OPERATORS.items():
        for _ in range(count):
            table["mutant"].append(f"m{len(table['mutant']):04d}")
            table["operator"].append(operator)
            table["function"].append("is_equal" if len(table["mutant"]) % 3 else "strip")
            table["line"].append(rng.randrange(3, 40))
            for corpus, rate in rates.items():
                table[corpus].append(rng.randrange(240) if rng.random() < rate else -1)
    return table


def readings(subject: Subject, rates: dict[str, float], seed: int) -> dict[str, tuple[Reading, dict[str, Columns]]]:
    """Every instrument's reading of one made-up grader."""
    table = mutants(seed, rates)
    n = len(table["mutant"])
    remedy = f"lens measure grader {subject.slug} --corpus labelled.jsonl"
    matrix: dict[str, Quantity | Label | Declined] = {
        "mutants": Quantity(n, "mutants", "size"),
        "sampled": share(n, n, "mutants"),
    }
    for corpus in rates:
        killed = share(sum(row >= 0 for row in table[corpus]), n, "mutants")
        matrix[f"{corpus}.killed"] = killed
        if corpus in ("gold", "near-misses"):
            matrix[f"{corpus}.rate"] = Declined(
                "corpus_inadequate", "plain equality gives the same verdict on 240 of 240 rows", remedy, bound=killed
            )
        else:
            matrix[f"{corpus}.rate"] = Quantity(
                killed.value / n, "mutants", "proportion", interval=killed.interval, n=n
            )
    alive = [at for at in range(n) if all(table[corpus][at] < 0 for corpus in rates)]
    matrix["any.killed"] = share(n - len(alive), n, "mutants")
    matrix["calls"] = Quantity(n * 240 * len(rates), "calls", "size")
    survivors = {
        "mutant": [table["mutant"][at] for at in alive],
        "line": [table["line"][at] for at in alive],
        "function": [table["function"][at] for at in alive],
        "class": ["blind-spot" if at % 2 else "not-told-apart" for at in alive],
    }
    classes = {name: survivors["class"].count(name) for name in ("blind-spot", "not-told-apart")}
    lines = list(range(1, 41))
    coverage: Columns = {"function": ["strip" if line < 20 else "is_equal" for line in lines], "line": lines}
    arcs: Columns = {"function": ["strip", "is_equal", "is_equal"], "from": [5, 24, 30], "to": [9, 30, 35]}
    for corpus in rates:
        coverage[corpus] = [line % 7 != 3 or corpus == "labelled" for line in lines]
        arcs[corpus] = [True, corpus == "labelled", False]
    return {
        "contract": (
            Measured(
                {
                    "shape": Label("#### N"),
                    "tried": Quantity(7, "shapes", "count"),
                    "ceiling": Quantity(1.0, "score", "score"),
                    "floor": Quantity(0.0, "score", "score"),
                    "returns": Label("float, 0 or 1"),
                    "oracle-paid": share(20, 20, "answers"),
                },
                "shape",
                "seven known answer shapes were tried on 20 golds",
            ),
            {},
        ),
        "corpus-adequacy": (
            Measured(
                {
                    "adequate": share(2, 4, "corpora"),
                    "gold.identical": share(240, 240, "rows"),
                    "gold.equality-differs": share(0, 240, "rows"),
                    "gold.best-constant-differs": share(0, 240, "rows"),
                    "labelled.equality-differs": share(118, 240, "rows"),
                    "labelled.best-constant-differs": share(97, 240, "rows"),
                },
                "adequate",
                "four corpora of up to 240 rows",
            ),
            {},
        ),
        "kill-matrix": (
            Measured(matrix, "gold.killed", "every mutant was run on 240 rows of each corpus"),
            {"mutants": table},
        ),
        "survivors": (
            Measured(
                {name: share(count, len(alive), "survivors") for name, count in classes.items()}
                | {"side-effect": share(0, len(alive), "survivors")},
                "blind-spot",
                "survivors of every corpus, put to 2,000 fuzzed inputs",
            ),
            {"survivors": survivors},
        ),
        "branch-coverage": (
            Measured(
                {
                    "gold.taken": share(28, 38, "arcs"),
                    "labelled.taken": share(36, 38, "arcs"),
                    "any.taken": share(37, 38, "arcs"),
                },
                "gold.taken",
                "arcs reachable from the entry point under the audited call",
            ),
            {"lines": coverage, "arcs": arcs},
        ),
        "metamorphic": (
            Measured(
                {
                    "violated": share(2, 9, "relations"),
                    "sign-flipped.violations": share(0, 127, "rows"),
                    "unit-changed.violations": share(127, 127, "rows"),
                },
                "violated",
                "nine relations, each on the rows it applies to",
            ),
            {},
        ),
        "variants": (
            Measured(
                {
                    "accept.unit-changed": share(127, 127, "answers"),
                    "accept.last-digit": share(0, 290, "answers"),
                    "accept.sign-flipped": share(1, 301, "answers"),
                    "accept.halved": share(0, 127, "answers"),
                    "reject.trailing-zero": share(127, 127, "answers"),
                    "reject.spaces-around": share(2, 301, "answers"),
                    "reject.slash-fraction": share(0, 35, "answers"),
                    "worst-reject": share(127, 127, "answers"),
                },
                "worst-reject",
                "each form of each gold once; forms are not pooled",
            ),
            {},
        ),
        "exploits": (
            Measured(
                {
                    "paid": share(5, 12, "probes"),
                    "empty.paid": share(0, 20, "tries"),
                    "denial.paid": share(20, 20, "tries"),
                    "cheapest": Label("42 is not the answer"),
                },
                "paid",
                "twelve probes on 20 golds each",
            ),
            {},
        ),
        "determinism": (
            Measured(
                {
                    "replay-differences": share(0, 480, "rows"),
                    "thread-differences": share(0, 480, "rows"),
                    "consumes-random": Label("no"),
                },
                "replay-differences",
                "two passes over 480 rows",
            ),
            {},
        ),
        "time-growth": (
            Measured(
                {
                    "worst.exponent": Quantity(1.98, "exponent", "exponent", interval=Interval(1.9, 2.06, "fit")),
                    "p50": Quantity(2.7e-6, "seconds", "duration"),
                },
                "worst.exponent",
                "answers of 1,000 to 8,000 repeats",
            ),
            {},
        ),
        "rollouts": (
            Declined(
                "not_run",
                "no labelled model answers were given",
                f"lens measure grader {subject.slug} --corpus rollouts.jsonl",
            ),
            {},
        ),
        "silent-zeros": (
            Declined(
                "record_incomplete",
                "no run record with its leaves was given",
                f"lens measure grader {subject.slug} --record rollouts.jsonl",
            ),
            {},
        ),
        "curl-mass": (Declined("not_applicable", "a program expresses no preferences", "nothing to do"), {}),
    }


def items() -> list[Item]:
    """Everything in the made-up store."""
    studies = [(one, tables, MADE) for one, tables, _ in study_evidence.items()]
    made: list[Item] = [*model_evidence.items(), *runs(), *studies]
    for subject, seed, gold in ((TIDY, 1, 0.02), (STRICT, 2, 0.4)):
        rates = {"gold": gold, "near-misses": 0.06, "variants": 0.55, "labelled": 0.65}
        for name, (reading, tables) in readings(subject, rates, seed).items():
            made.append(
                (
                    Evidence(
                        name,
                        version_of(name),
                        subject,
                        reading,
                        access=("grader.source", "gold.record"),
                        inputs=(GOLD,),
                        seed=0,
                    ),
                    tables,
                    MADE,
                )
            )
            if name in NEEDS:
                need = NEEDS[name]
                declined = Declined(
                    "access_insufficient",
                    f"a training log holds scores, and this needs {need}",
                    f"lens measure grader {subject.slug}",
                    needs=need,
                    has="record.record",
                )
                varied = {"access": "training log only"}
                made.append(
                    (
                        Evidence(
                            name,
                            version_of(name),
                            subject,
                            declined,
                            variant="log",
                            varied=varied,
                            access=("record.record",),
                        ),
                        {},
                        MADE,
                    )
                )
    figures = {
        "mutants-killed": Quote("0 of 60", "mutants", "count", 0, 60, "the first 60 of 461 mutants in operator order"),
        "grader-calls": Quote("2400", "calls", "size", 2400, None, "the price of another instrument"),
    }
    reported = Reported(
        figures, "mutants-killed", "a public site, 3.0.0", "grader cards", "d4" * 32, "Figures of others."
    )
    made.append(
        (Evidence("reported", 1, TIDY, reported, variant="public-site", varied={"source": "public-site"}), {}, MADE)
    )
    drawing = Schematic("response", "Two curves that stand for nothing measured.")
    made.append((Evidence("response", 1, Subject("project", "drawings", "Drawings", "e5" * 32), drawing), {}, MADE))
    return made


@cache
def runs() -> list[Item]:
    """A run told in full, one of series alone, and one whose series go over: what was published of the last, too."""
    figures = {
        "steps": Quote("96", "steps", "size", 96),
        "gradient-norm-highest": Quote("0.44", "gradient norm", "score", 0.44, None, "it is the norm before clipping"),
    }
    told = Reported(figures, "steps", "a public site, 3.0.0", "front page", "d4" * 32, "Figures of others.")
    published = Evidence("reported", 1, run_evidence.RUN, told, variant="public-site", varied={"source": "public-site"})
    updates = [item for item in update_evidence.items() if item[0].subject == run_evidence.RUN]
    made = [*run_evidence.items(), *updates, *alarm_evidence.items()]
    now = [
        (msgspec.structs.replace(one, version=version_of(one.instrument, "runs")), tables) for one, tables, _ in made
    ]
    return [*((one, tables, MADE) for one, tables in now), (published, {}, MADE)]


def version_of(name: str, subjects: str = "graders") -> int:
    """The instrument's version now, so that what is made up here is never stale."""
    found = find(subjects, name)
    assert found is not None, name
    return found.version


def write(root: Path, slug: str = "", *instruments: str) -> Store:
    """Write the made-up store under `root`: all of it, or some instruments' records of one grader."""
    store = Store.open(root)
    chosen = [
        item for item in items() if not slug or (item[0].subject.slug, item[0].instrument) in _of(slug, instruments)
    ]
    store.write(chosen)
    return store


def _of(slug: str, instruments: tuple[str, ...]) -> set[tuple[str, str]]:
    return {(slug, name) for name in instruments}
