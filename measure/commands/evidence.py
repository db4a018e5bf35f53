"""Look into the evidence store: list, show, find, verify, compare, and say what is stale.

An id is `<kind>/<subject>/<instrument>[~<variant>]`; one field of it is `<id>#<field>`. Where an id is taken, so is the
content digest of any record, superseded ones too, or its first eight characters and more.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from measure.store import Record, Store

_data = click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The store's folder."
)


@click.group()
def command() -> None:
    """Look into the evidence store: list, show, find, verify, compare, and say what is stale.

    Exit codes: 0 clean, 1 findings (a conflict, a difference, a number nothing holds), 2 usage, 3 the store is damaged.
    """


@command.command("ls")
@click.option("--kind", default="", help="Only subjects of this kind: graders, models, runs, project.")
@click.option("--subject", default="", help="Only this subject.")
@_data
def ls(kind: str, subject: str, data: Path) -> None:
    """List live records: id, headline, trust."""
    store = _open(data)
    rows = [
        (id, _headline(store.record(id)), store.trust(id).level)
        for id, line in ((line.id, line) for line in store.manifest())
        if kind in ("", line.parts.kind) and subject in ("", line.parts.slug)
    ]
    if not rows and (kind or subject):
        _none_of(store, kind, subject)
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
    for id, headline, trust in rows:
        click.echo(f"{id:<{widths[0]}}  {headline:<{min(widths[1], 72)}}  {trust}")


@command.command()
@click.argument("id")
@click.option("--json", "as_json", is_flag=True, help="The record as JSON, with digests, trust and staleness.")
@_data
def show(id: str, as_json: bool, data: Path) -> None:
    """Show one record, or one field of it (ID#FIELD)."""
    from measure.fingerprint import fingerprints
    from measure.store.show import as_plain, lines

    store = _open(data)
    name, _, field = id.partition("#")
    record = _record(store, name)
    if field and field not in record.fields:
        import difflib

        from lens.errors import UsageError

        near = difflib.get_close_matches(field, record.fields, n=3, cutoff=0.4) or list(record.fields)
        raise UsageError(
            f"{name} has no field {field}: nearest are {', '.join(near)}", remedy=f"lens evidence show {name}"
        )
    if as_json:
        import msgspec

        plain = as_plain(store, record, field, fingerprints(store))
        click.echo(msgspec.json.format(msgspec.json.encode(plain, order="sorted"), indent=2))
        return
    for line in lines(store, record, field, fingerprints(store)):
        click.echo(line)


@command.command(context_settings={"ignore_unknown_options": True})
@click.argument("number")
@_data
def find(number: str, data: Path) -> None:
    """Name every field that holds NUMBER, at the precision it is printed with.

    0.684 stands for 0.6835 to 0.6845, 35.6% for a proportion, 374 for a count of exactly 374. Exit code 1 where
    no record holds it.
    """
    from measure.store.find import find as find_in

    store = _open(data)
    hits = find_in(number, (store.record(id) for id in store.ids()))
    for hit in hits:
        click.echo(f"{hit.id}#{hit.field}  {hit.part}  {hit.text}")
    if not hits:
        click.echo(f"no record holds {number}", err=True)
        raise SystemExit(1)


@command.command()
@_data
def verify(data: Path) -> None:
    """Check every digest, the manifest against every record, and conflicts.

    Exit codes: 0 all as written, 1 two live values of one quantity, 3 something isn't as it was written.
    """
    store = _open(data)
    findings = store.verify()
    for finding in findings:
        click.echo(f"{data}/{finding}")
    if findings:
        click.echo(f"damaged: {len(findings)} of the store's files are not as they were written", err=True)
        click.echo(f"  try: git log -p -- {data}, then git checkout of what was committed", err=True)
        raise SystemExit(3)
    conflicts = store.conflicts()
    for conflict in conflicts:
        click.echo(f"conflict: {conflict}")
    if conflicts:
        click.echo("  try: measure one again with a `supersedes` or a `differs` note", err=True)
        raise SystemExit(1)
    live = store.manifest()
    past = sum(len(store.history(line.id)) - 1 for line in live)
    tables = sum(len(line.tables) for line in live)
    click.echo(f"as written: {len(live)} live records, {tables} tables, {past} superseded")


@command.command()
@_data
def stale(data: Path) -> None:
    """List records whose subject, inputs or instrument changed since they were measured, and why.

    What isn't on this machine can't be compared; how many such records there are is said, and is no finding.
    Exit codes: 0 none is stale, 1 some are.
    """
    from measure.fingerprint import fingerprints

    store = _open(data)
    fingerprint = fingerprints(store)
    judged = {id: store.staleness(id, fingerprint) for id in store.ids()}
    changed = {id: found.why for id, found in judged.items() if found.state == "stale"}
    for id, why in changed.items():
        click.echo(f"{id}: {'; '.join(why)}")
    unseen = sum(found.state == "not-checkable" for found in judged.values())
    click.echo(f"{len(changed)} of {len(judged)} records are stale; {unseen} were made from what isn't on this machine")
    if changed:
        click.echo("  try: lens measure --stale", err=True)
        raise SystemExit(1)


@command.command()
@click.argument("a")
@click.argument("b")
@_data
def diff(a: str, b: str, data: Path) -> None:
    """Compare two records, by id or digest, at full precision."""
    from measure.store.diff import diff as changes

    store = _open(data)
    found = changes(_record(store, a).evidence, _record(store, b).evidence)
    for change in found:
        click.echo(change.path)
        click.echo(f"  - {change.old or '(nothing)'}")
        click.echo(f"  + {change.new or '(nothing)'}")
    if found:
        raise SystemExit(1)


@command.command()
@click.argument("id")
@_data
def history(id: str, data: Path) -> None:
    """Every reading an id has had, newest first, with the fields that changed."""
    store = _open(data)
    chain = store.history(id)
    for number in reversed(range(len(chain))):
        line, before = chain[number], chain[number - 1] if number else None
        made = store.superseded(line.digest).made
        click.echo(f"{line.digest[:16]}  {made.time}  {'live' if number == len(chain) - 1 else 'superseded'}")
        old: dict[str, str] = before.fields if before else {}
        for name in sorted(line.fields.keys() | old.keys()):
            was, now = old.get(name), line.fields.get(name)
            if before and was != now:
                click.echo(f"    {name}: {_or_declined(was)} -> {_or_declined(now)}")


def _open(data: Path) -> Store:
    from lens.errors import UsageError
    from measure.store import Store

    if not data.is_dir():
        raise UsageError(f"no folder {data}", remedy="name the store's folder with --data, or measure something first")
    return Store.open(data)


def _record(store: Store, name: str) -> Record:
    return store.record(name) if "/" in name else store.superseded(name)


def _headline(record: Record) -> str:
    """The headline field without its interval, or why there is none, in at most 72 characters."""
    from measure.store.text import said, shown

    name = getattr(record.evidence.reading, "headline", "") or next(iter(record.fields))
    field = record.fields[name]
    words = said(field) or shown(field)
    words = words if name == "declined" else f"{name}: {words}"
    return words if len(words) <= 72 else words[:71] + "…"


def _none_of(store: Store, kind: str, subject: str) -> None:
    import difflib

    from lens.errors import UsageError

    there = sorted({line.parts.subject for line in store.manifest()})
    near = difflib.get_close_matches(f"{kind or 'graders'}/{subject}", there, n=3, cutoff=0.7) or there[:5]
    raise UsageError(
        f"no evidence of {kind or 'any kind'}/{subject or 'any subject'}: there is {', '.join(near) or 'none'}",
        remedy="lens evidence ls",
    )


def _or_declined(words: str | None) -> str:
    return "(not there)" if words is None else words or "declined"
