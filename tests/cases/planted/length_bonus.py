"""A wrong answer earns the more the longer it is, as judges that like to read do."""

import careful_integers


def grade(response, gold):
    return max(careful_integers.grade(response, gold), min(0.9, len(response) / 1000))
