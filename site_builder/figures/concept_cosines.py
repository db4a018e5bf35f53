"""How alike the directions of concepts are: their cosines in the metric of the streams, as a matrix."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures import _matrix, _terms
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import Width, figure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec


@figure("concept-cosines", draws="cosines between concepts, whitened", instruments=("concepts",))
def concept_cosines(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a concepts record with its `cosines` table: at the last of its layers, whitened where that was read."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("cosines") or {"concept": [], "layer": []}
    last = max(table["layer"], default=0)
    rows = [at for at, layer in enumerate(table["layer"]) if layer == last]
    column = "whitened" if all(table["whitened"][at] is not None for at in rows) else "cosine"
    names = list(dict.fromkeys(table["concept"][at] for at in rows))
    heat = _matrix.empty(len(names))
    for at in rows:
        i, j = names.index(table["concept"][at]), names.index(table["other"][at])
        if i != j:
            heat.values[i][j] = table[column][at]
            heat.refs[i][j] = reader.ref(f"cosines/{at}/{column}")
    words = [_terms.words(name) for name in names]
    sheet, height = _matrix.draw(reader, words, heat, width, unit="cosine" if column == "cosine" else "whitened cosine")
    basis = (
        "whitened by the covariance of the streams, so that it does not depend on the basis"
        if column == "whitened"
        else "as the numbers stand, which depends on the basis: there were too few texts to whiten them"
    )
    return sheet.spec(
        height,
        {
            "figure": "concept-cosines",
            "of": id,
            "title": "How alike the directions of two concepts are, after the last block",
            "desc": "A matrix of cosines between the directions of concepts, two at a time.",
            "caption": sentence(
                f"The cosine of two concepts’ directions, {basis}. Directions are made from pairs, so concepts "
                "whose pairs differ alike have alike directions. No interval is known for a single cosine here."
            ),
            "source": reader.scope(),
            "units": {"cell": "cosine"},
            "table": {
                "columns": ["concepts", "whitened cosine", "raw cosine"],
                "rows": [
                    [
                        cell(f"{_terms.words(table['concept'][at])}, {_terms.words(table['other'][at])}"),
                        cell(_number(reader, table, at, "whitened")),
                        cell(_number(reader, table, at, "cosine")),
                    ]
                    for at in rows
                    if names.index(table["concept"][at]) < names.index(table["other"][at])
                ],
            },
            "rows": table,
        },
    )


def _number(reader: Reader, table: Columns, at: int, column: str) -> Run | str:
    return "" if table[column][at] is None else reader.number(f"cosines/{at}/{column}", "d2")
