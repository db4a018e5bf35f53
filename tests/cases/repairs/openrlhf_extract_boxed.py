"""OpenRLHF's box extraction."""

from repairs import wrap


def either_macro(before, text):
    return before(text.replace("\\fbox{", "\\boxed{", 1))


REPAIRS = {"fbox-refused": wrap("remove_boxed", either_macro)}
