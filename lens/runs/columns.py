"""The flat record's columns: the one table of what a rollout may carry, whoever trained.

A record is a folder: `record.json` (see `lens.runs.record.Header`) and Parquet beside it.

rollouts/*.parquet   one row a rollout, in step order, columns below
texts/*.parquet      `row`, `prompt`, `completion`; read only to be shown
series/*.parquet     `step`, `name`, `value`: what the trainer logged, a row a number (a missing step has no row)
grams/*.parquet      `step`, `order`, `advantage`, `row`, `gram` (list of float64): see `lens.runs.gradients.grams`

`score.NAME` is a leaf of the reward: null where that grader abstained, NaN or an infinity where it wrote one.
`extra.NAME` is any other number the trainer logged beside a rollout. Text has no place here.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Type = Literal["int64", "double", "bool", "string"]


class Column(NamedTuple):
    type: Type
    about: str


ROLLOUTS: dict[str, Column] = {
    "step": Column("int64", "the optimizer step that a rollout trained, as the trainer numbers it"),
    "group": Column("int64", "rollouts of one prompt in one generation share it; unique in the record"),
    "row": Column("int64", "position in the record's own order, from 0"),
    "file": Column("int64", "which of the header's files it was read from"),
    "line": Column("int64", "line or row in that file, from 1"),
    "prompt": Column("int64", "63 bits of the prompt's SHA-256"),
    "content": Column("int64", "63 bits of the SHA-256 of prompt and completion"),
    "reward": Column("double", "the total the trainer used, before any advantage"),
    "advantage": Column("double", "as the trainer wrote it"),
    "tokens": Column("int64", "response length, tokens"),
    "chars": Column("int64", "response length, characters"),
    "logp": Column(
        "double", "log-probability of the response under the policy being trained, nats, summed over tokens"
    ),
    "logp_old": Column("double", "the same under the policy that sampled it"),
    "logp_ref": Column("double", "the same under the reference policy"),
    "entropy": Column("double", "mean token entropy of the response, nats"),
    "gold": Column("double", "what a trusted grader, not trained on, says of it"),
    "sampled_at": Column("int64", "step of the policy that sampled it"),
    "truncated": Column("bool", "cut at the length limit"),
    "failed": Column("bool", "the grader or the environment failed on it, by the trainer's own account"),
    "trained": Column("bool", "false where the trainer dropped it before the update"),
    "exploit": Column("string", "family of the exploit it is, where somebody labelled it"),
}
"""By name; `step`, `group`, `row`, `file` and `line` are always there."""

ALWAYS = ("step", "group", "row", "file", "line")
LEAF, EXTRA = "score.", "extra."


def type_of(name: str) -> Type:
    """The type of a column by its name. Raises KeyError for a name that the record has no place for."""
    return "double" if name.startswith((LEAF, EXTRA)) else ROLLOUTS[name].type
