"""The built wheel works outside the checkout, and like it."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ADDED = {"lens", "measure", "site_builder"}

pytestmark = pytest.mark.xdist_group("packaging")


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    return next(out.glob("*.whl"))


def test_wheel_holds_only_our_packages_and_their_resources(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == ADDED
    assert any(name.startswith("lens/_resources/templates/") for name in names)
    assert any(name.startswith("lens/_resources/data/corpora/") for name in names)
    assert not any("evidence/graders" in name for name in names), "the published evidence is the site's, not the tool's"


def _made(site: Path) -> list[Path]:
    """Every file of a site folder but the build's own cache, which is keyed by where the tool lies."""
    return [path for path in site.rglob("*") if path.is_file() and ".cache" not in path.relative_to(site).parts]


def test_installed_wheel_builds_the_same_new_site_as_the_checkout(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "empty"
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    packages = Path(run(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=tmp_path).strip())
    before = {path.name for path in packages.iterdir()}
    run(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel, cwd=tmp_path)
    requirements = run(python, "-m", "pip", "show", "-f", "evidence-lens", cwd=tmp_path)
    ours = {line.strip().split("/")[0] for line in requirements.partition("Files:")[2].splitlines() if line.strip()}
    assert {name for name in ours if not name.endswith(".dist-info") and not name.startswith("..")} == ADDED
    assert {path.name for path in packages.iterdir()} - before >= ADDED

    outputs = []
    for name, lens in (("wheel", environment / "bin" / "lens"), ("checkout", Path(sys.executable).parent / "lens")):
        site = tmp_path / name / "mysite"
        site.parent.mkdir()
        run(lens, "new", "mysite", cwd=site.parent)
        run(lens, "build", cwd=site)
        outputs.append({str(path.relative_to(site)): path.read_bytes() for path in _made(site)})
    assert outputs[0].keys() == outputs[1].keys()
    assert [name for name in outputs[0] if outputs[0][name] != outputs[1][name]] == []
