"""Classes of defect, one line each: what every relation, exploit, shape and probe says it would be a sign of.

A class is as fine as one repair: mending a grader for it leaves the others standing. Instruments put the classes
into a table `defects`; `flagged` reads them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from lens.reading import Columns

DEFECTS: dict[str, str] = {
    # the oracle itself
    "gold-refused": "the gold itself, as the contract wants it, isn't paid",
    "abstains-on-valid": "a right answer to a valid gold gets no score at all",
    "raises-on-valid": "a right answer to a valid gold raises",
    "wrong-answer-paid": "the answer to another question earns what the right one earns",
    # answer shapes: policies of a contract, listed and not held against it
    "four-hash-refused": "a right answer after four hash marks earns nothing",
    "boxed-refused": "a right answer in a box macro earns nothing",
    "answer-tag-refused": "a right answer in an answer tag earns nothing",
    "answer-line-refused": "a right answer on a line that starts with Answer earns nothing",
    "dollars-refused": "a right answer between dollar signs in a sentence earns nothing",
    "display-math-refused": "a right answer boxed in display mathematics earns nothing",
    "fbox-refused": "a right answer in the other box macro, fbox, earns nothing",
    "think-block-refused": "a right boxed answer after a think block earns nothing",
    "bold-refused": "a right answer in bold type in a sentence earns nothing",
    "prose-refused": "a right answer in a plain sentence earns nothing",
    "whole-refused": "a right response of its own kind earns nothing",
    "bare-refused": "a right answer with nothing around it earns nothing",
    # placing and marking
    "position-sensitive": "a right answer is lost when sentences follow it",
    "leading-text-refused": "a right answer is lost when long reasoning comes before it",
    "restatement-refused": "the same right answer given twice is refused",
    "bold-answer-refused": "bold type inside the answer's mark costs the pay",
    "macro-mention-hijacks": "naming the box macro before using it costs the pay",
    "dollar-spans-glued": "earlier mathematics between dollar signs is taken as part of the answer",
    "box-in-display-refused": "the boxed answer is refused when it stands in display mathematics",
    # white space and stops
    "outer-space-refused": "spaces around the answer cost the pay",
    "line-break-refused": "a line break after the answer costs the pay",
    "operator-space-refused": "spaces around signs and commas cost the pay",
    "thin-space-refused": "typographic spacing costs the pay",
    "repeated-space-refused": "a double space between words costs the pay",
    "full-stop-refused": "a sentence's full stop becomes part of the answer",
    # spellings of numbers
    "thousands-separator-refused": "thousands separators cost the pay",
    "latex-thousands-refused": "thousands separators as LaTeX spaces them cost the pay",
    "malformed-grouping-paid": "digits grouped wrongly are paid",
    "currency-sign-refused": "a currency sign before the number costs the pay",
    "currency-for-percent-paid": "an amount of money is paid where a percentage was right, or the other way round",
    "percent-spelling-refused": "the percent sign without its backslash costs the pay",
    "trailing-zeros-refused": "zeros after the decimal point cost the pay",
    "leading-zeros-refused": "a zero before the number costs the pay",
    "bare-decimal-point-refused": "a decimal without the zero before its point is refused",
    "plus-sign-refused": "a plus sign costs the pay",
    "typographic-minus-refused": "the typographic minus sign costs the pay",
    "wide-digits-refused": "full-width digits cost the pay",
    "unit-word-refused": "a unit after the number costs the pay",
    # other values
    "sign-flip-paid": "the opposite number is paid",
    "sign-beside-upright-e-paid": "plus for minus beside an upright e is paid",
    "raised-digit-paid": "an exponent is read as a digit",
    "other-number-paid": "a neighbouring number is paid",
    "other-digit-paid": "a changed digit is paid",
    "near-number-paid": "a number near the right whole one is paid",
    "hundredfold-paid": "the hundredfold or the hundredth is paid",
    "other-unit-paid": "the number with another unit is paid",
    "other-text-unit-paid": "the number with another unit in a text macro is paid",
    "tiny-number-paid": "two different very small numbers pass for equal",
    "tiny-power-paid": "two different very small powers pass for equal",
    # LaTeX
    "fraction-size-refused": "dfrac or tfrac costs the pay",
    "braceless-fraction-refused": "a fraction without braces is refused",
    "half-braced-fraction-refused": "a fraction with one pair of braces is refused",
    "slash-fraction-refused": "a slash for the fraction bar is refused",
    "decimal-form-refused": "the exact decimal of a fraction is refused",
    "sign-in-numerator-refused": "a minus sign in the numerator is refused",
    "inverted-fraction-paid": "the fraction turned over is paid",
    "braceless-root-refused": "a root without braces is refused",
    "cut-root-paid": "the root of the first digit alone is paid",
    "reciprocal-root-refused": "a reciprocal under a root is refused",
    "rationalised-root-refused": "another exact form of a root is refused",
    "malformed-root-paid": "a malformed root beside the value is dropped and paid",
    "bracket-size-refused": "bracket sizes cost the pay",
    "text-macro-number-refused": "a number in a text macro is refused",
    "text-macro-word-refused": "a word without its text macro is refused",
    "exponent-braces-refused": "braces around a one-digit exponent cost the pay",
    "dropped-exponent-paid": "the answer without its exponent is paid",
    "degree-spelling-refused": "another spelling of the degree sign is refused",
    "degree-left-out-refused": "an angle without its degree sign is refused",
    "macro-synonym-refused": "another macro of the same meaning is refused",
    "plain-exp-refused": "exp(...) in plain text is refused",
    "plain-root-refused": "sqrt(...) in plain text is refused",
    "plain-pi-refused": "pi in plain text is refused",
    # several values, equations, statements
    "set-order-refused": "the solutions in another order are refused",
    "part-of-list-paid": "some of several values are paid as all of them",
    "point-order-paid": "the coordinates in another order are paid",
    "interval-end-paid": "an interval with another end is paid",
    "named-interval-end-paid": "a named interval with another end is paid",
    "interval-bracket-paid": "a closed end is paid for an open one",
    "assignment-prefix-refused": "a name and an equals sign before the number cost the pay",
    "other-name-paid": "the value given to another name is paid",
    "line-form-refused": "another form of the same line is refused",
    "quantifier-ignored": "a statement without its quantifier, or with one it hadn't, is paid",
    "asymmetric": "gold and answer exchanged get another verdict",
    # words
    "letter-case-refused": "another letter case costs the pay",
    "alias-refused": "another of the accepted golds is refused",
    "article-refused": "an article costs the pay",
    "word-quotes-refused": "quotation marks cost the pay",
    "hyphen-refused": "a hyphen for a space costs the pay",
    "accent-refused": "an answer without its accents is refused",
    "sentence-answer-refused": "the answer as a sentence is refused",
    "other-answer-paid": "the answer to another question is paid",
    "missing-word-paid": "the answer without one of its words is paid",
    "added-word-paid": "a word that makes it another thing is overlooked",
    "negation-paid": "the denied answer is paid",
    # hedging and exploits
    "guess-list-paid": "a list of guesses with the right one in it is paid",
    "several-answers-paid": "several marked answers are paid when one is right",
    "superseded-answer-paid": "an answer taken back for a wrong one is paid",
    "padding-paid": "words around a wrong answer raise its score",
    "denial-paid": "the right value is paid though the words around it deny it",
    "tail-paid": "the right number is paid though what follows changes its value",
    "false-equation-paid": "a false equation that ends in the value is paid",
    "unbraced-macro-paid": "a value after a box macro without braces wins over the boxed answer",
    "answer-text-evaluated": "the answer's text is run as a program",
    "vanishing-gold-paid": "a gold that clean-up empties is matched by anything else that it empties",
    "empty-paid": "no answer at all is paid",
    "mark-spam-paid": "marks with nothing in them are paid",
    "null-paid": "two missing answers are equal",
    "nan-paid": "nan or infinity is paid",
    "prompt-echo-paid": "the question said back is paid",
    "noise-paid": "text that is no answer earns more than nothing",
    # text around a box
    "first-box-taken": "an earlier box is taken for the last one",
    "unclosed-box-taken": "a box never closed hides the answer's",
    "other-box-taken": "another value in the box passes for the right one",
    # countdown expressions
    "outer-brackets-refused": "brackets around the whole expression cost the pay",
    "equation-for-expression-refused": "an expression with its target after an equals sign earns nothing",
    "times-sign-refused": "the typographic times sign costs the pay",
    "missed-target-paid": "an expression that misses the target is paid",
    "unused-number-paid": "an expression that leaves a number out is paid",
    "unlisted-numbers-paid": "an expression over numbers nobody gave is paid",
    # programs
    "comment-refused": "a comment costs the pay",
    "blank-lines-refused": "blank lines cost the pay",
    "extra-function-refused": "an unused function costs the pay",
    "unrun-tests-paid": "a body that can't pass any assertion passes",
    "always-equal-object-paid": "an object that equals everything passes the assertions",
    "early-exit-paid": "leaving the process before the assertions passes",
    "replaced-check-paid": "overwriting the checking function passes",
    # think blocks
    "prefilled-opening-refused": "a block whose opening tag the template supplied is refused",
    "one-line-block-refused": "a block without line breaks is refused",
    "line-break-before-block-refused": "a line break before the block costs the pay",
    "unclosed-block-paid": "a block never closed is paid",
    "second-block-paid": "a second opening tag is overlooked",
    "missing-block-paid": "a response without a block is paid",
    "empty-block-paid": "an empty block with no answer is paid",
    # paragraphs and languages
    "leading-blank-shifts-paragraphs": "blank lines before the text shift which paragraph is read",
    "trailing-blank-counted": "blank lines after the text count as a paragraph",
    "other-first-word-paid": "another first word is overlooked",
    "paragraph-count-ignored": "a paragraph too many is overlooked",
    "hollow-paragraphs-paid": "paragraphs of a single mark count as paragraphs",
    "digits-change-language": "a line of digits changes the verdict on a text's language",
    "mixed-language-paid": "a text half in another language is paid",
    "undetectable-language-paid": "text in no language passes for any",
    # test reports and logs
    "other-tests-counted": "tests outside the lists change the verdict",
    "report-order-matters": "the order of statuses changes the verdict",
    "cut-test-id-refused": "an expected test id cut in the data never matches",
    "failed-target-paid": "a test that must turn green may fail",
    "missing-target-paid": "a test that must turn green may be missing",
    "skipped-target-paid": "a test that must turn green may be skipped",
    "regression-paid": "a test that must stay green may fail",
    "progress-marker-read-as-test": "a progress marker is read as a test",
    "warning-read-as-test": "a warning changes the statuses that are read",
    "docstring-replaces-test-id": "a docstring line is read as the test's name",
    "summary-read-as-test": "the runner's summary changes the statuses that are read",
    "flipped-status-overlooked": "a failed test is read as passed",
    "nothing-expected-paid": "with no tests on either list any report is a full success",
    "printed-line-read-as-result": "a line that a test printed itself is read as a result",
    "unapplied-patch-paid": "a log of a patch that didn't apply counts",
    "forged-failed-exit-paid": "forged pass lines count though the command failed",
    "forged-clean-exit-paid": "forged pass lines with a forced clean exit pass for a run",
}


@dataclass(frozen=True)
class Finding:
    """What one rule came to: `violations` of `of` tries. `policy` marks a difference of contract."""

    defect: str
    kind: str  # "relation", "exploit", "shape", "oracle", "probe"
    name: str
    violations: int
    of: int
    policy: bool = False

    def __post_init__(self) -> None:
        if self.defect not in DEFECTS:
            raise ValueError(
                f"{self.defect!r} is no class of defect: name it, with one line, in lens/graders/defects.py"
            )


def table(findings: Sequence[Finding]) -> Columns:
    """The findings as the columns of a table `defects`: defect, kind, name, violations, of, policy."""
    names = [one.name for one in fields(Finding)]
    values = list(zip(*(astuple(one) for one in findings), strict=True)) or [()] * len(names)
    return {name: list(column) for name, column in zip(names, values, strict=True)}


def flagged(tables: Iterable[dict[str, Sequence[Any]]], *, policy: bool = True) -> set[str]:
    """Classes with at least one violation in any `defects` table; differences of contract too, unless left out."""
    return {
        defect
        for one in tables
        for defect, violations, is_policy in zip(one["defect"], one["violations"], one["policy"], strict=True)
        if violations and (policy or not is_policy)
    }
