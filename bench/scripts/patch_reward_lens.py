"""Both grids by reward-lens's own PatchGrid, as its documentation calls it: prints JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import types
from pathlib import Path

import patch_model
from reward_lens.measure.battery.patch import PatchGrid
from reward_lens.signals.loaders import wrap_hf_model
from transformers import AutoTokenizer


def main(count: int, heads: int) -> None:
    network = patch_model.model()
    told = {"unit": patch_model.plain(network), "pairs": count, "head_pairs": heads}
    with tempfile.TemporaryDirectory() as place:
        tokenizer = AutoTokenizer.from_pretrained(str(patch_model.folder(network, Path(place))))
    signal = wrap_hf_model(network, tokenizer, conformance_quickcheck=False)
    for name, pairs in (("component", count), ("head", heads)):
        view = [("", patch_model.text(one), patch_model.text(other)) for one, other in patch_model.pairs(pairs)]
        context = types.SimpleNamespace(signal=signal, view=view, readout="reward", emit=lambda payload: payload)
        told[name], _ = patch_model.cpu(lambda name=name, context=context: PatchGrid(name).measure(context))
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
