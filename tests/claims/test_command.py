"""`lens claims` on a real store: exit codes, writing, waivers, scopes, a damaged store, and what it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lens.errors import LensError
from lens.reading import Evidence, Measured, Quantity, Subject
from measure.store import Made, Store
from site_builder.commands.claims import command

ID = "project/toy/kill-matrix"
WRONG = f"It kills <!--ev {ID}#gold.killed|count-->6 of 374<!--/ev--> mutants.\n"
RIGHT = WRONG.replace("6 of", "5 of")


def evidence(killed: int = 5, slug: str = "toy") -> Evidence:
    fields = {
        "gold.killed": Quantity(killed, unit="mutants", kind="count", of=374),
        "pairs": Quantity(240, unit="pairs", kind="size"),
    }
    return Evidence(
        "kill-matrix", 1, Subject("project", slug, slug, "f" * 64), Measured(fields, "gold.killed", "gold pairs")
    )


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    store = Store.open(tmp_path / "data")
    made = Made(time="2026-11-29T00:00:00Z")
    items = [evidence(), evidence(slug="other")]
    store.write([(one, {"mutants": {"mutant": [1, 2]}}, made) for one in items])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def code(result: Result) -> int:
    """The exit code as `lens` would give it."""
    return result.exception.exit_code if isinstance(result.exception, LensError) else result.exit_code


def test_clean_is_zero_and_says_what_was_checked(site: Path) -> None:
    (site / "README.md").write_text(RIGHT)
    result = run("README.md")
    assert (result.exit_code, result.output) == (0, "0 findings in 1 file, 1 stamp checked\n")


def test_findings_are_one_with_line_column_caret_and_hint(site: Path) -> None:
    (site / "README.md").write_text("Title\n\n" + WRONG)
    result = run("README.md")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == ("README.md:3:61: EV004 stamp-differs: the store renders '5 of 374', the text shows '6 of 374'")
    assert lines[1].strip() == WRONG.strip()
    assert lines[2].index("^") - 4 == WRONG.index("6 of 374")
    assert lines[2].count("^") == len("6 of 374")
    assert lines[3].strip() == "lens claims --write fills it in"


def test_an_unknown_id_names_the_nearest(site: Path) -> None:
    (site / "README.md").write_text(RIGHT.replace("project/toy/", "project/toyy/"))
    assert f"did you mean {ID}" in run("README.md").output


def test_write_fills_in_and_changes_nothing_else(site: Path) -> None:
    text = (
        "\ufeffIt kills <!--ev {0}#gold.killed|count-->?<!--/ev--> of\r\nthem, [1 of 2](ev:{0}#gold.killed,pairs).\r\n"
    )
    (site / "README.md").write_bytes(text.format(ID).encode())
    assert run("README.md").exit_code == 1
    written = run("README.md", "--write")
    assert (written.exit_code, "filled in README.md" in written.output) == (0, True)
    expected = text.format(ID).replace("?", "5 of 374").replace("1 of 2", "5 of 240")
    assert (site / "README.md").read_bytes() == expected.encode()
    before = (site / "README.md").stat().st_mtime_ns
    assert run("README.md", "--write").exit_code == 0
    assert (site / "README.md").stat().st_mtime_ns == before


def test_write_escapes_for_latex_and_reads_its_own_writing(site: Path) -> None:
    (site / "paper.tex").write_text(rf"It kills \ev{{{ID}:gold.killed|pct1}}{{}} of them.")
    assert run("paper.tex", "--write").exit_code == 0
    assert (site / "paper.tex").read_text() == rf"It kills \ev{{{ID}:gold.killed|pct1}}{{1.3 \%}} of them."


def test_write_leaves_what_it_cannot_answer(site: Path) -> None:
    text = WRONG.replace("#gold", "@00000000#gold") + WRONG.replace("gold.killed", "gold.kill")
    (site / "README.md").write_text(text)
    result = run("README.md", "--write")
    assert result.exit_code == 1
    assert (site / "README.md").read_text() == text
    assert {"EV002", "EV004", "EV008"} <= {
        line.split()[1] for line in result.output.splitlines() if "README.md:" in line
    }


def test_check_and_write_together_are_usage(site: Path) -> None:
    (site / "README.md").write_text(RIGHT)
    assert code(run("README.md", "--write", "--check")) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.md"], "no such file: missing.md"),
        (["notes.pdf"], "can't tell how to read .pdf"),
        (["bytes.md"], "not UTF-8 at byte 0"),
        (["README.md", "--data", "elsewhere"], "no evidence store at elsewhere"),
        (["explain", "EV999"], "no rule EV999"),
    ],
)
def test_usage_is_two(site: Path, arguments: list[str], said: str) -> None:
    (site / "README.md").write_text(RIGHT)
    (site / "notes.pdf").write_text("x")
    (site / "bytes.md").write_bytes(b"\xff\xfe")
    result = run(*arguments)
    assert code(result) == 2
    assert said in str(result.exception)


@pytest.mark.parametrize("name", [f"evidence/{ID}.json", "evidence/project/other/kill-matrix.json"])
def test_one_byte_of_any_record_is_three_and_named(site: Path, name: str) -> None:
    (site / "README.md").write_text(RIGHT)
    path = site / "data" / name
    path.write_bytes(path.read_bytes().replace(b"374", b"375", 1))
    result = run("README.md")
    assert code(result) == 3
    assert name in str(result.exception)


def test_one_byte_of_a_table_is_three_and_named(site: Path) -> None:
    (site / "README.md").write_text(RIGHT)
    path = next((site / "data" / "evidence").rglob("*.parquet"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    result = run("README.md")
    assert code(result) == 3
    assert path.name in str(result.exception)


def test_a_file_without_stamps_is_strict_only_under_content(site: Path) -> None:
    (site / "content").mkdir()
    for name in ("README.md", "content/page.md"):
        (site / name).write_text("It runs in 374 places.\n")
    assert run("README.md").exit_code == 0
    assert run("content").exit_code == 1
    (site / "README.md").write_text("---\nevidence: strict\n---\nIt runs in 374 places.\n")
    assert run("README.md").exit_code == 1


def test_a_folder_stands_for_its_texts_and_not_for_what_was_built_in_it(site: Path) -> None:
    for name in ("docs/a.md", "docs/deep/b.tex", "docs/_site/c.html", "docs/.venv/d.md", "docs/node_modules/e.md"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("Text.")
    body = json.loads(run("docs", "--format", "json").output)
    assert body["files"] == ["docs/a.md", "docs/deep/b.tex"]


def test_units_of_the_store_count_in_any_text(site: Path) -> None:
    (site / "README.md").write_text("It reads 240 pairs and 12 eggs.\n")
    assert [line.split()[1] for line in run("README.md").output.splitlines() if "README.md:" in line] == ["EV026"]


WAIVER = '[[waive]]\nfile = "README.md"\npattern = "374 places"\nreason = "places, not mutants"\ncount = {}\n'


def test_a_waiver_covers_exactly_its_count(site: Path) -> None:
    (site / "README.md").write_text(RIGHT + "It runs in 374 places.\n")
    assert run("README.md").exit_code == 1
    (site / "claims.toml").write_text(WAIVER.format(1))
    assert run("README.md").output == "0 findings in 1 file, 1 stamp checked, 1 waived\n"
    for wrong in (2, 3):
        (site / "claims.toml").write_text(WAIVER.format(wrong))
        result = run("README.md")
        assert result.exit_code == 1
        assert f"EV030 waiver-count: waives {wrong} in README.md, covers 1" in result.output


def test_no_waiver_softens_a_wrong_number(site: Path) -> None:
    (site / "README.md").write_text(WRONG)
    (site / "claims.toml").write_text(WAIVER.format(1).replace("374 places", ".*"))
    assert "EV004" in run("README.md").output


@pytest.mark.parametrize("line", ['reason = "places, not mutants"', "count = 1", 'pattern = "374 places"'])
def test_a_waiver_without_reason_count_or_pattern_is_usage(site: Path, line: str) -> None:
    (site / "README.md").write_text(RIGHT)
    (site / "claims.toml").write_text(WAIVER.format(1).replace(line + "\n", ""))
    assert code(run("README.md")) == 2


def test_json_holds_every_finding(site: Path) -> None:
    (site / "README.md").write_text(WRONG)
    body = json.loads(run("README.md", "--format", "json").output)
    assert (body["files"], body["stamps"]) == (["README.md"], 1)
    assert {key: body["findings"][0][key] for key in ("code", "line", "column", "width", "text")} == {
        "code": "EV004",
        "line": 1,
        "column": 61,
        "width": 8,
        "text": "6 of 374",
    }


def test_explain_prints_the_page_of_a_rule_by_code_or_name() -> None:
    assert run("explain", "ev004").output == run("explain", "stamp-differs").output
    assert run("explain", "EV004").output.startswith("**EV004 stamp-differs**: the text shows something else")


def test_nothing_heavy_is_loaded(site: Path) -> None:
    (site / "README.md").write_text(RIGHT + "\n```python\nx = 1\n```\n")
    (site / "paper.tex").write_text("Text.")
    (site / "page.html").write_text("<p>Text.</p>")
    script = (
        "import sys\nfrom measure.cli import cli\n"
        "try: cli(['claims', 'README.md', 'paper.tex', 'page.html', '--format', 'sarif'], standalone_mode=False)\n"
        "except SystemExit: pass\n"
        "print(sorted({'torch', 'scipy', 'numpy', 'pyarrow', 'duckdb', 'plotly'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=site)
    assert done.stdout.splitlines()[-1] == "[]"
