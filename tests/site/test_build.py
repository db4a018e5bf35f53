"""How the site is built: the same wherever it is, only what changed, and an error leaves the old one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import site_evidence
from built_site import INDEX, KILL, VARIANTS, content_on, files

from lens.errors import StoreError, UsageError
from lens.resource import resource
from site_builder.build import BuildFailed, build
from site_builder.commands import options
from site_builder.context import Options


@pytest.mark.parametrize("hashseed", ["0", "424242"])
def test_builds_are_byte_identical_across_clones_clocks_and_locales(
    tmp_path: Path, data: Path, site: Path, hashseed: str
) -> None:
    clone = tmp_path / f"clone-{hashseed}"
    site_evidence.write(clone / "data")
    environment = {
        **os.environ,
        "PYTHONHASHSEED": hashseed,
        "TZ": "Pacific/Kiritimati" if hashseed == "0" else "America/Lima",
        "LANG": "C" if hashseed == "0" else "de_DE.UTF-8",
        "LC_ALL": "C",
    }
    code = "from measure.cli import main; main()"
    content_on(resource("content"), clone / "content")
    arguments = ["build", "--data", "data", "--content", "content", "--out", "_site"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert files(clone / "_site") == files(site)


def test_an_incremental_build_equals_a_clean_one(place: Callable[..., Options], tmp_path: Path) -> None:
    chosen = place(INDEX, second="# Second\n\nText.\n", third=f"# Third\n\n{{ev}}`{KILL}#any.killed`\n")
    build(chosen)
    place(INDEX, second=f"# Second\n\nNow with {{ev}}`{KILL}#any.killed`.\n")
    (chosen.content / "third.md").unlink()
    report = build(chosen)
    assert 0 < report.written < report.pages / 2
    clean = options(chosen.data, chosen.content, tmp_path / "clean" / "_site")
    build(clean)
    assert files(chosen.out) == files(clean.out)
    assert not (chosen.out / "third").exists()


def test_a_figure_on_two_pages_is_one_file(place: Callable[..., Options]) -> None:
    shown = f"```{{figure}} accept-reject {VARIANTS} side=accept\n```\n"
    chosen = place(f"# One\n\n{shown}", second=f"# Two\n\n{shown}")
    build(chosen)
    assert (chosen.out / f"figures/{VARIANTS}/accept-reject~accept.json").is_file()
    assert all('<svg class="drawing"' in (chosen.out / name / "index.html").read_text() for name in (".", "second"))
    whole = files(chosen.out)
    place(f"# One\n\n{shown}", second=f"# Two again\n\n{shown}")
    build(chosen)
    assert files(chosen.out).keys() == whole.keys()


def test_a_file_changed_by_hand_is_put_right(place: Callable[..., Options]) -> None:
    chosen = place()
    build(chosen)
    whole = files(chosen.out)
    (chosen.out / "index.html").write_text("5 of 374")
    (chosen.out / "site.css").unlink()
    build(chosen)
    assert files(chosen.out) == whole


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        (f"# A\n\nSome {{ev}}`{KILL}#gold.kiled` here", "content/index.md:3:11:", "did you mean gold.killed"),
        ("# A\n\n{ev}`graders/tidy-equal/kil-matrix`", "content/index.md:3:6:", f"did you mean {KILL}"),
        (f"# A\n\n{{ev}}`{KILL}#gold.rate`", "content/index.md:3:6:", "was declined"),
        (f"# A\n\n{{ev}}`{KILL}#calls|pct1`", "content/index.md:3:6:", "takes percent"),
        (f"# A\n\n{{claim}}`most|{KILL}#gold.killed > 0.5`", "content/index.md:3:9:", "does not hold"),
        (f"# A\n\n{{number}}`{KILL}`", "content/index.md:3:10:", "no role"),
        (f"# A\n\n```{{figure}} kil-matrix {KILL}\n```", "content/index.md:3:1:", "no figure"),
        ("# A\n\n```{pear}\n```", "content/index.md:3:1:", "no block"),
        ("---\ntitle\n---\n# A", "content/index.md:2:1:", "front matter"),
        ("# A\n\n[gone](/nowhere)", "index.html", "broken link"),
        (f"# A\n\nText {{ev}}`{KILL}#gold.killed", "content/index.md:3:1:", "not read as a reference"),
    ],
)
def test_errors_name_their_place_and_leave_the_old_site(
    place: Callable[..., Options], text: str, where: str, says: str
) -> None:
    chosen = place()
    build(chosen)
    before = files(chosen.out)
    place(text)
    with pytest.raises(BuildFailed) as caught:
        build(chosen)
    assert where in str(caught.value)
    assert says in str(caught.value)
    assert files(chosen.out) == before
    assert sorted(path.name for path in chosen.out.parent.iterdir()) == [".cache", "_site", "content"]


def test_every_problem_is_told_at_once(place: Callable[..., Options]) -> None:
    chosen = place("# A\n\n{ev}`graders/x/y#z` and {ev}`graders/x/y#w`", second="# B\n\n{ev}`graders/q/r#s`")
    with pytest.raises(BuildFailed) as caught:
        build(chosen)
    assert len(caught.value.problems) == 3
    assert not chosen.out.exists()


def test_a_damaged_store_is_named(place: Callable[..., Options], tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    site_evidence.write(damaged)
    path = damaged / f"evidence/{KILL}.mutants.parquet"
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"kill-matrix\.mutants\.parquet"):
        build(options(damaged, place().content, tmp_path / "_site"))


def test_a_folder_that_may_not_be_written_is_named(place: Callable[..., Options], tmp_path: Path) -> None:
    chosen = place()
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder is wanted")
    with pytest.raises(UsageError, match="no site was made"):
        build(options(chosen.data, chosen.content, blocked / "_site"))


def test_a_template_that_prints_none_is_refused() -> None:
    from site_builder.env import EmptyPrinted, environment

    template = environment().from_string("{{ value }}")
    for value in (None, float("nan")):
        with pytest.raises(EmptyPrinted):
            template.render(value=value)
    assert environment().from_string("{{ a }}").render(a="<b>") == "&lt;b&gt;"


def test_a_build_needs_no_place_to_keep_compiled_templates(
    place: Callable[..., Options], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = place()
    build(chosen)
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder is wanted")
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(blocked))
    bare = options(chosen.data, chosen.content, tmp_path / "bare" / "_site")
    build(bare)
    assert files(bare.out) == files(chosen.out)


def test_build_loads_no_heavy_library(place: Callable[..., Options]) -> None:
    chosen = place()
    code = f"""
import sys
from measure.cli import cli
cli(["build", "--data", {str(chosen.data)!r}, "--content", {str(chosen.content)!r}, "--out", {str(chosen.out)!r}],
    standalone_mode=False)
print([name for name in ("torch", "scipy", "numpy", "pyarrow", "duckdb", "plotly") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("[]")
