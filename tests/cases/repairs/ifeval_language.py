"""IFEval's language check."""

# ruff: noqa: F821 (functions that a repair puts into the grader's module see its names)

from repairs import wrap


def detected_at_all(before, self, text):
    try:
        langdetect.detect(text)
    except langdetect.LangDetectException:
        return False
    return before(self, text)


REPAIRS = {"undetectable-language-paid": wrap("ResponseLanguageChecker.check_following", detected_at_all)}
