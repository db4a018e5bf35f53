"""Edit one byte of anything: loading it fails, both checks fail, and all of them name the file."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_samples import bare, item

from lens.errors import StoreError
from measure.store import Store
from measure.store.manifest import encode as encode_line

ID = "graders/a/kill-matrix"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two live records with tables, one without, and a superseded one with its table."""
    root = tmp_path_factory.mktemp("sound")
    store = Store.open(root)
    store.write([item("a", 1), item("b", 2), bare("c", 3)])
    store.write([item("a", 4)])
    assert Store.open(root).verify() == []
    return root


def named_files(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.suffix in (".json", ".parquet"))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_one_byte_edited_anywhere_is_found_and_named(sound: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(named_files(sound)))
    whole = (sound / path).read_bytes()
    offset = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[offset]))
    try:
        (sound / path).write_bytes(whole[:offset] + bytes([byte]) + whole[offset + 1 :])
        store = Store.open(sound)
        assert [finding.path for finding in store.check_file_digests()] == [path]
        assert path in [finding.path for finding in store.verify()]
        with pytest.raises(StoreError, match=path.rpartition("/")[2]):
            load_all(store)
    finally:
        (sound / path).write_bytes(whole)


def load_all(store: Store) -> None:
    for line in store.manifest():
        store.record(line.id)
        for name in line.tables:
            store.table(line.id, name)
        for past in store.history(line.id)[:-1]:
            store.superseded(past.digest)
            if past.tables:
                # A superseded table is read by nobody but the checks; they have named it above.
                path = store.root / f"superseded/{past.digest}.mutants.parquet"
                if sha256(path.read_bytes()).hexdigest() != past.tables["mutants"]:
                    raise StoreError(path.name)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_one_byte_of_the_manifest_edited_is_found(sound: Path, data: st.DataObject) -> None:
    """Whatever the edit makes of the line, verifying doesn't pass."""
    path = sound / "manifest.jsonl"
    whole = path.read_bytes()
    offset = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[offset]))
    try:
        path.write_bytes(whole[:offset] + bytes([byte]) + whole[offset + 1 :])
        try:
            findings = Store.open(sound).verify()
        except StoreError:
            return
        assert findings or same_lines(path.read_bytes(), whole)
    finally:
        path.write_bytes(whole)


def same_lines(one: bytes, two: bytes) -> bool:
    """Whether the edit fell on white space that JSON doesn't see."""
    return msgspec.json.decode(b"[%s]" % b",".join(one.split())) == msgspec.json.decode(
        b"[%s]" % b",".join(two.split())
    )


def copy(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "store")


@pytest.mark.parametrize("size", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 3 << 20])
def test_a_record_of_any_size_is_read_to_its_end(size: int, tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.write([bare(parameters={"text": ""})])
    path = tmp_path / f"evidence/{ID}.json"
    store.write([bare(parameters={"text": "x" * (size - path.stat().st_size)})])
    whole = path.read_bytes()
    assert len(whole) == size
    assert store.check_file_digests() == []
    path.write_bytes(whole[:-1] + b" ")
    assert [finding.path for finding in store.check_file_digests()] == [f"evidence/{ID}.json"]


def test_no_bytes_and_no_file_are_told_apart(tmp_path: Path) -> None:
    """A line that was forged to promise an empty file doesn't pass for one that isn't there."""
    Store.open(tmp_path).write([bare()])
    path, manifest = tmp_path / f"evidence/{ID}.json", tmp_path / "manifest.jsonl"
    old, new = (sha256(data).hexdigest().encode() for data in (path.read_bytes(), b""))
    manifest.write_bytes(manifest.read_bytes().replace(old, new))
    path.unlink()
    assert [finding.what for finding in Store.open(tmp_path).check_file_digests()] == [
        "is in the manifest but not on disk"
    ]


def test_a_file_gone_and_a_file_nobody_named(sound: Path, tmp_path: Path) -> None:
    root = copy(sound, tmp_path)
    (root / f"evidence/{ID}.json").unlink()
    (root / "evidence/graders/a/made-up.json").write_text("{}")
    found = {finding.path: finding.what for finding in Store.open(root).verify()}
    assert found == {
        f"evidence/{ID}.json": "is in the manifest but not on disk",
        "evidence/graders/a/made-up.json": "is on disk but not in the manifest",
    }


def forge(root: Path, old: bytes, new: bytes, *, redo: bool = False) -> None:
    """Edit a live record and mend the file digest in the manifest; `redo` mends the content digest as well."""
    store = Store.open(root)
    path = root / f"evidence/{ID}.json"
    data = path.read_bytes()
    assert old in data
    data = data.replace(old, new, 1)
    line = store.line(ID)
    changed = msgspec.structs.replace(line, file=sha256(data).hexdigest())
    if redo:
        from measure.store.record import content_digest, decode

        record = decode(data, "x")
        digest = content_digest(record.evidence)
        data = data.replace(line.digest.encode(), digest.encode())
        changed = msgspec.structs.replace(line, file=sha256(data).hexdigest(), digest=digest)
    path.write_bytes(data)
    manifest = root / "manifest.jsonl"
    manifest.write_bytes(manifest.read_bytes().replace(encode_line(line), encode_line(changed)))


def test_bytes_and_manifest_forged_together_fail_the_content_digest(sound: Path, tmp_path: Path) -> None:
    root = copy(sound, tmp_path)
    forge(root, b'"value": 4', b'"value": 5')
    store = Store.open(root)
    assert store.check_file_digests() == []
    assert [finding.what for finding in store.verify() if finding.path == f"evidence/{ID}.json"] == [
        "its content is not what its digest says"
    ]


def test_both_digests_forged_fail_the_manifest_line(sound: Path, tmp_path: Path) -> None:
    root = copy(sound, tmp_path)
    forge(root, b'"value": 4', b'"value": 5', redo=True)
    found = [str(finding) for finding in Store.open(root).verify()]
    assert found == [f"manifest.jsonl: its line doesn't say what evidence/{ID}.json says"]


def test_a_table_of_other_rows_fails_its_content_digest(sound: Path, tmp_path: Path) -> None:
    """Another table under a mended file digest: the record still says what its rows were."""
    root = copy(sound, tmp_path)
    store = Store.open(root)
    other = store.table_path("graders/b/kill-matrix", "mutants").read_bytes()
    store.table_path(ID, "mutants").write_bytes(other)
    line = store.line(ID)
    changed = msgspec.structs.replace(line, tables={"mutants": sha256(other).hexdigest()})
    manifest = root / "manifest.jsonl"
    manifest.write_bytes(manifest.read_bytes().replace(encode_line(line), encode_line(changed)))
    found = [str(finding) for finding in Store.open(root).verify()]
    assert found == [f"evidence/{ID}.mutants.parquet: its rows are not what the record's digest of them says"]


def test_rows_are_told_from_bytes(sound: Path, tmp_path: Path) -> None:
    """The same rows under another Parquet writer have the same content digest, and only the bytes are found."""
    import pyarrow.parquet as pq

    root = copy(sound, tmp_path)
    store = Store.open(root)
    path = store.table_path(ID, "mutants")
    pq.write_table(store.table(ID, "mutants"), path, compression="gzip")
    assert [str(finding) for finding in Store.open(root).verify()] == [
        f"evidence/{ID}.mutants.parquet: its bytes are not the ones the manifest records"
    ]
    line = store.line(ID)
    changed = msgspec.structs.replace(line, tables={"mutants": sha256(path.read_bytes()).hexdigest()})
    manifest = root / "manifest.jsonl"
    manifest.write_bytes(manifest.read_bytes().replace(encode_line(line), encode_line(changed)))
    assert Store.open(root).verify() == []
