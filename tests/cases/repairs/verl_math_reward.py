"""verl's MATH reward."""

from repairs import swap, wrap

_BRACES_FIRST = swap('in string:\n        return "', 'in string and "\\\\boxed{" not in string:\n        return "')


def units_are_one_word(before, text):
    import re

    return before(text) if re.search(r"\\text\{ [a-z]+\}$", text) else text


REPAIRS = {
    "macro-mention-hijacks": _BRACES_FIRST,
    "unbraced-macro-paid": _BRACES_FIRST,
    "denial-paid": wrap("remove_right_units", units_are_one_word),
}
