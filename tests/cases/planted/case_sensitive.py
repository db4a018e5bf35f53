"""Words must be spelled in the gold's own letter case."""

import careful_words


def grade(response, gold):
    said = [text.strip(" \n\"'.*") for text in careful_words.tagged(response)]
    exactly = any(one.split() and one.split()[-1] in text for one in said for text in gold)
    return float(exactly and careful_words.grade(response, gold))
