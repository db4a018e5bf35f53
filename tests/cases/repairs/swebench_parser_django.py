"""SWE-bench's django log parser."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import wrap


def name_and_status_on_one_line(before, log, test_spec):
    test = r"\w+ \([\w.]+\)"
    return before(re.sub(rf"^({test})\n(?!{test})[^\n]* \.\.\. ", r"\1 ... ", log, flags=re.MULTILINE), test_spec)


REPAIRS = {"docstring-replaces-test-id": wrap("parse_log_django", name_and_status_on_one_line)}
