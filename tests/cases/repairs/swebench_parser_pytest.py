"""SWE-bench's pytest log parser."""

from repairs import wrap


def tests_have_names(before, log, test_spec):
    return {test: status for test, status in before(log, test_spec).items() if not test.startswith("[")}


REPAIRS = {"progress-marker-read-as-test": wrap("parse_log_pytest", tests_have_names)}
