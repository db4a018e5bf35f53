"""math-verify: its parser sees text that we may mend, its comparison sees sympy expressions."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import swap, wrap


def upright_e(before, text, *given, **named):
    import re

    return before(re.sub(r"\\(?:mathrm|text)\{e\}", "e", text), *given, **named)


def quantified_as_text(before, text, *given, **named):
    """What the parser drops makes the expression another statement: only the text is left to compare."""
    found = before(text, *given, **named)
    dropped = "\\forall" in text or "\\exists" in text
    return [one for one in found if isinstance(one, str)] if dropped else found


def braces_after_a_root(before, text, *given, **named):
    import re

    return before(re.sub(r"\\sqrt\s*\(([^()]*)\)", r"\\sqrt{\1}", text), *given, **named)


def reciprocals_out_of_roots(before, one, other):
    """Over the reals sqrt(1/n) is 1/sqrt(n) wherever both are defined."""

    def inside(each):
        return each.is_Pow and each.exp == Rational(1, 2) and each.base.is_Pow and each.base.exp == -1

    sides = [safe_sympy_doit(side) for side in (one, other)]
    if all(isinstance(side, Basic) for side in sides):
        sides = [side.replace(inside, lambda each: each.base.base ** Rational(-1, 2)) for side in sides]
    return before(*sides)


def sets_on_either_side(before, gold, target, **named):
    return before(gold, target, allow_set_relation_comp=True, **named)


REPAIRS = {
    "tiny-number-paid": swap("chop=True", "chop=False", module="math_verify.grader"),
    "sign-beside-upright-e-paid": wrap("parse", upright_e),
    "quantifier-ignored": wrap("parse", quantified_as_text),
    "reciprocal-root-refused": wrap("sympy_symbolic_eq", reciprocals_out_of_roots, module="math_verify.grader"),
    "malformed-root-paid": wrap("parse", braces_after_a_root),
    "asymmetric": wrap("verify", sets_on_either_side),
}
