"""Two advantages and their sign flips of every rollout, by pandas: `runs_pandas.py FOLDER`."""

import json
import sys

import pandas as pd

rollouts = pd.read_parquet(f"{sys.argv[1]}/rollouts", columns=["group", "score.correct", "score.style"])
groups = rollouts["group"]


def advantage(reward: pd.Series) -> pd.Series:
    mates = reward.groupby(groups, sort=False)
    return ((reward - mates.transform("mean")) / (mates.transform("std") + 1e-4)).fillna(0.0)


here = advantage(rollouts["score.correct"] + 0.5 * rollouts["score.style"])
there = advantage(rollouts["score.correct"])
flips = int((((here > 1e-5) & (there < -1e-5)) | ((here < -1e-5) & (there > 1e-5))).sum())
print(json.dumps({"flips": flips, "version": pd.__version__}))
