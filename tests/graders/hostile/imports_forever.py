"""Not a grader: its import never ends."""

while True:
    pass


def grade(response, gold):
    return 1.0
