"""Write into FOLDER a reward model of 6 layers, d = 128, and files of so many pairs, for readings of how memory grows.

`patch_memory.py FOLDER COUNT...` prints the names of the files of pairs. Texts are 96 tokens, 48 of them shared.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import patch_model
import torch

LAYERS, WIDTH, HEADS, TOKENS, SHARED = 6, 128, 4, 96, 48


def main(place: Path, counts: list[int]) -> None:
    patch_model.folder(patch_model.llama(LAYERS, WIDTH, HEADS, 352), place)
    names = {}
    for count in counts:
        names[count] = f"pairs-{count}.jsonl"
        (place / names[count]).write_text("".join(json.dumps(row) + "\n" for row in rows(count)))
    print(json.dumps(names))


def rows(count: int) -> list[dict[str, str]]:
    made = torch.Generator().manual_seed(1)
    found = []
    for _ in range(count):
        ids = torch.randint(1, patch_model.VOCABULARY, (2 * TOKENS - SHARED,), generator=made).tolist()
        cut = [ids[:SHARED], ids[SHARED:TOKENS], ids[TOKENS:]]
        prompt, chosen, rejected = (patch_model.text(part) for part in cut)
        found.append({"prompt": f"{prompt} ", "chosen": chosen, "rejected": rejected})
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(word) for word in sys.argv[2:]])
