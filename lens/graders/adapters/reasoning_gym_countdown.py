"""reasoning-gym's countdown scorer: an arithmetic expression over given numbers that must reach a target."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    task = object.__new__(grader.CountdownDataset)
    return task.score_answer(response, {"metadata": {"numbers": gold["numbers"], "target": gold["target"]}})


ADAPTER = Adapter(
    slug="reasoning-gym-countdown",
    title="reasoning-gym countdown",
    judges="evaluates an arithmetic expression and pays in full when it uses the given numbers and reaches the target",
    spec="pypi:reasoning-gym==0.1.25/reasoning_gym.games.countdown",
    answer="countdown",
    licence="Apache-2.0",
    call=call,
    requires=("sympy==1.14.0", "mpmath==1.3.0", "numpy==2.4.6", "pyyaml==6.0.3"),
    published=True,
)
