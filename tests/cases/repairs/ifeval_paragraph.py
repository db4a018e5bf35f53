"""IFEval's paragraph check."""

from repairs import wrap


def without_blank_paragraphs(before, self, text):
    return before(self, "\n\n".join(part for part in text.split("\n\n") if part.strip()))


REPAIRS = {"leading-blank-shifts-paragraphs": wrap("ParagraphFirstWordCheck.check_following", without_blank_paragraphs)}
