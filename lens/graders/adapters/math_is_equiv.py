"""MATH `is_equiv`, the copy that lm-eval carries: two answers are normalised as text and compared."""

from lens.graders.adapter import Adapter

ADAPTER = Adapter(
    slug="math-is-equiv",
    title="MATH is_equiv",
    judges="takes two LaTeX answers and asks whether they are the same text once spaces, units and a few spellings "
    "are removed",
    spec="pypi:lm-eval==0.4.13/lm_eval.tasks.hendrycks_math.utils:is_equiv",
    answer="latex-bare",
    licence="MIT",
    corpora=("math500",),
    published=True,
)
