"""A study's page: what was asked, predicted, would have refuted it, and happened; every outcome as large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser
from study_specs import HOME, coins, hypothesis

from lens.studies.spec import parse
from measure.store import Store
from measure.studies.freezing import freeze
from measure.studies.running import freeze_of, run
from site_builder.build import build
from site_builder.commands import options


def study(store: Store, plain: dict[str, Any], *, read: bool = True) -> None:
    freeze(store, parse(plain), workers=1, show=False)
    if read:
        run(store, *freeze_of(store, "coins"), workers=1, show=False)


def site(root: Path) -> Path:
    content = root / "content"
    content.mkdir()
    (content / "index.md").write_text("# Home\n\nNothing.\n")
    build(options(root / "data", content, root / "_site"))
    return root / "_site"


def page(folder: Path, path: str) -> LexborHTMLParser:
    return LexborHTMLParser((folder / path / "index.html").read_text("utf-8"))


def words(tree: LexborHTMLParser, at: str) -> list[str]:
    return [" ".join(node.text().split()) for node in tree.css(at)]


def test_a_confirmed_and_a_refuted_prediction_stand_alike(tmp_path: Path) -> None:
    """The second says of light coins what only holds of heavy ones."""
    other = hypothesis("light", "height.light", control=f"{HOME}size.heavy", says="light coins lie high")
    arms = [{"name": name, "units": 90, "plant": {"mean": mean}} for name, mean in (("light", 0.0), ("heavy", 2.0))]
    study(Store.open(tmp_path / "data"), coins(hypothesis(), other, arm=arms))
    folder = site(tmp_path)
    found = page(folder, "studies/coins")
    assert words(found, ".verdict") == ["confirmed", "refuted"]
    assert words(found, ".outcome h3") == ["heavy coins lie high", "light coins lie high"]
    assert words(found, ".study h3 + p")[:2] == ["They do.", "A mean below a half."]
    facts = dict(zip(words(found, ".head dt"), words(found, ".head dd"), strict=True))
    assert facts["class"] == "prospective: every subject was built from a seed that the freeze's digest gives"
    assert facts["trust"].startswith("adjudicated")
    assert "self-attested" in found.body.text()  # type: ignore[union-attr]
    rows = words(page(folder, "studies"), "tbody td")
    assert rows[0] == "prospective"
    assert rows[1].startswith("Of two predictions: 1 confirmed, 1 refuted.")


def test_frozen_and_not_run(tmp_path: Path) -> None:
    study(Store.open(tmp_path / "data"), coins(), read=False)
    found = page(site(tmp_path), "studies/coins")
    assert words(found, ".finding") == ["It is frozen, and nothing was measured yet."]
    assert words(found, ".verdict") == ["not run"]
    assert words(found, ".cmd") == ["lens study run coins"]


def test_an_amended_study_stands_beside_its_first_version(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    study(store, coins())
    study(store, coins(version=2, prediction="They still do.", amends="the prediction, for want of a better one"))
    folder = site(tmp_path)
    first, second = page(folder, "studies/coins"), page(folder, "studies/coins/v2")
    assert "a later version was frozen" in words(first, ".head dd")
    assert "the version before: the prediction, for want of a better one" in words(second, ".head dd")
    assert 'v2/index.html">a later version was frozen</a>' in first.html  # type: ignore[operator]
    assert words(second, ".verdict") == ["confirmed"]
    assert "amended since" in words(page(folder, "studies"), "tbody th")[0]


def test_no_study_at_all(tmp_path: Path) -> None:
    assert "No study is frozen here yet." in page(site(tmp_path), "studies").body.text()  # type: ignore[union-attr]


def test_a_study_that_waits_says_for_what_and_the_small_one_leads_to_it(tmp_path: Path) -> None:
    """Whoever has a subject finds the commands under what is missing."""
    store, home = Store.open(tmp_path / "data"), "project/study-coins-at-scale/sealed-coin"
    study(store, coins())
    said = hypothesis() | {"metric": f"{home}#height.heavy", "control": f"{home}#height.light"}
    study(
        store,
        coins(said, id="coins-at-scale", title="Coins at scale", science="sealed-coin", named="model"),
        read=False,
    )
    folder = site(tmp_path)
    small, large, index = (page(folder, f"studies/{name}") for name in ("coins", "coins-at-scale", ""))
    assert "Coins at scale" in words(small, ".head dd")
    facts = dict(zip(words(large, ".head dt"), words(large, ".head dd"), strict=True))
    assert facts["class"].startswith("not run: its predictions are frozen")
    assert words(large, ".verdict") == ["not run"]
    assert "--subject MODEL" in large.html  # type: ignore[operator]
    assert words(index, "h2")[0] == "Waiting for a subject"
    assert words(index, "tbody th") == ["Coins", "Coins at scale"]
