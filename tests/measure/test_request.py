"""Requests: the command that asks again, the variant a reading goes to, and that nothing published is overwritten."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from lens.reading import Evidence, Input, Label, Measured, Subject
from measure.auditing import variant_of
from measure.commands.grader import command
from measure.opening import _holds_published
from measure.request import Request
from measure.store import Made, Store

REQUESTS = [
    Request("verl-gsm8k"),
    Request("my grader.py:reward", ("golds 1.jsonl", "gsm8k"), record="run.jsonl", disclose=True),
    Request("math-is-equiv", access="log", budget=12.5, seed=7),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.subject)
def test_the_command_of_a_request_asks_for_the_same(request_: Request) -> None:
    words = shlex.split(request_.command())
    assert words[:3] == ["lens", "measure", "grader"]
    parsed = command.make_context("grader", words[3:]).params
    assert (
        Request(
            parsed["subject"],
            parsed["corpora"],
            parsed["access"],
            str(parsed["record"] or ""),
            parsed["disclose"],
            parsed["budget"],
            parsed["seed"],
            parsed["instruments"],
        )
        == request_
    )


@pytest.mark.parametrize(
    ("corpora", "published", "held", "variant"),
    [
        ((), (), False, ""),
        ((), ("gsm8k",), False, ""),
        ((), ("gsm8k",), True, "embedded"),
        (("gsm8k",), ("gsm8k", "gsm8k-solutions"), True, ""),
        (("gsm8k", "gsm8k-solutions"), ("gsm8k", "gsm8k-solutions"), False, ""),
        (("runs/My Rollouts.jsonl.gz",), ("gsm8k",), False, "my-rollouts"),
        (("math500",), ("gsm8k",), False, "math500"),
        (("gsm8k", "extra.jsonl"), ("gsm8k",), False, "gsm8k-extra"),
    ],
)
def test_the_unvaried_reading_is_the_published_or_the_embedded_one(
    corpora: tuple[str, ...], published: tuple[str, ...], held: bool, variant: str
) -> None:
    assert variant_of(corpora, published, held) == variant


@pytest.mark.parametrize(
    ("locator", "variant", "held"),
    [
        ("derived from shared:graders/gsm8k_test.jsonl sha256:" + "0" * 64, "", True),
        ("derived from package:corpora/integer.jsonl sha256:" + "0" * 64, "", False),
        ("shared:graders/gsm8k_test.jsonl", "other", False),
    ],
)
def test_a_published_reading_is_known_by_where_its_rows_come_from(
    tmp_path: Path, locator: str, variant: str, held: bool
) -> None:
    store = Store.open(tmp_path)
    reading = Measured({"shape": Label("a last line")}, "shape", "a test")
    subject = Subject("graders", "verl-gsm8k", "verl GSM8K", "f" * 64)
    evidence = Evidence(
        "contract", 1, subject, reading, variant=variant, varied={"corpus": variant} if variant else {},
        inputs=(Input("corpus", "gold", "0" * 64, locator),),
    )  # fmt: skip
    store.write([(evidence, {}, Made("2026-01-01T00:00:00Z"))])
    assert _holds_published(Store.open(tmp_path), "verl-gsm8k") is held
    assert _holds_published(Store.open(tmp_path), "verl-gsm8k-flexible") is False
