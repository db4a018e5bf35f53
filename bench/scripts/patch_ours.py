"""Both grids by the restart schedule, and how far they are from whole passes with hooks: prints JSON."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import patch_model

from lens.models.patch import naive, sites
from lens.models.patch.schedule import Base, Source, patched
from lens.models.subject import open_model


def main(count: int) -> None:
    network = patch_model.model()
    unit = patch_model.plain(network)
    with tempfile.TemporaryDirectory() as place:
        opened = open_model(str(patch_model.folder(network, Path(place))), device="cpu", dtype="float32")
    trunk = opened.trunk
    assert trunk is not None
    texts = patch_model.pairs(count)
    grids = {
        "component": sites.components(trunk.layers)[1:],
        "head": sites.heads(trunk.layers, trunk.heads),
    }

    def grid(name: str) -> list[list[float]]:
        found = []
        for chosen, rejected in texts:
            pair = trunk.pair(tuple(chosen), tuple(rejected))
            found.append(patched(trunk, Base(pair.chosen, pair.shared), Source.of(pair.rejected), grids[name]))
        return found

    told = {"unit": unit, "pairs": count}
    for name in grids:
        told[name], values = patch_model.cpu(lambda name=name: grid(name))
        one, other = (opened.encode("", patch_model.text(ids)) for ids in texts[0])
        some = grids[name][:: max(1, len(grids[name]) // 12)]
        plain = naive.patched(opened, one, other, some, patch_model.TOKENS - patch_model.SHARED)
        at = [grids[name].index(site) for site in some]
        told[f"{name}_deviation"] = max(abs(values[0][i] - value) for i, value in zip(at, plain, strict=True))
    told["look"], _ = patch_model.cpu(lambda: [trunk.trace(tuple(ids)) for pair in texts for ids in pair])
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]))
