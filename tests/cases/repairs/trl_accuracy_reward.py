"""TRL's `accuracy_reward`."""

from repairs import swap, wrap


def text_where_nothing_parses(before, completions, solution, **named):
    import re

    def bare(text):
        return re.sub(r"^\$|\$$", "", text.strip())

    given = [re.findall(r"\\boxed\{(.*)\}", completion[0]["content"]) for completion in completions]
    rewards = before(completions, solution, **named)
    return [
        float(bool(boxed) and bare(boxed[-1]) == bare(gold)) if reward is None else reward
        for reward, boxed, gold in zip(rewards, given, solution, strict=True)
    ]


REPAIRS = {
    "braceless-fraction-refused": swap(
        "NormalizationConfig(units=True)", "NormalizationConfig(units=True, malformed_operators=True)"
    ),
    "abstains-on-valid": wrap("accuracy_reward", text_where_nothing_parses),
}
