"""The ledger's sentences: the words of a block, its stamps kept, whichever way they were read."""

from __future__ import annotations

import pytest

from site_builder.sentences import sentences

STAMP = '<data value="5" data-ev="graders/a/b#c|count">5 of 9</data>'
BUTTON = f'<button type="button" class="n" popovertarget="n1">{STAMP}</button>'


@pytest.mark.parametrize(
    ("html", "sentence"),
    [
        (f'<p class="x">It pays {BUTTON}, <b>so</b> far.</p>', f"It pays {STAMP}, so far."),
        (f"<tr><th>gold</th><td>{BUTTON}</td><td></td></tr>", f"gold · {STAMP}"),
        (f'<p>By <span data-said="a@b">it</span> and <i class="y">us</i>: {BUTTON}</p>', None),
        (f"<li>one<br>two {BUTTON}</li>", f"one, two {STAMP}"),
        (f'<p><a href="x.html"><code>id</code></a> &amp; {BUTTON}</p>', f"<code>id</code> &amp; {STAMP}"),
    ],
)
def test_sentence(html: str, sentence: str | None) -> None:
    wanted = sentence or f'By <span data-said="a@b">it</span> and us: {STAMP}'
    assert sentences(f"<table>{html}</table>" if html.startswith("<tr") else html) == [
        (wanted, ["graders/a/b#c|count"])
    ]


def test_no_number_is_missed_where_blocks_nest() -> None:
    html = f"<ul><li>outer <ul><li>inner {BUTTON}</li></ul> after {BUTTON}</li></ul>"
    assert sum(len(refs) for _, refs in sentences(html)) == 2
    assert sum(len(refs) for _, refs in sentences(f"<section>{BUTTON}</section>")) == 1
