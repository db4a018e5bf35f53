"""An answer with all the words of a gold is right, whatever other words it has."""

from careful_words import accepted, plain, tagged


def grade(response, gold):
    said = {plain(text) for text in tagged(response)}
    return float(len(said) == 1 and any(set(text.split()) <= set(said.copy().pop().split()) for text in accepted(gold)))
