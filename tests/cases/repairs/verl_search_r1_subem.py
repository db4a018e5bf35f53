"""verl's Search-R1 substring match."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import wrap


def hardly_longer_than_a_reference(before, prediction, golden_answers):
    golds = [golden_answers] if isinstance(golden_answers, str) else golden_answers
    longest = len(normalize_answer(prediction).split()) - 2
    return before(prediction, [gold for gold in golds if len(normalize_answer(gold).split()) >= longest])


REPAIRS = {"guess-list-paid": wrap("subem_check", hardly_longer_than_a_reference)}
