"""verl's DAPO scorer."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import wrap


def units_agree(before, solution_str, gt, *given, **named):
    words = [word for word in REMOVED_EXPRESSIONS if word.isalpha()]
    answers = re.findall(r"(?i)Answer\s*:\s*([^\n]+)", solution_str)
    units = [{word for word in words if word in text} for text in (*answers[-1:], gt)]
    correct, prediction = before(solution_str, gt, *given, **named)
    return correct and (not all(units) or units[0] == units[-1]), prediction


REPAIRS = {"other-unit-paid": wrap("is_correct_minerva", units_agree)}
