"""verl's GSM8K scorer."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import swap, wrap


def or_boxed(before, solution_str, method="strict"):
    boxed = re.findall(r"\\boxed\{(-?[0-9.,]+)\}", solution_str)
    return before(solution_str, method) or (boxed[-1].replace(",", "") if boxed else None)


def or_in_a_sentence(before, solution_str, method="strict"):
    said = re.findall(r"[Tt]he answer is (-?\d[\d,]*(?:\.\d+)?)", solution_str)
    return before(solution_str, method) or (said[-1].replace(",", "") if said else None)


def without_trailing_zeros(before, solution_str, method="strict"):
    found = before(solution_str, method)
    return found and re.sub(r"\.0+$|(\.\d*[1-9])0+$", r"\1", found)


def grouped_in_threes(before, solution_str, method="strict"):
    marked = re.findall(r"#### (-?[0-9.,]+)", solution_str)
    well_formed = marked and re.fullmatch(r"-?(\d+|\d{1,3}(,\d{3})+)(\.\d*)?,?", marked[-1])
    return before(solution_str, method) if well_formed else None


def all_of_one_mind(before, solution_str, method="strict"):
    marked = {one.replace(",", "") for one in re.findall(r"#### (-?[0-9.,]+)", solution_str)}
    return before(solution_str, method) if len(marked) == 1 else None


REPAIRS = {
    "position-sensitive": swap("_CLIP_CHARS = 300", "_CLIP_CHARS = 1_000_000"),
    "boxed-refused": wrap("extract_solution", or_boxed),
    "prose-refused": wrap("extract_solution", or_in_a_sentence),
    "currency-sign-refused": swap('"#### (', '"#### \\\\$?('),
    "full-stop-refused": swap('.replace("$", "")', '.replace("$", "").rstrip(".")'),
    "trailing-zeros-refused": wrap("extract_solution", without_trailing_zeros),
    "malformed-grouping-paid": wrap("extract_solution", grouped_in_threes),
    "several-answers-paid": wrap("extract_solution", all_of_one_mind),
}
