"""MATH `is_equiv`."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import swap, wrap


def either_percent(before, text):
    return before(text if "\\%" in text else text.replace("%", "\\%"))


def in_any_order(before, one, other, *given):
    def parts(text):
        plain = text is not None and "," in text and not set("()[]") & set(text)
        return sorted(strip_string(part) for part in text.split(",")) if plain else None

    return before(one, other, *given) or (parts(one) is not None and parts(one) == parts(other))


def names_agree(before, one, other, *given):
    import re

    names = {found[1] for text in (one, other) if text and (found := re.match(r"\s*([A-Za-z])\s*=", text))}
    return len(names) < 2 and before(one, other, *given)


def money_is_no_percentage(before, one, other, *given):
    both = {one, other} - {None}
    mixed = any("\\$" in text for text in both) and any("\\%" in text for text in both)
    return not mixed and before(one, other, *given)


REPAIRS = {
    "percent-spelling-refused": wrap("strip_string", either_percent),
    "set-order-refused": wrap("is_equiv", in_any_order),
    "other-name-paid": wrap("is_equiv", names_agree),
    "currency-for-percent-paid": wrap("is_equiv", money_is_no_percentage),
    "null-paid": swap('Both None")\n        return True', 'Both None")\n        return False'),
}
