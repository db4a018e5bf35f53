"""Two advantages and their sign flips of every rollout, by polars: `runs_polars.py FOLDER`, streaming, two threads."""

import json
import os
import sys

os.environ["POLARS_MAX_THREADS"] = "2"  # read when it is imported

import polars as pl

reward = pl.col("score.correct") + 0.5 * pl.col("score.style")
rollouts = pl.scan_parquet(f"{sys.argv[1]}/rollouts/*.parquet").select("group", r=reward, e=pl.col("score.correct"))
groups = rollouts.group_by("group").agg(
    pl.mean("r", "e").name.suffix("_mean"), pl.col("r", "e").std().name.suffix("_sd")
)


def advantage(name: str) -> pl.Expr:
    return ((pl.col(name) - pl.col(f"{name}_mean")) / (pl.col(f"{name}_sd") + 1e-4)).fill_null(0.0)


both = rollouts.join(groups, on="group").select(a=advantage("r"), b=advantage("e"))
a, b = pl.col("a"), pl.col("b")
flipped = ((a > 1e-5) & (b < -1e-5)) | ((a < -1e-5) & (b > 1e-5))
flips = both.select(flipped.sum()).collect(engine="streaming").item()
print(json.dumps({"flips": flips, "version": pl.__version__}))
