"""Opening a store and looking a record up loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from store_samples import bare

from measure.store import Store

CODE = """
import sys
from pathlib import Path
from measure.store import Store
store = Store.open(Path(sys.argv[1]))
assert store.record("graders/a/kill-matrix").fields
assert store.check_file_digests() == []
assert store.conflicts() == []
assert store.trust("graders/a/kill-matrix").level == "exploratory"
heavy = ("torch", "scipy", "numpy", "pyarrow", "duckdb", "plotly", "rfc8785", "ctypes", "difflib", "lens.graders")
print([name for name in heavy if name in sys.modules])
"""


def test_light(tmp_path: Path) -> None:
    Store.open(tmp_path).write([bare()])
    done = subprocess.run([sys.executable, "-c", CODE, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
