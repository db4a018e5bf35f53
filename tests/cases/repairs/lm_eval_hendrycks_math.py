"""lm-eval's MATH task scorer."""

from repairs import swap, wrap


def display_before_dollars(before, doc, results):
    import re

    shown = re.findall(r"\\\[(.*?)\\\]", results[0], re.DOTALL)
    if shown:
        boxed = re.fullmatch(r"\s*\\boxed\{(.*)\}\s*", shown[-1], re.DOTALL)
        results = [f"${boxed[1] if boxed else shown[-1].strip()}$"]
    return before(doc, results)


REPAIRS = {
    "display-math-refused": wrap("process_results", display_before_dollars),
    "dollar-spans-glued": swap("indices[0] + 1", "indices[-2] + 1", brings={"several-answers-paid"}),
}
