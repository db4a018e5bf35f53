"""Relative links: the site works from disk, at a domain's root and under a sub-path.

A page's path is its folder, "" for the home page: `graders/toy/` lies in `graders/toy/index.html`, and links
name the file, since nothing on a disk turns a folder into a page.
"""

from __future__ import annotations


def root(path: str) -> str:
    """From the page at `path` back to the site's root: "", "../", "../../"."""
    return "../" * path.count("/")


def to_page(path: str, fragment: str = "") -> str:
    """A page's file, from the root."""
    return f"{path}index.html" + (f"#{fragment}" if fragment else "")


def evidence(id_: str) -> str:
    """The permalink page of a record."""
    return f"evidence/{id_}/"


def record_json(id_: str) -> str:
    """The record itself, from the root."""
    return f"data/{id_}.json"


def table_parquet(id_: str, table: str) -> str:
    return f"data/{id_}.{table}.parquet"


def table_csv(id_: str, table: str) -> str:
    return f"data/{id_}.{table}.csv"


def fields_csv(id_: str) -> str:
    """The record's fields, one a line."""
    return f"data/{id_}.csv"


ALL_FIELDS = "data/fields.csv"  # of every record


def figures(id_: str) -> str:
    """The page where the figures drawn from a record are drawn by plotly."""
    return f"figures/{id_}/"


def figure_table(slug: str) -> str:
    """The page of a figure's table, where it is too long to stand under the figure."""
    return f"figures/{slug}/table/"


def anchor(field: str) -> str:
    """The place of one field on its record's page; a cell of a table has that of its table's files."""
    return f"t.{field.partition('/')[0]}" if "/" in field else f"f.{field}"
