"""An invented store: a checker like MATH's, with the shapes real audits have and numbers nobody measured."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

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
    Subject,
)
from lens.stats.intervals import share, wilson
from measure.store import Made, Store

SUBJECT = Subject("graders", "toy", "toy is_equal", "c4101b1f51a2bb65")
SECOND = Subject("graders", "second", "second checker", "d5101b1f51a2bb65")
MADE = Made("2026-11-29T12:00:00+00:00")
CORPORA = {
    "gold": 240, "crossed": 240, "near-misses": 240, "exploits": 31, "variants": 240, "labelled": 9134, "fuzz": 6009,
}  # fmt: skip
NOTICED = {
    "gold": 0.013, "crossed": 0.027, "near-misses": 0.056, "exploits": 0.32, "variants": 0.59, "labelled": 0.68,
    "fuzz": 0.61,
}  # fmt: skip
OPERATORS = {
    "string": 101, "constant": 60, "statement-deletion": 56, "condition": 34, "comparison": 28, "arithmetic": 33,
    "call-deletion": 15, "return-none": 15, "slice": 5, "except-raise": 3, "boolean": 2,
}  # fmt: skip
INADEQUATE = Declined(
    "corpus_inadequate", "raw equality gives the same verdicts", "lens measure grader toy --corpus labelled"
)


def evidence(instrument: str, reading: Reading, subject: Subject = SUBJECT, **extra: Any) -> Evidence:
    return Evidence(instrument, 1, subject, reading, **extra)


def kill_matrix(subject: Subject, operators: dict[str, int], sampled_from: int) -> tuple[Evidence, dict[str, Columns]]:
    draw = random.Random(7)
    names = [operator for operator, count in operators.items() for _ in range(count)]
    n = len(names)
    lines = sorted(draw.randrange(1, 153) for _ in range(n))
    draw.shuffle(lines)
    mutants: Columns = {
        "mutant": [f"m{i:04d}" for i in range(n)],
        "operator": names,
        "function": ["_fix" if line < 60 else "_strip" for line in lines],
        "line": lines,
    }
    hard = [draw.random() for _ in range(n)]
    fields: dict[str, Any] = {
        "mutants": Quantity(sampled_from, "mutants", "size"),
        "sampled": Quantity(n, "mutants", "count", of=sampled_from),
    }
    adequacy: Columns = {"corpus": [], "rows": [], "killed": []}
    for corpus, rows in CORPORA.items():
        first = [draw.randrange(rows) if value < NOTICED[corpus] + 0.1 * draw.random() - 0.05 else -1 for value in hard]
        if corpus == "gold":
            first = [-1] * n
            for at in range(5):
                first[(at * 67) % n] = 3
        mutants[corpus] = first
        killed = sum(row >= 0 for row in first)
        interval = wilson(killed, n, population=sampled_from)
        fields[f"{corpus}.killed"] = Quantity(killed, "mutants", "count", of=n, interval=interval, n=rows)
        fields[f"{corpus}.rows"] = Quantity(rows, "rows", "count", of=rows)
        fields[f"{corpus}.rate"] = (
            INADEQUATE if corpus in ("gold", "crossed", "near-misses")
            else Quantity(killed / n, "", "proportion", interval=interval)
        )  # fmt: skip
        for size in sorted({1, 3, 10, 30, 100, 300, 1000, 3000, rows}):
            if size <= rows:
                adequacy["corpus"].append(corpus)
                adequacy["rows"].append(size)
                adequacy["killed"].append(sum(0 <= row < size for row in first))
    inputs = tuple(
        Input("corpus", name, f"{index:064x}", rows=rows) for index, (name, rows) in enumerate(CORPORA.items())
    )
    reading = Measured(fields, "labelled.killed", "invented")
    return evidence("kill-matrix", reading, subject, inputs=inputs), {"mutants": mutants, "adequacy": adequacy}


def corpus_adequacy(subject: Subject) -> Evidence:
    fields: dict[str, Any] = {"adequate": Quantity(3, "corpora", "count", of=7)}
    for corpus, rows in CORPORA.items():
        differs = 0 if corpus in ("gold", "crossed", "near-misses") else rows * 3 // 10
        fields[f"{corpus}.equality-differs"] = share(differs, rows, "rows")
        fields[f"{corpus}.identical"] = share(rows if corpus == "gold" else rows // 3, rows, "rows")
        constant = 0 if corpus in ("gold", "near-misses", "variants") else rows // 3
        fields[f"{corpus}.best-constant-differs"] = share(constant, rows, "rows", note="always true")
    return evidence("corpus-adequacy", Measured(fields, "adequate", "invented"), subject)


def variants() -> Evidence:
    accepts = {
        "unit-changed": (127, 127),
        "last-digit": (0, 290),
        "sign-flipped": (1, 301),
        "zero-appended": (0, 127),
        "halved": (0, 127),
    }
    rejects = {
        "trailing-zero": (127, 127), "spaces-around": (2, 301), "slash-for-fraction": (0, 35),
        "dfrac-for-frac": (0, 57),
        "units-after": (0, 127), "unknown-before": (0, 127), "percent-sign": (88, 127), "thousands-comma": (12, 40),
    }  # fmt: skip
    fields: dict[str, Any] = {f"accept.{r}": share(k, n, "answers") for r, (k, n) in accepts.items()}
    fields |= {f"reject.{r}": share(k, n, "answers") for r, (k, n) in rejects.items()}
    fields["reject.mixed-number"] = Declined("below_detection", "three golds have this form", "give more golds")
    fields["worst-reject"] = fields["reject.trailing-zero"]
    return evidence("variants", Measured(fields, "worst-reject", "invented"))


def survivors(mutants: Columns) -> tuple[Evidence, dict[str, Columns]]:
    left = [i for i in range(len(mutants["mutant"])) if all(mutants[c][i] < 0 for c in CORPORA)]
    classes = ["blind-spot"] * 34 + ["not-told-apart"] * 30 + ["side-effect"] * 7
    classes = (classes + ["blind-spot"] * len(left))[: len(left)]
    fields: dict[str, Any] = {
        name: Quantity(classes.count(name), "survivors", "count", of=len(left))
        for name in ("blind-spot", "not-told-apart", "side-effect", "same-bytecode", "unreachable")
    }
    table: Columns = {key: [mutants[key][i] for i in left] for key in ("mutant", "operator", "function", "line")}
    table |= {"class": classes, "file": ["toy.py"] * len(left)}
    return evidence("survivors", Measured(fields, "blind-spot", "invented")), {"survivors": table}


def coverage() -> tuple[Evidence, dict[str, Columns]]:
    draw = random.Random(3)
    functions = {"_fix": (1, 60), "_strip": (61, 152)}
    lines: Columns = {"file": [], "function": [], "line": [], "dead": [], "gold": [], "labelled": [], "fuzz": []}
    for function, (first, last) in functions.items():
        for line in range(first, last + 1):
            if line % 7 == 6:
                continue
            lines["file"].append("toy.py")
            lines["dead"].append(line in (58, 59))
            lines["function"].append(function)
            lines["line"].append(line)
            reached = not (13 <= line <= 14 or 24 <= line <= 28 or 120 <= line <= 131)
            lines["gold"].append(int(reached))
            lines["labelled"].append(int(reached or line < 100))
            lines["fuzz"].append(int(reached or line < 125))
    arcs: Columns = {"file": [], "function": [], "from": [], "to": [], "gold": [], "labelled": [], "fuzz": []}
    for at in range(38):
        start = 2 + at * 4 - draw.randrange(2)
        taken = at not in (3, 4, 6, 8, 20, 21, 30, 31, 33, 35)
        for key, value in {
            "file": "toy.py", "function": "_fix" if start < 61 else "_strip",
            "from": start, "to": start + 2 + draw.randrange(4),
            "gold": int(taken), "labelled": int(taken or at < 10), "fuzz": int(taken or at != 33),
        }.items():  # fmt: skip
            arcs[key].append(value)
    fields: dict[str, Any] = {
        f"{c}.taken": Quantity(sum(arcs[c]), "arcs", "count", of=38) for c in ("gold", "labelled", "fuzz")
    }
    return evidence("branch-coverage", Measured(fields, "gold.taken", "invented")), {"lines": lines, "arcs": arcs}


def exploits() -> Evidence:
    paid = {"empty": 0, "box-spam": 1, "many-answers": 1, "denial-in-slot": 1, "nan": 0, "unicode-digits": 0}
    fields: dict[str, Any] = {f"{x}.paid": share(k * 20, 20, "probes") for x, k in paid.items()}
    fields["forged-log"] = Declined("not_applicable", "no log is read", "nothing to do")
    fields["paid"] = share(60, 120, "probes")
    fields["cheapest"] = Label("box-spam")
    return evidence("exploits", Measured(fields, "paid", "invented"))


def time_growth() -> tuple[Evidence, dict[str, Columns]]:
    draw = random.Random(5)
    slopes = {
        "unclosed-answer-tag": 1.98,
        "closed-answer-tag": 1.01,
        "digits": 0.05,
        "spaces": 0.4,
        "words": 0.98,
        "dollar": 0.9,
    }
    table: Columns = {"family": [], "size": [], "seconds": []}
    fields: dict[str, Any] = {}
    for family, slope in slopes.items():
        for size in (1000, 1414, 2000, 2828, 4000, 5657, 8000):
            table["family"].append(family)
            table["size"].append(size)
            table["seconds"].append(
                2e-5 * (size / 1000) ** slope * (1 + 0.05 * draw.random()) * (8 if slope > 1.5 else 1)
            )
        fields[f"{family}.exponent"] = Quantity(
            slope, "exponent", "exponent", interval=Interval(slope - 0.08, slope + 0.06, "student-t"), n=7
        )
    fields["minus.exponent"] = Declined("budget_exceeded", "two of seven sizes ended", "bound it")
    fields["worst.exponent"] = fields["unclosed-answer-tag.exponent"]
    fields["worst.family"] = Label("unclosed-answer-tag")
    fields["p50"] = Quantity(2.7e-6, "seconds", "duration", n=600)
    fields["p99"] = Quantity(1.1e-4, "seconds", "duration", n=600)
    return evidence("time-growth", Measured(fields, "worst.exponent", "invented"), repeatable=False), {"times": table}


def bench() -> Evidence:
    project = Subject("project", "evidence-lens", "evidence-lens", "bench")
    ratios = {
        "mutmut-per-mutant": (170.0, 150, 190),
        "public-checker": (3.1, 2.8, 3.3),
        "mkdocs-material": (1.9, 1.7, 2.2),
        "zensical": (0.97, 0.9, 1.1),
    }
    fields: dict[str, Any] = {
        f"{peer}.ratio": Quantity(v, "times", "ratio", interval=Interval(a, b, "min-max"))
        for peer, (v, a, b) in ratios.items()
    }
    fields["sphinx.ratio"] = Declined("not_run", "not installed here", "make bench")
    return evidence("bench", Measured(fields, "public-checker.ratio", "invented"), project, repeatable=False)


def reported() -> Evidence:
    fields = {"killed": Quote("0 of 60", "mutants", "count", value=0, of=60)}
    reading = Reported(fields, "killed", "a public card", "table 1", "ab" * 32)
    return evidence("reported", reading, variant="public-card")


def reported_model() -> Evidence:
    """Two dimensions that somebody else printed, one of them below zero."""
    printed = {"faithfulness": "-0.17", "faithfulness.safety": "-0.29", "faithfulness.code-correctness": "0.15"}
    fields = {name: Quote(text, "Spearman's rho", "correlation", value=float(text)) for name, text in printed.items()}
    subject = Subject("models", "quiet-8b", "Quiet-8B", "as published")
    reading = Reported(fields, "faithfulness", "a public table", "table 2", "cd" * 32)
    return Evidence("reported", 1, subject, reading, variant="public-table", varied={"source": "public-table"})


def build(root: Path) -> Store:
    """The invented store under `root`."""
    matrix, tables = kill_matrix(SUBJECT, OPERATORS, sum(OPERATORS.values()))
    other, other_tables = kill_matrix(SECOND, {"string": 30, "comparison": 20, "boolean": 4, "constant": 31}, 400)
    lines, line_tables = coverage()
    left, left_tables = survivors(tables["mutants"])
    growth, growth_tables = time_growth()
    batch: list[tuple[Evidence, dict[str, Columns], Made]] = [
        (matrix, tables, MADE),
        (other, other_tables, MADE),
        (corpus_adequacy(SUBJECT), {}, MADE),
        (variants(), {}, MADE),
        (left, left_tables, MADE),
        (lines, line_tables, MADE),
        (exploits(), {}, MADE),
        (growth, growth_tables, MADE),
        (bench(), {}, MADE),
        (reported(), {}, MADE),
        (reported_model(), {}, MADE),
    ]
    store = Store.open(root)
    store.write(batch)
    return store
