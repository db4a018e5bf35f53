"""Whichever of several answer tags is right counts."""

from careful_words import accepted, plain, tagged


def grade(response, gold):
    return float(bool({plain(text) for text in tagged(response)} & accepted(gold)))
