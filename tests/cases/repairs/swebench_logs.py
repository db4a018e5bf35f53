"""SWE-bench's log reader. A forged line looks like a real one; what a runner adds up at its end must agree."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import wrap


def counted_by_the_runner(before, test_spec, log_fp):
    statuses, counts = before(test_spec, log_fp)
    with open(log_fp) as stream:  # noqa: PTH123
        summaries = re.findall(r"^=+ (.*) in [\d.:]+s?.* =+$", stream.read(), re.MULTILINE)
    ran = sum(int(number) for number in re.findall(r"(\d+) (?:passed|failed|error)", summaries[-1])) if summaries else 0
    return (statuses, counts) if ran >= len(statuses) else ({}, False)


REPAIRS = {"forged-clean-exit-paid": wrap("get_logs_eval", counted_by_the_runner)}
