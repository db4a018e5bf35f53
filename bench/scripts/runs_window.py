"""The bare statement: two advantages and their sign flips of every rollout, by DuckDB's windows.

`runs_window.py FOLDER`: one thread, as much memory as our own readings may take.
"""

import json
import sys
import tempfile

import duckdb

STATEMENT = """
SELECT count(*) FILTER ((a > 1e-5 AND b < -1e-5) OR (a < -1e-5 AND b > 1e-5)) FROM (
    SELECT coalesce((r - avg(r) OVER mates) / (stddev_samp(r) OVER mates + 1e-4), 0) AS a,
           coalesce((e - avg(e) OVER mates) / (stddev_samp(e) OVER mates + 1e-4), 0) AS b
    FROM (SELECT "group", "score.correct" + 0.5 * "score.style" AS r, "score.correct" AS e FROM '{}/rollouts/*.parquet')
    WINDOW mates AS (PARTITION BY "group"))
"""

with tempfile.TemporaryDirectory() as spill, duckdb.connect() as database:
    database.execute(f"SET threads=1; SET memory_limit='192MB'; SET temp_directory='{spill}'")
    (flips,) = database.execute(STATEMENT.format(sys.argv[1])).fetchone()
print(json.dumps({"flips": flips, "version": duckdb.__version__}))
