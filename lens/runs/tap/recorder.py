"""The tap for any trainer: wrap its reward functions, hand over each step, and a record grows."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from lens.canonical import digest, file_digest
from lens.errors import UsageError
from lens.runs.columns import LEAF
from lens.runs.gather import text
from lens.runs.header import Header
from lens.runs.record import KINDS, open_folder
from lens.runs.settings import Settings
from lens.runs.tap import folder as lying
from lens.runs.tap.rewards import heard, name_of, plain
from lens.runs.writer import TEXTS, Writer

F = TypeVar("F", bound=Callable[..., Any])
ROWS = 8192  # rollouts held before a part is written
SECONDS = 60.0  # that a rollout may wait for it


class Tap:
    """Records one run in a folder of its own.

    tap = Tap("runs/mine", settings=Settings(algorithm="grpo", scale="group", ddof=1, epsilon=1e-4, weights={...}))
    correct = tap.reward(correct)                       # its scores are the leaf `correct` of the next step
    ...
    tap.step(7, group=prompt_ids, reward=totals, advantage=advantages, completion_text=responses)
    tap.log(7, {"grad_norm": 0.4, "kl": 0.01})
    tap.close()

    `resume_at` is the last step to keep, where the run goes on in a folder that holds one: what lies behind it is set
    aside, and the record says so. Raises UsageError for a folder that holds a record, without it.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        settings: Settings | None = None,
        config: Mapping[str, Any] | None = None,
        trainer: str = "",
        resume_at: int | None = None,
    ) -> None:
        self.folder = Path(folder)
        self._writer = Writer(self.folder, self.folder)
        self._heard: dict[str, list[float | None]] = {}
        self._columns: frozenset[str] = frozenset()
        self._digests: dict[Path, str] = {}
        self._last: int | None = None
        self._begin(resume_at)
        writer = self._writer
        writer.settings = settings or writer.settings
        writer.config, writer.trainer = dict(config or writer.config), trainer or writer.trainer
        self._write_header()
        self._waiting, self._since = 0, time.monotonic()

    def __enter__(self) -> Tap:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reward(self, function: F, name: str = "") -> F:
        """The function, whose scores become a leaf of the step that is handed over next.

        Scores of several calls before a step follow each other, as its rollouts must. Raises UsageError for a second
        function of one name.
        """
        name = name or name_of(function)
        if name in self._heard:
            raise UsageError(f"two reward functions are called {name}", remedy="tap.reward(function, name=...)")
        self._heard[name] = []
        return heard(function, self._heard[name].extend)

    def step(self, step: int, *, group: Sequence[Any], **columns: Any) -> None:
        """Rollouts that optimizer step `step` trains on, or is the first to; a column of `lens.runs.columns` each.

        `group` names the prompt of each; `prompt_text` and `completion_text` may be messages; `scores` is a mapping
        of leaf and scores, beside those heard from wrapped functions. Arrays and tensors will do. Raises UsageError
        for columns of unequal length, unknown ones, scores that are not one a rollout, and a step that goes back.
        """
        if self._last is not None and step < self._last:
            raise UsageError(
                f"step {step} comes after step {self._last}",
                remedy="open the tap with resume_at=STEP where a run goes on from a checkpoint",
            )
        leaves = {
            **(columns.pop("scores", None) or {}),
            **{name: [*held] for name, held in self._heard.items() if held},
        }
        for name in self._heard:
            self._heard[name].clear()
        given = {name: plain(value) for name, value in columns.items() if value is not None}
        given |= {name: [one if one is None else text(one) for one in given[name]] for name in TEXTS if name in given}
        given |= {LEAF + name: plain(scores) for name, scores in leaves.items()}
        names = frozenset(given)
        if self._columns and names != self._columns:
            self.flush()  # a part has one set of columns, so that what a rollout lacks is known from the part
        self._writer.rollouts(self.folder / "live", {"step": step, "group": plain(group), **given})
        self._columns, self._last = names, step
        self._waiting += len(group)
        if self._waiting >= ROWS or time.monotonic() - self._since >= SECONDS:
            self.flush()

    def log(self, step: int, values: Mapping[str, Any]) -> None:
        """Numbers of a step; what is no number is passed over."""
        numbers = {name: float(value) for name, value in values.items() if isinstance(value, (int, float))}
        self._writer.series(step, numbers)

    def found(self, code: str, detail: str, rows: int = 0) -> None:
        """Something that no reading may hide: see `lens.runs.header.Finding`."""
        self._writer.found(code, detail, rows=rows)

    def flush(self) -> None:
        """Write what is held, so that a reader sees it."""
        self._writer.flush()
        self._write_header()
        self._waiting, self._since = 0, time.monotonic()

    def close(self) -> None:
        """Write what is held; the many small parts of a long run become few."""
        self._writer.flush()
        if lying.put_together(self.folder):
            self._digests.clear()
        self._write_header()

    def _begin(self, resume_at: int | None) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / "record.json").exists():
            if any(self.folder.glob("*/part-*.parquet")):
                raise UsageError(f"{self.folder} holds parts without record.json", remedy="record into another folder")
            return
        if resume_at is None:
            raise UsageError(
                f"{self.folder} holds a record already",
                remedy="record into another folder, or go on with resume_at=STEP, the last step to keep",
            )
        header = open_folder(self.folder, "", "").header
        lying.mend(self.folder)
        moved = lying.set_aside(self.folder, resume_at)
        writer = self._writer
        writer.settings, writer.config, writer.trainer = header.settings, header.config, header.trainer
        writer.findings, writer.gaps, writer.files = list(header.findings), dict(header.gaps), {self.folder / "live": 0}
        writer.go_on(*lying.counted(self.folder))
        self._last = resume_at
        told = f"the run went on from step {resume_at}"
        writer.found("resumed", f"{told}; {moved} rollouts behind it are set aside in abandoned/", rows=moved)

    def _write_header(self) -> None:
        """Whole or not at all, after the parts it counts."""
        writer = self._writer
        header = Header(
            adapter="flat",
            adapter_version=1,
            known_by="recorded by the tap",
            trainer=writer.trainer or "unnamed",
            tested="real run",
            fingerprint=self._fingerprint(),
            settings=writer.settings,
            config=writer.config,
            sources=("live",),
            leaves=writer.leaves(),
            absent=writer.absent(),
            trained=writer.rows,
            findings=tuple(writer.findings),
            gaps=writer.gaps,
        )
        unfinished = self.folder / "record.json.new"
        unfinished.write_bytes(msgspec.json.encode(header))
        unfinished.rename(self.folder / "record.json")

    def _fingerprint(self) -> str:
        """Of all parts; each is digested once."""
        listed = [part for kind in KINDS for part in lying.parts(self.folder, kind)]
        self._digests = {part: self._digests.get(part) or file_digest(part) for part in listed}
        return digest({"adapter": "flat", "files": list(self._digests.values()), "version": 1})
