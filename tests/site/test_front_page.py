"""What a front page is written with: containers, declines in full, and lists made from the registry and the store."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from built_site import KILL, tree

from lens.instrument import registry
from lens.reading import Evidence, Label, Measured, Subject
from measure.store import Made, Store
from site_builder.build import BuildFailed, build
from site_builder.commands import options
from site_builder.containers import names
from site_builder.context import Options

STAGE = f"""# Home

:::: stage The scorer
::: say
## What it pays for

Gold answers notice {{ev}}`{KILL}#gold.killed|count`.
:::
::: across
```{{figure}} kill-matrix {KILL} room=narrow table=page
```
:::
::::
"""


def test_a_stage_holds_its_text_and_its_figure(place: Callable[..., Options]) -> None:
    build(place(STAGE))
    (stage,) = tree(place(STAGE).out / "index.html").css("section.stage")
    assert [child.attributes["class"] for child in stage.iter()] == ["where", "say", "across"]
    assert stage.css_first(".where").text() == "The scorer"
    assert stage.css_first(".say button data").text() == "2 of 92"
    assert len(stage.css(".across svg.drawing")) == 1  # the narrow drawing alone
    (table,) = [link for link in stage.css(".figure-files a") if link.text() == "Table"]
    assert (place(STAGE).out / str(table.attributes["href"])).is_file()


def test_every_container_closes_what_it_opens(place: Callable[..., Options]) -> None:
    text = "# Home\n\n" + "\n".join(f"::: {name} Words\n{name} holds this\n:::\n" for name in names())
    build(place(text))
    article = tree(place(text).out / "index.html").css_first("article")
    assert [child.css_first("p:last-child").text() for child in article.iter() if child.tag != "h1"] == [
        f"{name} holds this" for name in names()
    ]


def test_an_unknown_container_is_named_with_its_line(place: Callable[..., Options]) -> None:
    with pytest.raises(BuildFailed) as caught:
        build(place("# Home\n\n::: stagge The scorer\ntext\n:::\n"))
    assert re.search(r"index\.md:3:1: ::: stagge The scorer is no container", str(caught.value))
    assert "stage" in str(caught.value)


def test_a_declined_field_stands_in_full_and_a_measured_one_is_refused(place: Callable[..., Options]) -> None:
    text = f"# Home\n\n```{{decline}} {KILL}~log#declined\n```\n"
    build(place(text))
    assert tree(place(text).out / "index.html").css_first(".decline .cmd") is not None
    with pytest.raises(BuildFailed, match="was measured"):
        build(place(f"# Home\n\n```{{decline}} {KILL}#gold.killed\n```\n"))


def test_a_room_that_is_none_is_named(place: Callable[..., Options]) -> None:
    with pytest.raises(BuildFailed, match="no room 'small'"):
        build(place(f"# Home\n\n```{{figure}} kill-matrix {KILL} room=small\n```\n"))


def test_what_works_is_what_measured_something_and_nothing_else(place: Callable[..., Options]) -> None:
    text = "# Home\n\n::: side\n```{works}\n```\n:::\n::: side\n```{unestablished}\n```\n:::\n"
    build(place(text))
    works, unestablished = (side.text() for side in tree(place(text).out / "index.html").css(".side"))
    said = re.sub(r"\s+", " ", works)
    assert said.strip() == "Graders: kill matrix, survivors, false accept and reject, variants."
    assert len(registry("graders")) > 3  # those that read nothing here are not among them
    assert "kill matrix" not in unestablished


def test_an_exam_not_passed_is_not_established(place: Callable[..., Options], tmp_path: Path) -> None:
    text = "# Home\n\n```{unestablished}\n```\n"
    made = place(text)
    shutil.copytree(made.data, tmp_path / "data")
    matrix = registry("graders")["kill-matrix"]
    card = Evidence(
        "scorecard",
        1,
        Subject("project", "kill-matrix", "Kill matrix", "ab" * 32),
        Measured({"passed": Label("no")}, "passed", "Made-up organisms"),
        variant="planted",
        varied={"family": "planted"},
        parameters={"instrument": "kill-matrix", "version": matrix.version, "subjects": "graders"},
    )
    Store.open(tmp_path / "data").write([(card, {}, Made("2026-11-29T12:00:00+00:00"))])
    build(options(tmp_path / "data", made.content, made.out))
    said = tree(made.out / "index.html").css_first("article").text()
    assert "Did not pass on planted subjects. kill matrix on planted." in said
