"""lm-eval's box extraction."""

from repairs import swap, wrap


def either_macro(before, text):
    return before(text and text.replace("\\fbox{", "\\boxed{", 1))


REPAIRS = {
    "macro-mention-hijacks": swap(
        'in string:\n        return "', 'in string and "\\\\boxed{" not in string:\n        return "'
    ),
    "fbox-refused": wrap("remove_boxed", either_macro),
}
