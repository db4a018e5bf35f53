"""What a store writes and gives back: paths, digests, superseding, tables, what it refuses."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec
import pytest
from store_samples import MADE, bare, evidence, item, rows

from lens.errors import StoreError, UsageError
from lens.reading import Declined, Measured, Quantity, Subject
from measure.store import Made, Store, UnknownIdError
from measure.store.manifest import link

ID = "graders/a/kill-matrix"


def test_id_is_the_path(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    assert store.write([item(), bare("b", variant="log", varied={"access": "log"})]) == [
        ID,
        "graders/b/kill-matrix~log",
    ]
    on_disk = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert on_disk == [
        "evidence/graders/a/kill-matrix.json",
        "evidence/graders/a/kill-matrix.mutants.parquet",
        "evidence/graders/b/kill-matrix~log.json",
        "manifest.jsonl",
    ]
    assert store.ids() == Store.open(tmp_path).ids() == [ID, "graders/b/kill-matrix~log"]


def test_record_comes_back_whole(tmp_path: Path) -> None:
    Store.open(tmp_path).write([item()])
    record = Store.open(tmp_path).record(ID)
    assert record.id == ID
    assert record.made == MADE
    assert msgspec.structs.replace(record.evidence, tables={}) == evidence()
    assert record.fields["gold.killed"] == Quantity(5, "mutants", "count", of=374, n=240, n_eff=120)
    assert isinstance(record.fields["crossed.rate"], Declined)


def test_file_is_sorted_pretty_and_stable(tmp_path: Path) -> None:
    Store.open(tmp_path / "one").write([item()])
    Store.open(tmp_path / "two").write([item()])
    one, two = ((tmp_path / name / f"evidence/{ID}.json").read_bytes() for name in ("one", "two"))
    assert one == two
    plain = json.loads(one)
    assert list(plain) == ["digest", "evidence", "made"]
    assert json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False).encode() + b"\n" == one


def test_two_digests(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([bare()])
    line = store.line(ID)
    record = store.record(ID)
    data = (tmp_path / f"evidence/{ID}.json").read_bytes()
    assert line.file == hashlib.sha256(data).hexdigest()
    import rfc8785

    assert line.digest == record.digest == hashlib.sha256(rfc8785.dumps(json.loads(data)["evidence"])).hexdigest()


def test_same_measurement_twice_writes_nothing(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([item()])
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    later = Made("2026-01-01T00:00:00Z", 9.0, 9.0, 240, "lens measure grader a", {"cores": "64"}, "def456")
    assert store.write([(evidence(), rows(), later)]) == []
    assert Store.open(tmp_path).write([(evidence(), rows(), later)]) == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize(
    "changed",
    [
        {"version": 2},
        {"seed": 1},
        {"parameters": {"budget": 61.0, "operators": ["negate", "swap"]}},
        {"inputs": ()},
        {"access": ("gold.record", "grader.query")},
        {"differs": "another window"},
        {"subject": Subject("graders", "a", "Grader a", "e" * 64, "pypi:a==1.0/a:score")},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_whatever_was_measured_otherwise_is_another_record(tmp_path: Path, changed: dict[str, object]) -> None:
    store = Store.open(tmp_path)
    store.write([bare()])
    assert store.write([bare(**changed)]) == [ID]
    assert len(store.history(ID)) == 2


def test_another_table_alone_is_another_record(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([(evidence(), rows(5), MADE)])
    assert store.write([(evidence(), rows(4), MADE)]) == [ID]
    assert store.table(ID, "mutants").to_pydict() == rows(4)["mutants"]


def test_superseded_record_and_its_tables_move_aside(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([item(killed=5)])
    first = store.line(ID)
    store.write([item(killed=6)])
    second = store.line(ID)
    assert second.follows == link(first)
    assert [line.digest for line in store.history(ID)] == [first.digest, second.digest]
    aside = sorted(path.name for path in (tmp_path / "superseded").iterdir())
    assert aside == [f"{first.digest}.json", f"{first.digest}.mutants.parquet"]
    assert store.superseded(first.digest).fields["gold.killed"].value == 5  # type: ignore[union-attr]
    assert store.superseded(second.digest[:8]).fields["gold.killed"].value == 6  # type: ignore[union-attr]
    assert store.verify() == []


def test_back_and_forth_keeps_every_line_and_each_content_once(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    for killed in (1, 2, 1, 2, 3):
        assert store.write([item(killed=killed)]) == [ID]
    assert len(store.history(ID)) == 5
    assert len(list((tmp_path / "superseded").glob("*.json"))) == 2
    assert store.verify() == []
    assert Store.open(tmp_path).record(ID).fields["gold.killed"].value == 3  # type: ignore[union-attr]


def test_a_table_with_no_successor_is_retired_too(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([item(killed=5)])
    digest = store.line(ID).digest
    store.write([bare(killed=6)])
    assert not (tmp_path / f"evidence/{ID}.mutants.parquet").exists()
    assert (tmp_path / f"superseded/{digest}.mutants.parquet").exists()
    assert store.verify() == []


def test_table_bytes_and_content(tmp_path: Path) -> None:
    one, two = Store.open(tmp_path / "one"), Store.open(tmp_path / "two")
    one.write([item()])
    two.write([item()])
    path = one.table_path(ID, "mutants")
    assert path.read_bytes() == two.table_path(ID, "mutants").read_bytes()
    assert one.line(ID).tables["mutants"] == hashlib.sha256(path.read_bytes()).hexdigest()
    canonical = b'{"gold":[5,-1,3],"mutant":[0,1,2],"operator":["negate","swap",null],"seconds":[0.5,1,0.25]}'
    assert one.record(ID).evidence.tables == {"mutants": hashlib.sha256(canonical).hexdigest()}
    assert one.table(ID, "mutants").column_names == ["mutant", "operator", "seconds", "gold"]
    with pytest.raises(UsageError, match="has no table 'survivors': it has mutants"):
        one.table(ID, "survivors")


def test_manifest_is_sorted_and_only_grows(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    seen: set[bytes] = set()
    for slug, killed in (("c", 1), ("a", 1), ("b", 1), ("a", 2), ("c", 2), ("a", 3)):
        store.write([bare(slug, killed)])
        lines = (tmp_path / "manifest.jsonl").read_bytes().splitlines()
        assert lines == sorted(lines)
        assert seen < set(lines)
        seen = set(lines)
    assert len(seen) == 6
    assert [line.fields["gold.killed"] for line in store.history("graders/a/kill-matrix")] == [
        "1 of 374 mutants",
        "2 of 374 mutants",
        "3 of 374 mutants",
    ]


def test_manifest_line_says_what_conflicts_and_staleness_need(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([item()])
    line = store.line(ID)
    assert line.fields == {
        "crossed.rate": "",
        "gold.killed": "5 of 374 mutants",
        "gold.rate": f"{5 / 374!r} of mutants",
        "mode": "raises",
    }
    assert line.inputs == (("gold", "c" * 64, "shared:graders/gold.jsonl"),)
    assert (line.subject, line.version, line.reading) == ("f" * 64, 1, "measured")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (0, r"follows line [0-9a-f]{12}, which is missing"),
        (1, r"follows line [0-9a-f]{12}, which is missing"),
    ],
)
def test_a_missing_link_is_an_error(tmp_path: Path, line: int, message: str) -> None:
    store = Store.open(tmp_path)
    for killed in (1, 2, 3):
        store.write([bare(killed=killed)])
    chain = [link(one) for one in store.history(ID)]
    path = tmp_path / "manifest.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(one for one in lines if hashlib.sha256(one.strip()).hexdigest() != chain[line]))
    with pytest.raises(StoreError, match=message):
        Store.open(tmp_path)


def test_two_lines_after_the_same_one_are_an_error(tmp_path: Path) -> None:
    for name, killed in (("one", 1), ("two", 2)):
        Store.open(tmp_path / name).write([bare(killed=killed)])
    merged = (tmp_path / "one/manifest.jsonl").read_bytes() + (tmp_path / "two/manifest.jsonl").read_bytes()
    (tmp_path / "one/manifest.jsonl").write_bytes(merged)
    with pytest.raises(StoreError, match=f"two lines for {ID} follow the same one"):
        Store.open(tmp_path / "one")


@pytest.mark.parametrize(
    ("line", "number"), [(b"<<<<<<< HEAD", 2), (b'{"id": "graders/b/x"}', 2), (b'{"id": "graders', 2)]
)
def test_a_manifest_line_that_is_none_is_named(tmp_path: Path, line: bytes, number: int) -> None:
    Store.open(tmp_path).write([bare()])
    with (tmp_path / "manifest.jsonl").open("ab") as stream:
        stream.write(line + b"\n")
    with pytest.raises(StoreError, match=f"manifest.jsonl, line {number}: "):
        Store.open(tmp_path)


def test_a_lost_manifest_is_not_an_empty_store(tmp_path: Path) -> None:
    Store.open(tmp_path).write([bare()])
    (tmp_path / "manifest.jsonl").unlink()
    with pytest.raises(StoreError, match=r"manifest\.jsonl is missing"):
        Store.open(tmp_path)


def test_nothing_there_is_an_empty_store(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    assert store.ids() == []
    assert store.verify() == []
    assert not (tmp_path / "data").exists()


def test_unknown_id_names_the_nearest(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([bare("verl-gsm8k"), bare("verl-math"), bare("verl-gsm8k", instrument="survivors")])
    with pytest.raises(UnknownIdError, match="nearest are graders/verl-gsm8k/kill-matrix") as caught:
        store.record("graders/verl-gsm8k/kill-matrx")
    assert caught.value.exit_code == 2
    assert store.nearest("graders/verl-gms8k/survivors")[0] == "graders/verl-gsm8k/survivors"
    assert store.nearest("runs/nothing/like-it") == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"instrument": "Kill Matrix"}, "is not an evidence id"),
        ({"instrument": "../../etc/passwd"}, "is not an evidence id"),
        ({"variant": "a/b"}, "is not an evidence id"),
        ({"variant": ".hidden"}, "is not an evidence id"),
        ({"subject": Subject("graders", "a/..", "x", "f")}, "is not an evidence id"),
        ({"reading": Measured({"Gold killed": Quantity(1, "x", "size")}, "Gold killed", "s")}, "kebab words"),
        ({"reading": Measured({"gold#x": Quantity(1, "x", "size")}, "gold#x", "s")}, "kebab words"),
        ({"parameters": {"rate": float("nan")}}, "nan"),
        ({"parameters": {"seed": 2**60}}, "exceeds safe integer"),
        ({"parameters": {"what": object()}}, "unsupported"),
    ],
)
def test_what_cannot_be_stored_is_refused_before_anything_is_written(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    store = Store.open(tmp_path)
    store.write([bare("a")])
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match=message):
        store.write([bare("b"), bare("c", **changes)])
    assert sorted(tmp_path.rglob("*")) == before
    assert store.ids() == [ID]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"mutants": {"a": [1, 2], "b": [1]}}, "columns differ in length"),
        ({"mutants": {"a": [1, "x"]}}, "a.mutants, column 'a'|kill-matrix.mutants, column 'a'"),
        ({"mutants": {"a": [float("nan")]}}, "use None for a missing number"),
        ({"mutants": {"a": [2**60]}}, "text for whole numbers"),
        ({"The Mutants": {"a": [1]}}, "not a lower-case kebab word"),
        ({"../x": {"a": [1]}}, "not a lower-case kebab word"),
    ],
)
def test_tables_that_cannot_be_stored_are_refused(
    tmp_path: Path, tables: dict[str, dict[str, list[object]]], message: str
) -> None:
    store = Store.open(tmp_path)
    with pytest.raises(UsageError, match=message):
        store.write([(evidence(), tables, MADE)])
    assert store.ids() == []


def test_one_batch_holds_one_reading_of_an_id(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    with pytest.raises(UsageError, match="two different readings of graders/a/kill-matrix in one batch"):
        store.write([bare(killed=1), bare(killed=2)])
    assert store.ids() == []
    assert store.write([bare(killed=1), bare(killed=1)]) == [ID]


def test_a_whole_declined_reading_is_a_record(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    declined = Declined("not_applicable", "a program has no activations", "lens capabilities a")
    store.write([(evidence(instrument="curl-mass", reading=declined), {}, MADE)])
    record = store.record("graders/a/curl-mass")
    assert record.evidence.reading == declined
    assert store.line("graders/a/curl-mass").fields == {"declined": ""}


def test_a_store_opened_before_another_wrote_reads_on(tmp_path: Path) -> None:
    Store.open(tmp_path).write([item("a", 1)])
    early = Store.open(tmp_path)
    Store.open(tmp_path).write([item("a", 2), item("b", 3)])
    assert early.record(ID).fields["gold.killed"].value == 2  # type: ignore[union-attr]
    assert early.record("graders/b/kill-matrix").fields["gold.killed"].value == 3  # type: ignore[union-attr]
    assert early.table(ID, "mutants").to_pydict()["gold"] == [2, -1, 3]
