"""`lens evidence` and `lens export`: what they print and how they exit."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from store_samples import MADE, bare, evidence, item

from lens.reading import Declined, Interval, Measured, Quantity, Quote, Reported
from measure.store import Store

ID = "graders/a/kill-matrix"


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Lens = Callable[..., Ran]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    store = Store.open(folder)
    store.write([item("a", 5), bare("b", 12)])
    return folder


@pytest.fixture
def lens(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lens:
    """The command as its script runs it, with `--data` filled in."""
    from measure.cli import main

    def run(*words: str, data: Path = root) -> Ran:
        monkeypatch.setattr("sys.argv", ["lens", *words, "--data", str(data)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


def test_ls(lens: Lens) -> None:
    ran = lens("evidence", "ls")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "graders/a/kill-matrix  gold.killed: 5 of 374 mutants   exploratory",
        "graders/b/kill-matrix  gold.killed: 12 of 374 mutants  exploratory",
    ]
    assert lens("evidence", "ls", "--subject", "b").out.split()[0] == "graders/b/kill-matrix"
    none = lens("evidence", "ls", "--kind", "models")
    assert none.code == 2
    assert "there is graders/a, graders/b" in none.err


def test_show(lens: Lens) -> None:
    ran = lens("evidence", "show", ID)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == ID
    assert "  gold.killed   5 of 374 mutants" in lines
    assert "  crossed.rate  declined: corpus_inadequate: raw equality gives the same verdicts" in lines
    assert "  trust       exploratory: no scorecard for kill-matrix version 1" in lines
    assert "(live)" in ran.out


def test_show_one_field(lens: Lens) -> None:
    ran = lens("evidence", "show", f"{ID}#gold.rate")
    assert ran.out.splitlines()[:2] == [
        f"{ID}#gold.rate",
        f"  {5 / 374!r} of mutants [{5 / 374 * 0.5!r}, {5 / 374 * 1.5!r}] wilson",
    ]
    assert "crossed" not in ran.out


def test_show_json(lens: Lens, root: Path) -> None:
    whole = json.loads(lens("evidence", "show", ID, "--json").out)
    record = Store.open(root).record(ID)
    assert whole["digest"] == record.digest
    assert whole["evidence"]["reading"]["fields"]["gold.killed"]["of"] == 374
    assert whole["made"]["calls"] == 240
    assert whole["trust"]["level"] == "exploratory"
    assert whole["live"] is True
    field = json.loads(lens("evidence", "show", f"{ID}#mode", "--json").out)
    assert field["reading"] == {"is": "label", "value": "raises"}


def test_show_a_superseded_record_by_digest(lens: Lens, root: Path) -> None:
    store = Store.open(root)
    old = store.line(ID).digest
    store.write([item("a", 6)])
    ran = lens("evidence", "show", old[:10])
    assert "gold.killed   5 of 374 mutants" in ran.out
    assert "(superseded)" in ran.out
    assert "trust" not in ran.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "graders/a/kill-matrx"), "no evidence graders/a/kill-matrx: nearest are graders/a/kill-matrix"),
        (("history", "graders/b/kill_matrix"), "nearest are graders/b/kill-matrix"),
        (("show", f"{ID}#gold.kiled"), f"{ID} has no field gold.kiled: nearest are gold.killed"),
        (("show", "deadbeef"), "no record has a digest that starts with 'deadbeef'"),
        (("diff", ID, "graders/c/kill-matrix"), "no evidence graders/c/kill-matrix"),
        (("find", "many"), "'many' is not a number"),
        (("shw", ID), "No such command 'shw'"),
    ],
)
def test_usage_errors(lens: Lens, words: tuple[str, ...], message: str) -> None:
    ran = lens("evidence", *words)
    assert ran.code == 2
    assert message in ran.err


def test_no_store_there(lens: Lens, tmp_path: Path) -> None:
    for words in (("evidence", "ls"), ("evidence", "verify"), ("export",)):
        ran = lens(*words, data=tmp_path / "nowhere")
        assert ran.code == 2
        assert "no folder" in ran.err


def test_verify(lens: Lens, root: Path) -> None:
    clean = lens("evidence", "verify")
    assert (clean.code, clean.out) == (0, "as written: 2 live records, 1 tables, 0 superseded\n")
    Store.open(root).write([bare("b", 13, variant="again")])
    conflict = lens("evidence", "verify")
    assert conflict.code == 1
    assert "gold.killed is '12 of 374 mutants' in graders/b/kill-matrix but '13 of 374" in conflict.out
    path = root / f"evidence/{ID}.mutants.parquet"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    damaged = lens("evidence", "verify")
    assert damaged.code == 3
    assert f"evidence/{ID}.mutants.parquet: its bytes are not the ones the manifest records" in damaged.out


def test_a_damaged_record_is_exit_3_everywhere(lens: Lens, root: Path) -> None:
    path = root / f"evidence/{ID}.json"
    path.write_bytes(path.read_bytes().replace(b"374", b"375", 1))
    for words in (("show", ID), ("ls",), ("find", "12"), ("diff", ID, "graders/b/kill-matrix")):
        ran = lens("evidence", *words)
        assert ran.code == 3, words
        assert f"evidence/{ID}.json" in ran.err
    ran = lens("export", "--out", str(root.parent / "out"))
    assert ran.code == 3
    assert f"evidence/{ID}.json" in ran.err
    assert not (root.parent / "out/evidence.duckdb").exists()


def test_a_broken_manifest_is_exit_3(lens: Lens, root: Path) -> None:
    (root / "manifest.jsonl").write_text("<<<<<<< HEAD\n")
    ran = lens("evidence", "verify")
    assert ran.code == 3
    assert "manifest.jsonl, line 1" in ran.err


def test_diff(lens: Lens, root: Path) -> None:
    assert lens("evidence", "diff", ID, ID) == (0, "", "")
    old = Store.open(root).line(ID).digest
    Store.open(root).write([bare("a", 6, seed=3)])
    ran = lens("evidence", "diff", old[:12], ID)
    assert ran.code == 1
    blocks = ran.out.splitlines()
    at = blocks.index("#gold.killed")
    assert blocks[at + 1 : at + 3] == ["  - 5 of 374 mutants", "  + 6 of 374 mutants"]
    at = blocks.index("seed")
    assert blocks[at + 1 : at + 3] == ["  - 0", "  + 3"]
    assert "tables.mutants" in blocks
    assert "#mode" not in blocks


def test_history(lens: Lens, root: Path) -> None:
    store = Store.open(root)
    first = store.line(ID).digest
    store.write([item("a", 6)])
    ran = lens("evidence", "history", ID)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == f"{store.line(ID).digest[:16]}  2025-06-01T12:00:00Z  live"
    assert "    gold.killed: 5 of 374 mutants -> 6 of 374 mutants" in lines
    assert lines[-1] == f"{first[:16]}  2025-06-01T12:00:00Z  superseded"


FIELDS = {
    "killed": Quantity(5, "mutants", "count", of=374),
    "rate": Quantity(0.68449, "of mutants", "proportion", interval=Interval(0.6, 0.75, "wilson"), n=374),
    "seconds": Quantity(12.3, "s", "duration"),
    "tiny": Quantity(5.647e-06, "reward units", "difference"),
    "negative": Quantity(-0.25, "of mutants", "correlation"),
    "large": Quantity(665862, "rows", "size"),
    "none": Declined("below_detection", "none seen", "lens measure", bound=Quantity(0.0125, "of rows", "proportion")),
}


@pytest.mark.parametrize(
    ("number", "where"),
    [
        ("5", ["killed value"]),
        ("374", ["killed of", "rate n"]),
        ("0.684", ["rate value"]),
        ("0.685", []),
        ("0.68449", ["rate value"]),
        ("68.4%", ["rate value"]),
        ("68 %", ["rate value"]),
        ("68.5%", []),
        ("1.3%", ["killed share", "none bound.value"]),
        ("0.6", ["rate low"]),
        ("12", ["seconds value"]),
        ("13", []),
        ("6", []),
        ("665,862", ["large value"]),
        ("5.65e-06", ["tiny value"]),
        ("\u22120.25", ["negative value"]),
        ("-.25", ["negative value"]),
        ("0.25", []),
        ("0.0125", ["none bound.value"]),
    ],
)
def test_find(lens: Lens, tmp_path: Path, number: str, where: list[str]) -> None:
    other = tmp_path / "other"
    Store.open(other).write([(evidence(reading=Measured(FIELDS, "killed", "x")), {}, MADE)])  # type: ignore[arg-type]
    from measure.store.find import find

    store = Store.open(other)
    hits = find(number, [store.record(ID)])
    assert [f"{hit.field} {hit.part}" for hit in hits if hit.field != "rate" or hit.part != "share"] == where


def test_find_prints_where_and_exits_1_where_nothing_holds_it(lens: Lens) -> None:
    ran = lens("evidence", "find", "12")
    assert (ran.code, ran.out) == (0, "graders/b/kill-matrix#gold.killed  value  12 of 374 mutants\n")
    ran = lens("evidence", "find", "0.99")
    assert (ran.code, ran.err) == (1, "no record holds 0.99\n")
    assert lens("evidence", "find", "-5").err == "no record holds -5\n"


def test_export(lens: Lens, root: Path, tmp_path: Path) -> None:
    import duckdb

    store = Store.open(root)
    quoted = Reported({"killed": Quote("68.4 %", "of mutants", value=0.684)}, "killed", "A paper", "table 2", "d" * 64)
    store.write(
        [
            (evidence("c", 7), {"mutants": {"mutant": [0], "operator": ["swap"], "crossed": [2]}}, MADE),
            (evidence("c", instrument="reported", reading=quoted), {}, MADE),
        ]
    )
    out = tmp_path / "it's out"
    ran = lens("export", "--out", str(out))
    assert ran.code == 0, ran.err
    with duckdb.connect(str(out / "evidence.duckdb"), read_only=True) as database:
        ask = lambda query: database.execute(query).fetchall()  # noqa: E731
        assert ask("SELECT id, headline, trust FROM evidence ORDER BY id") == [
            ("graders/a/kill-matrix", "gold.killed", "exploratory"),
            ("graders/b/kill-matrix", "gold.killed", "exploratory"),
            ("graders/c/kill-matrix", "gold.killed", "exploratory"),
            ("graders/c/reported", "killed", "exploratory"),
        ]
        assert ask("SELECT id, value, \"of\" FROM fields WHERE field = 'gold.killed' ORDER BY id") == [
            ("graders/a/kill-matrix", 5.0, 374),
            ("graders/b/kill-matrix", 12.0, 374),
            ("graders/c/kill-matrix", 7.0, 374),
        ]
        assert ask("SELECT DISTINCT value, reason FROM fields WHERE field = 'crossed.rate'") == [
            (None, "corpus_inadequate")
        ]
        assert ask("SELECT text, value FROM fields WHERE \"is\" = 'quote'") == [("68.4 %", 0.684)]
        assert ask("SELECT count(*), min(digest) FROM inputs") == [(4, "c" * 64)]
        assert ask("SELECT id, mutant, operator, gold, crossed FROM kill_matrix_mutants") == [
            ("graders/a/kill-matrix", 0, "negate", 5, None),
            ("graders/a/kill-matrix", 1, "swap", -1, None),
            ("graders/a/kill-matrix", 2, None, 3, None),
            ("graders/c/kill-matrix", 0, "swap", None, 2),
        ]
        assert ask(f"SELECT count(*) FROM '{str(out).replace(chr(39), chr(39) * 2)}/parquet/fields.parquet'") == ask(
            "SELECT count(*) FROM fields"
        )
    with (out / "csv/kill_matrix_mutants.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["mutant"] for row in rows] == ["0", "1", "2", "0"]
    assert sorted(path.name for path in out.iterdir()) == ["csv", "evidence.duckdb", "parquet"]


def test_export_stacks_tables_whose_columns_differ(tmp_path: Path) -> None:
    import duckdb

    from measure.store.export import export

    store = Store.open(tmp_path / "data")
    one = {"x": [1, 2], "empty": [None, None], "filename": ["p", "q"], "from": [3, 4]}
    two = {"x": ["u", "v"], "empty": [0.5, 1.0], "id": [7, 8], "parts": [[1], [2, 3]]}
    store.write(
        [(evidence(slug), {"mutants": columns}, MADE) for slug, columns in (("a", one), ("b", two), ("c", {"x": []}))]
    )
    assert export(store, tmp_path / "out")["kill_matrix_mutants"] == 4
    with duckdb.connect(str(tmp_path / "out/evidence.duckdb"), read_only=True) as database:
        query = 'SELECT id, x, empty, filename, "from", row_id, parts FROM kill_matrix_mutants'
        assert database.execute(query).fetchall() == [
            ("graders/a/kill-matrix", "1", None, "p", 3, None, None),
            ("graders/a/kill-matrix", "2", None, "q", 4, None, None),
            ("graders/b/kill-matrix", "u", 0.5, None, None, 7, [1]),
            ("graders/b/kill-matrix", "v", 1.0, None, None, 8, [2, 3]),
        ]


def test_export_again_replaces_what_was_there(lens: Lens, root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert lens("export", "--out", str(out)).code == 0
    (out / "csv/left-over.csv").write_text("x")
    Store.open(root).write([bare("a", 6)])
    assert lens("export", "--out", str(out)).code == 0
    assert sorted(path.name for path in (out / "csv").iterdir()) == ["evidence.csv", "fields.csv", "inputs.csv"]


def test_export_of_an_empty_store(lens: Lens, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = lens("export", "--out", str(tmp_path / "out"), data=tmp_path / "empty")
    assert ran.code == 0, ran.err
    assert (tmp_path / "out/csv/evidence.csv").read_text().startswith("id,kind,subject,instrument")


def test_stale_counts_and_says_why(lens: Lens, root: Path) -> None:
    store = Store.open(root)
    made = evidence("c", 5)
    store.write([(msgspec.structs.replace(made, instrument="kill-matrix", version=made.version + 1000), {}, MADE)])
    ran = lens("evidence", "stale")
    assert ran.code == 1
    assert "graders/c/kill-matrix: kill-matrix is at version" in ran.out
    assert "1 of 3 records are stale" in ran.out
    assert "try: lens measure --stale" in ran.err
