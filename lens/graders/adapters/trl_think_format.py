"""TRL's `think_format_reward`: pays when a response opens with a think block and closes it."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader([[{"role": "assistant", "content": response}]])[0]


ADAPTER = Adapter(
    slug="trl-think-format",
    title="TRL think_format_reward",
    judges="pays when the response starts with a think tag and closes it once",
    spec="pypi:trl==1.16.0/trl.rewards.format_rewards:think_format_reward",
    answer="think-format",
    licence="Apache-2.0",
    call=call,
)
