"""Half a point for trying."""

import careful_integers


def grade(response, gold):
    return max(0.5, careful_integers.grade(response, gold))
