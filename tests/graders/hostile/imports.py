"""Not a grader: its import ends the process, as a script without a main guard does."""

import os

os._exit(7)


def grade(response, gold):
    return 1.0
