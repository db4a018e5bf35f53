"""verl's GSM8K scorer in its lenient mode."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import wrap


def without_separators(before, solution_str, method="strict"):
    found = before(solution_str, method)
    return found and re.sub(r"(?<=\d),(?=\d{3}(\D|$))", "", found)


REPAIRS = {"thousands-separator-refused": wrap("extract_solution", without_separators)}
