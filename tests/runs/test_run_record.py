"""The flat record: what goes in comes out, in step order, in bounded pieces, and nothing half-read stays."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.runs import record
from lens.runs.adapter import adapters, natural
from lens.runs.formats import files
from lens.runs.opening import open_run
from lens.runs.record import open_folder
from lens.runs.writer import Writer


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def written(folder: Path, *batches: dict[str, object]) -> Writer:
    writer = Writer(folder, folder)
    for at, batch in enumerate(batches):
        writer.rollouts(folder / f"shard-{at}.jsonl", batch)
    writer.finish()
    return writer


def rows(folder: Path, columns: str) -> list[tuple[object, ...]]:
    import duckdb

    with duckdb.connect() as database:
        source = f"read_parquet('{folder}/rollouts/*.parquet', union_by_name=true)"
        return database.execute(f"SELECT {columns} FROM {source}").fetchall()


def test_shards_out_of_order_come_back_in_step_order(tmp_path: Path) -> None:
    written(tmp_path, {"step": [3, 3], "group": "a", "reward": [1.0, 2.0]}, {"step": 1, "group": "a", "reward": [5.0]})
    assert rows(tmp_path, "step, row, reward, file, line") == [(1, 2, 5.0, 1, 1), (3, 0, 1.0, 0, 1), (3, 1, 2.0, 0, 2)]


def test_one_group_name_in_two_steps_is_two_groups(tmp_path: Path) -> None:
    written(tmp_path, {"step": [1, 1, 2], "group": ["a", "a", "a"]})
    groups = [one for (one,) in rows(tmp_path, '"group"')]
    assert groups[0] == groups[1] != groups[2]


def test_null_nan_and_zero_stay_apart(tmp_path: Path) -> None:
    written(tmp_path, {"step": 1, "group": "a", "score.x": [None, math.nan, 0.0, math.inf]})
    values = [one for (one,) in rows(tmp_path, '"score.x"')]
    assert values[0] is None
    assert math.isnan(values[1])  # type: ignore[arg-type]
    assert values[2:] == [0.0, math.inf]


def test_a_column_that_a_shard_lacks_is_counted_as_absent_and_not_as_an_abstention(tmp_path: Path) -> None:
    writer = written(tmp_path, {"step": 1, "group": "a", "score.x": [1.0]}, {"step": [2, 2], "group": "a"})
    assert writer.absent() == {"score.x": 2}
    assert writer.leaves() == ("x",)


def test_equal_texts_have_equal_keys_and_text_stays_out_of_rollouts(tmp_path: Path) -> None:
    written(tmp_path, {"step": 1, "group": "a", "prompt_text": "p", "completion_text": ["é", "é", "<b>"]})
    content = [one for (one,) in rows(tmp_path, "content")]
    assert content[0] == content[1] != content[2]
    assert rows(tmp_path, "chars") == [(1,), (1,), (3,)]
    assert "completion" not in {name for name, *_ in rows(tmp_path, "*")[:0]}


def test_unequal_columns_are_refused_by_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"shard-0\.jsonl: columns of unequal length \(step 2, reward 3\)"):
        written(tmp_path, {"step": [1, 1], "group": "a", "reward": [1.0, 2.0, 3.0]})


@pytest.mark.parametrize(
    ("columns", "named"),
    [({"step": [1], "group": "a", "reward": ["0.5"]}, "0.5"), ({"step": [1], "group": "a", "mood": [1.0]}, "mood")],
)
def test_text_for_a_number_and_unknown_columns_are_refused(
    tmp_path: Path, columns: dict[str, object], named: str
) -> None:
    with pytest.raises(UsageError, match=named):
        written(tmp_path, columns)


def test_a_cut_last_line_is_told_and_a_cut_line_elsewhere_is_an_error(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []
    path = tmp_path / "r.jsonl"
    path.write_text('{"a": 1}\n{"a": NaN}\n{"a": ')
    values = [line.value["a"] for line in files.json_lines(path, lambda where, line: told.append((where.name, line)))]
    assert values[0] == 1
    assert math.isnan(values[1])
    assert told == [("r.jsonl", 3)]
    path.write_text('{"a": 1}\n{"a": \n{"a": 2}\n')
    with pytest.raises(UsageError, match=r"r\.jsonl:2: not JSON"):
        list(files.json_lines(path, lambda *_: None))


def test_numbers_in_names_sort_as_numbers() -> None:
    assert sorted(map(Path, ["s10", "s9", "s100"]), key=natural) == [Path("s9"), Path("s10"), Path("s100")]


def test_the_reference_record_opens_whole_and_once(shared: Path, cache: Path) -> None:
    run = open_run(str(shared / "data/runs/grpo_run/long"))
    assert run.counts == {"rows": 1600, "steps": 200, "groups": 400, "first": 0, "last": 199}
    assert (run.header.settings.ddof, run.header.settings.epsilon) == (1, 1e-4)
    advantages = run.sql("SELECT min(advantage), max(advantage), count(*) FILTER (advantage = 0) FROM rollouts")[0]
    assert advantages == pytest.approx((-1.491610, 1.493695, 220), abs=5e-7)
    leaf = run.sql(
        'SELECT min("score.length_reward"), max("score.length_reward"), count("score.length_reward") FROM rollouts'
    )
    assert leaf[0] == pytest.approx((0.62, 3.36, 1400))
    norms = [values["grad_norm"] for values in run.series("grad_norm").values()]
    assert (min(norms), max(norms)) == pytest.approx((0.253293, 0.441912), abs=5e-7)
    kept = sorted((cache / "runs").iterdir())
    assert [one.name for one in kept] == [run.header.fingerprint]
    assert open_run(str(shared / "data/runs/grpo_run/long")).folder == run.folder


def test_a_damaged_run_leaves_nothing_behind(shared: Path, tmp_path: Path, cache: Path) -> None:
    import shutil

    copy = tmp_path / "short"
    shutil.copytree(shared / "data/runs/grpo_run/short", copy)
    (broken,) = copy.rglob("trajectories.jsonl")
    broken.chmod(0o644)
    broken.parent.chmod(0o755)
    text = broken.read_text().splitlines(keepends=True)
    broken.write_text(text[0] + text[1][:40] + "\n" + "".join(text[2:]))
    with pytest.raises(UsageError, match=r"trajectories\.jsonl:2: not JSON"):
        open_run(str(copy))
    assert list((cache / "runs").iterdir()) == []


def test_ranges_follow_the_record_and_cover_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "RANGE_ROWS", 5)
    written(
        tmp_path,
        *({"step": step, "group": "a", "reward": [0.0] * size} for step, size in [(1, 3), (2, 2), (3, 7), (4, 1)]),
    )
    (tmp_path / "record.json").write_bytes(_header())
    run = open_folder(tmp_path, "made", "made")
    assert [tuple(one) for one in run.ranges] == [(1, 2, 5), (3, 3, 7), (4, 4, 1)]
    with run.database(run.ranges[1]) as database:
        assert database.execute("SELECT DISTINCT step FROM rollouts").fetchall() == [(3,)]


def test_a_header_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "record.json").write_bytes(_header().replace(b"run record 1", b"run record 9"))
    with pytest.raises(UsageError, match="run record 9"):
        open_folder(tmp_path, "made", "made")


def _header() -> bytes:
    import msgspec

    from lens.runs.header import Header
    from lens.runs.settings import Settings

    return msgspec.json.encode(
        Header(
            adapter="flat",
            adapter_version=1,
            known_by="",
            trainer="",
            tested="",
            fingerprint="0" * 64,
            settings=Settings(),
        )
    )


def test_every_format_says_how_it_was_tested() -> None:
    for one in adapters().values():
        assert one.tested in ("real run", "writer code", "documentation")
        assert one.layout
        assert one.versions


def test_json_of_a_header_reads_as_plain_json() -> None:
    assert json.loads(_header())["format"] == "evidence-lens run record 1"
