"""Two advantages of every rollout by DuckDB's windows: `runs_window.py bare FOLDER` counts their sign flips alone,
`same` all that our reading of one edit counts, by step. One thread, as much memory as our own readings may take.
"""

import json
import sys
import tempfile

import duckdb

FLIPPED = "(a > {0} AND b < -{0}) OR (a < -{0} AND b > {0})"
BARE = """
SELECT 0, count(*) FILTER (FLIPPED) FROM (
    SELECT coalesce((r - avg(r) OVER mates) / (stddev_samp(r) OVER mates + 1e-4), 0) AS a,
           coalesce((e - avg(e) OVER mates) / (stddev_samp(e) OVER mates + 1e-4), 0) AS b
    FROM (SELECT "group", "score.correct" + 0.5 * "score.style" AS r, "score.correct" AS e FROM '{}/rollouts/*.parquet')
    WINDOW mates AS (PARTITION BY "group"))
"""
SAME = """
SELECT step, count(*) FILTER (FLIPPED), count(*) FILTER (FLIPPED6), count(*) FILTER (FLIPPED7),
       count(*) FILTER (abs(a) > 1e-6 AND abs(b) <= 1e-6), count(*) FILTER (abs(a) <= 1e-6 AND abs(b) > 1e-6),
       count(*) FILTER (abs(b - a) > spread), count(r), count(*) FILTER (first AND high > low),
       count(*) FILTER (first AND high > low AND high_e = low_e) FROM (
    SELECT step, r, stddev_pop(advantage) OVER (PARTITION BY step) AS spread, row = min(row) OVER mates AS first,
           min(r) OVER mates AS low, max(r) OVER mates AS high, min(e) OVER mates AS low_e, max(e) OVER mates AS high_e,
           coalesce((r - avg(r) OVER mates) / (stddev_samp(r) OVER mates + 1e-4), 0) AS a,
           coalesce((e - avg(e) OVER mates) / (stddev_samp(e) OVER mates + 1e-4), 0) AS b
    FROM (SELECT step, row, "group", advantage, "score.correct" + 0.5 * "score.style" AS r, "score.correct" AS e
          FROM '{}/rollouts/*.parquet')
    WINDOW mates AS (PARTITION BY "group")) GROUP BY step
"""

statement = {"bare": BARE, "same": SAME}[sys.argv[1]]
for name, tau in (("FLIPPED6", "1e-6"), ("FLIPPED7", "1e-7"), ("FLIPPED", "1e-5")):
    statement = statement.replace(name, FLIPPED.format(tau))
with tempfile.TemporaryDirectory() as spill, duckdb.connect() as database:
    database.execute(f"SET threads=1; SET memory_limit='192MB'; SET temp_directory='{spill}'")
    flips = sum(row[1] for row in database.execute(statement.format(sys.argv[2])).fetchall())
print(json.dumps({"flips": flips, "version": duckdb.__version__}))
