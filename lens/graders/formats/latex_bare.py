"""Two bare LaTeX answers side by side: graders that compare answers and leave extraction to somebody else."""

from dataclasses import replace

from lens.graders.formats.latex import FORMAT as LATEX

FORMAT = replace(
    LATEX,
    name="latex-bare",
    title="two bare LaTeX answers",
    traits=frozenset({"number", "latex", "bare"}),
    shapes=("bare",),
    dresses=(),
)
