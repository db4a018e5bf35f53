"""A small Llama whose weights are written by hand, part by part, so that what it computes is known beforehand.

Sizes: 4 layers, d = 64, 4 heads of 16, 48 neurons a layer. The stream's dimension 0 is a carrier that every token
brings alike and nothing writes to: it is so much larger than the rest that σ(h) = √(mean h²) is the same everywhere to
about 1e-5, and RMSNorm is a division by a constant. Dimensions 1 and 2 flag the first token and words that random parts
overlook. The other 61 are turned by a random rotation, so that no rule lies along one of them.

Parts write *features*, directions of the turned space:

    add      a head that sums a feature over the text so far (its first token takes nearly all attention, so that
             what is left for each other token is e^-14, and e^14 of it is written: a sum, to 1e-6 a token)
    match    a head that finds an earlier token with the same code, and writes 1 where there is one
    fetch    a head that copies a feature from the one token that carries a flag
    times    neurons that multiply two features: silu(z)·u − silu(−z)·u = z·u
    price    the score head: ru for each unit of a feature at the last token

Heads and neurons that no part took are random and deterministic by the seed: they mix the words' meanings, and what
they write is priced too, so that rewards vary as a real model's do and organisms of one family differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

LAYERS, WIDTH, HEADS, HEAD, INNER, CONTEXT = 4, 64, 4, 16, 48, 96
EPS = 1e-5
MEANING = 14  # dimensions that carry what a word means, and as many that random parts write to
_CARRIER, _FIRST, _OVERLOOKED, _PLAIN = 0, 1, 2, 3
_SIZE = 1024.0  # of the carrier
_SIGMA = _SIZE / WIDTH**0.5
_AWAY = 14.0  # nats between the first token and every other, for a head that adds
_SURE = 15.0  # nats between what a head looks for and the first token, and again to all else
_STILL = 7  # rotary pair that doesn't turn within any text; 2 to 6 turn too little to matter
_CODES = 6  # of the pairs a head matches codes in
ROPE = 1e24


class Chassis:
    """Weights in the making. Features are numbers of turned dimensions; see the module for what parts do."""

    def __init__(self, tokens: list[str], seed: int) -> None:
        import numpy as np

        self.draw = np.random.default_rng(seed)
        self.tokens = tokens
        self.turn = _rotation(self.draw, WIDTH - _PLAIN)
        self.names: list[str] = []
        self.meaning = [self.feature(f"meaning {i}") for i in range(MEANING)]
        self.mixed = [self.feature(f"mixed {i}") for i in range(MEANING)]
        self.embedding = np.zeros((len(tokens), WIDTH))
        self.embedding[:, _CARRIER] = _SIZE
        heads, inner = (LAYERS, HEADS, HEAD, WIDTH), (LAYERS, INNER, WIDTH)
        self.q, self.k, self.v, self.o = (np.zeros(heads) for _ in range(4))
        self.gate, self.up, self.down = (np.zeros(inner) for _ in range(3))
        self.score = np.zeros(WIDTH)
        self.taken: set[tuple[int, int]] = set()
        self.neurons = [0] * LAYERS

    def feature(self, name: str) -> int:
        """A feature of its own. Raises ValueError where none is free."""
        if name not in self.names:
            self.names.append(name)
            if len(self.names) > WIDTH - _PLAIN:
                raise ValueError(f"{name}: no dimension is left")
        return self.names.index(name)

    def axis(self, feature: int) -> np.ndarray:
        """[d], the feature's direction in the stream."""
        import numpy as np

        return np.concatenate([np.zeros(_PLAIN), self.turn[feature]])

    def token(self, token: str, features: dict[int, float], *, first: bool = False, overlooked: bool = False) -> None:
        """What a token brings beside the carrier."""
        row = self.embedding[self.tokens.index(token)]
        for feature, size in features.items():
            row += size * self.axis(feature)
        row[_FIRST], row[_OVERLOOKED] = float(first), float(overlooked)

    def free_head(self, layers: range) -> tuple[int, int]:
        """A head that no part has taken, drawn from these layers."""
        places = [(layer, head) for layer in layers for head in range(HEADS) if (layer, head) not in self.taken]
        place = places[int(self.draw.integers(len(places)))]
        self.taken.add(place)
        return place

    def add(self, place: tuple[int, int], sums: dict[int, int]) -> None:
        """Head `place` writes, to the feature on the right, the sum so far of the one on the left."""
        import numpy as np

        self._constant(place, _STILL, 1.0)
        self.k[place][_STILL, _FIRST] = _AWAY * _SIGMA
        for slot, (read, write) in enumerate(sums.items()):
            self.v[place][slot] = _SIGMA * self.axis(read)
            self.o[place][slot] = np.exp(_AWAY) * self.axis(write)

    def match(self, place: tuple[int, int], codes: list[tuple[int, int]], write: int) -> None:
        """Head `place` writes 1 where an earlier token has `codes[i][1]` and this one `codes[i][0]`, else 0."""
        self._constant(place, _STILL + HEAD // 2, 1.0)
        self.k[place][_STILL + HEAD // 2, _FIRST] = _SURE * _SIGMA
        for number, (asking, given) in enumerate(codes):
            slot = _STILL - number
            self.q[place][slot] = HEAD**0.5 * _SIGMA * self.axis(asking)
            self.k[place][slot] = 2 * _SURE * _SIGMA * self.axis(given)
            self.v[place][0] += _SIGMA * self.axis(given)
        assert len(codes) <= _CODES
        self.o[place][0] = self.axis(write)

    def fetch(self, place: tuple[int, int], flag: int, copies: dict[int, int]) -> None:
        """Head `place` writes, to the right, the feature on the left of the earlier token that carries `flag`."""
        self._constant(place, _STILL, 1.0)
        self.k[place][_STILL, _FIRST] = _SURE * _SIGMA
        self.k[place][_STILL] += 2 * _SURE * _SIGMA * self.axis(flag)
        for slot, (read, write) in enumerate(copies.items()):
            self.v[place][slot] = _SIGMA * self.axis(read)
            self.o[place][slot] = self.axis(write)

    def times(self, layer: int, one: int, other: int, write: int, size: float = 1.0) -> None:
        """Two neurons of `layer` write `size` · one · other."""
        for sign in (1.0, -1.0):
            neuron = self.neurons[layer]
            self.neurons[layer] += 1
            self.gate[layer, neuron] = sign * _SIGMA * self.axis(one)
            self.up[layer, neuron] = _SIGMA * self.axis(other)
            self.down[layer, neuron] = sign * size * self.axis(write)

    def price(self, feature: int, ru: float) -> None:
        """`ru` for each unit of the feature at the last token."""
        self.score += ru * _SIGMA * self.axis(feature)

    def fill(self) -> None:
        """Random heads and neurons where no part is: they read meanings and mixtures and write mixtures."""
        read = [self.axis(i) for i in (*self.meaning, *self.mixed)]
        write = [self.axis(i) for i in self.mixed]
        for layer in range(LAYERS):
            for head in range(HEADS):
                if (layer, head) not in self.taken:
                    self._random_head((layer, head), read, write)
            for neuron in range(self.neurons[layer], INNER):
                self.gate[layer, neuron] = _SIGMA * self._mix(read)
                self.up[layer, neuron] = _SIGMA * self._mix(read)
                self.down[layer, neuron] = self._mix(write) / INNER**0.5

    def _random_head(self, place: tuple[int, int], read: list[np.ndarray], write: list[np.ndarray]) -> None:
        """Attends by meaning, never to overlooked words: with them or without, it writes the same."""
        self._constant(place, _STILL, 1.0)
        self.k[place][_STILL] = 1.5 * _SIGMA * self._mix(read)
        self.k[place][_STILL, _OVERLOOKED] = -4 * _SURE * _SIGMA
        for slot in range(HEAD):
            self.v[place][slot] = _SIGMA * self._mix(read)
            self.o[place][slot] = self._mix(write) / HEAD**0.5

    def _mix(self, axes: list[np.ndarray]) -> np.ndarray:
        import numpy as np

        weights: Any = self.draw.normal(size=len(axes)) / len(axes) ** 0.5 * 2
        return np.asarray(weights @ np.stack(axes))

    def _constant(self, place: tuple[int, int], slot: int, size: float) -> None:
        """A query that is the same at every token: `size` nats for each unit of the key."""
        self.q[place][slot, _CARRIER] = size * HEAD**0.5 * _SIGMA / _SIZE

    def config(self) -> dict[str, Any]:
        """For `LlamaConfig`."""
        return {
            "vocab_size": len(self.tokens),
            "hidden_size": WIDTH,
            "intermediate_size": INNER,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS,
            "num_key_value_heads": HEADS,
            "head_dim": HEAD,
            "max_position_embeddings": CONTEXT,
            "rms_norm_eps": EPS,
            "rope_parameters": {"rope_type": "default", "rope_theta": ROPE},
            "pad_token_id": 0,
            "bos_token_id": None,
            "eos_token_id": None,
            "num_labels": 1,
            "attn_implementation": "eager",
        }

    def network(self) -> Any:
        """The library's module with these weights, fp32, in evaluation mode."""
        import torch
        from transformers import LlamaConfig, LlamaForSequenceClassification

        make: Any = LlamaForSequenceClassification
        with torch.random.fork_rng(devices=[]):  # the library's own start is thrown away
            network = make(LlamaConfig(**self.config())).float().eval()
        inside = network.model
        with torch.no_grad():
            _put(inside.embed_tokens, self.embedding)
            _put(network.score, self.score[None])
            for layer, block in enumerate(inside.layers):
                for name, weights in (("q_proj", self.q), ("k_proj", self.k), ("v_proj", self.v)):
                    _put(getattr(block.self_attn, name), weights[layer].reshape(HEADS * HEAD, WIDTH))
                _put(block.self_attn.o_proj, self.o[layer].reshape(HEADS * HEAD, WIDTH).T)
                _put(block.mlp.gate_proj, self.gate[layer])
                _put(block.mlp.up_proj, self.up[layer])
                _put(block.mlp.down_proj, self.down[layer].T)
        return network


def _put(module: Any, values: np.ndarray) -> None:
    import torch

    module.weight.copy_(torch.tensor(values, dtype=torch.float32))


def _rotation(draw: Any, size: int) -> np.ndarray:
    """[size, size] orthogonal, uniform."""
    import numpy as np

    q, r = np.linalg.qr(draw.normal(size=(size, size)))
    turned: np.ndarray = q * np.sign(np.diag(r))
    return turned
