"""CPU seconds a pair for a whole patch grid, on a reward model of 12 layers, d = 512, one thread, 128 tokens of which
the pair shares 64.

Ours restarts where a patch first differs (lens.models.patch.schedule). `hooks` is a plain batched pass a site. The
floor is the arithmetic that no schedule of this kind can leave out, in units F of one side's plain forward.

Memory: the most that `lens measure model` ever holds while it patches 16, 64 and 256 pairs of a smaller model.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench import _peer

ROUNDS = 3
SCRIPTS = Path(__file__).parent / "scripts"
TORCH, TRANSFORMERS = "torch==2.13.0", "transformers==5.24.0"
REWARD_LENS, NNSIGHT, TRANSFORMER_LENS = "reward-lens==3.1.0", "nnsight==0.8.1", "transformer-lens==4.3.0"
LAYERS, WIDTH, INNER, HEADS, TOKENS, SHARED = 12, 512, 1408, 8, 128, 64
PAIRS = 16, 64, 256  # read for memory


def run() -> list[dict[str, Any]]:
    """A row a grid and peer: medians of alternating runs, each a process of its own."""
    one = _peer.python_with("patching", TORCH, TRANSFORMERS, REWARD_LENS, "scipy", NNSIGHT)
    other = _peer.python_with("patching-transformer-lens", TORCH, TRANSFORMERS, TRANSFORMER_LENS)
    asked = {
        "ours": (sys.executable, "patch_ours.py", "4"),
        "hooks": (sys.executable, "patch_hooks.py", "4", "1"),
        REWARD_LENS: (one, "patch_reward_lens.py", "1", "1"),
        NNSIGHT: (one, "patch_nnsight.py", "4"),
        TRANSFORMER_LENS: (other, "patch_transformer_lens.py", "4"),
    }
    told: dict[str, list[dict[str, Any]]] = {name: [] for name in asked}
    for _ in range(ROUNDS):
        for name, (python, script, *words) in asked.items():
            told[name].append(_peer.measured(python, SCRIPTS / script, *words))
    rows = [_row(f"{grid}-grid", told, grid, peer) for grid, peer in _wanted()]
    floors = [_floor(grid, told["ours"]) for grid in ("component", "head")]
    return [*rows, *floors, _deviation(told["ours"]), *memory()]


def _wanted() -> list[tuple[str, str]]:
    both = [(grid, peer) for grid in ("component", "head") for peer in (REWARD_LENS, "hooks")]
    return [*both, ("component", NNSIGHT), ("component", TRANSFORMER_LENS)]


def _row(name: str, told: dict[str, list[dict[str, Any]]], grid: str, peer: str) -> dict[str, Any]:
    ours, theirs = ([_a_pair(one, grid) for one in told[side]] for side in ("ours", peer))
    in_units = statistics.median(_a_pair(one, grid) / one["unit"] for one in told["ours"])
    theirs_in_units = statistics.median(_a_pair(one, grid) / one["unit"] for one in told[peer])
    short = peer.split("==")[0]
    return {
        "name": f"{name}-{short}",
        "ours": statistics.median(ours),
        "peer": statistics.median(theirs),
        "peer_version": peer.replace("==", " ") if "==" in peer else "plain batched hooks",
        "ratio": statistics.median(theirs) / statistics.median(ours),
        "unit": "CPU s",
        "note": f"a pair; {in_units:.1f} F against {theirs_in_units:.1f} F, F one side's plain forward",
        "ours_range": [min(ours), max(ours)],
        "peer_range": [min(theirs), max(theirs)],
    }


def _a_pair(one: dict[str, Any], grid: str) -> float:
    pairs = one.get("head_pairs", one["pairs"]) if grid == "head" else one["pairs"]
    return float(one[grid] / pairs)


def _floor(grid: str, ours: list[dict[str, Any]]) -> dict[str, Any]:
    """Ours in units F beside the least arithmetic: each copy from where it differs on, unshared tokens only, the last
    block's queries and MLP at one token, and the pair's own two passes."""
    projections, mlp = 4 * WIDTH * WIDTH, 3 * WIDTH * INNER
    own, keys = TOKENS - SHARED, TOKENS
    seen = (SHARED + (own + 1) / 2) * WIDTH * 2  # keys a query sees, on average, scores and values
    block = own * (projections + mlp + seen)
    last = own * projections / 2 + (projections / 2 + mlp + keys * WIDTH * 2)
    after = [(LAYERS - 2 - layer) * block + last if layer < LAYERS - 1 else 0.0 for layer in range(LAYERS)]
    rest = [own * mlp if layer < LAYERS - 1 else mlp for layer in range(LAYERS)]
    attn = sum(one + two for one, two in zip(after, rest, strict=True))
    plain = LAYERS * TOKENS * (projections + mlp + (TOKENS + 1) / 2 * WIDTH * 2)
    pair = (plain - LAYERS * own * (projections + mlp + (TOKENS + 1) / 2 * WIDTH * 2)) + 2 * LAYERS * block
    copies = HEADS * attn if grid == "head" else attn + sum(after)
    floor = (copies + pair) / plain
    units = [_a_pair(one, grid) / one["unit"] for one in ours]
    return {
        "name": f"{grid}-grid-floor",
        "ours": statistics.median(units),
        "peer": floor,
        "peer_version": "counted arithmetic",
        "ratio": floor / statistics.median(units),
        "unit": "F",
        "note": "F is the arithmetic of one side's plain forward",
        "ours_range": [min(units), max(units)],
    }


def _deviation(ours: list[dict[str, Any]]) -> dict[str, Any]:
    worst = max(one[f"{grid}_deviation"] for one in ours for grid in ("component", "head"))
    return {
        "name": "deviation-from-hooks",
        "ours": worst,
        "peer": None,
        "peer_version": "plain hooks",
        "ratio": None,
        "unit": "reward units",
        "note": "largest difference of a patched reward from one whole pass with a hook, a dozen sites a grid",
    }


def memory() -> list[dict[str, Any]]:
    """A row a number of pairs: peak megabytes of the whole command, beside those of the fewest pairs."""
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        counts = [str(count) for count in PAIRS]
        files = _peer.measured(sys.executable, SCRIPTS / "patch_memory.py", made, *counts)
        peaks = [_peer.spent(_patching(place, files[count], count), place).megabytes for count in counts]
    return [
        {
            "name": f"memory-{count}-pairs",
            "ours": peak,
            "peer": peaks[0],
            "peer_version": f"{PAIRS[0]} pairs",
            "ratio": peaks[0] / peak,
            "unit": "MB",
            "note": "the most the command ever holds, torch included; 6 layers, d = 128, every grid and mode",
        }
        for count, peak in zip(PAIRS, peaks, strict=True)
    ]


def _patching(place: Path, file: str, count: str) -> list[str | Path]:
    lens = Path(sys.executable).with_name("lens")
    subject = [lens, "measure", "model", place, "--pairs", place / file, "--data", place / f"data-{count}"]
    return [*subject, "--instrument", "patching", "--sample", count, "--controls", "1", "--workers", "1"]
