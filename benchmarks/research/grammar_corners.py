"""What the masked corners of the bitext chart change: log p(x) with them and without.

    python -m benchmarks.speed.grammar_gpu encode snli:train_20k --data DIR --out CORPUS.npz
    python -m benchmarks.research.grammar_corners CORPUS.npz [--texts 20000] [--epochs 10]
        [--symbols 32] [--leaves 64] [--width 256] [--measured 200]

The charts of the paper's code, and ours, never split a cell into a span of the first text alone
beside a span of the second alone (the corners of its grid of splits). A grammar is trained on the
corpus as always, and ``--measured`` held-out pairs are scored twice by a plain chart in float64:
with these splits left out, which must be what the grammar itself says, and with all splits, those
of one word beside one word included. Prints one JSON line; differences are in nats a pair.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import torch

from augkit.grammars.charts.batches import make_batch
from augkit.grammars.charts.inside import Potentials
from augkit.grammars.model.grammar import grammar_potentials
from augkit.grammars.model.train import GrammarConfig, train_grammar
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.speed.grammar_gpu import read


def main() -> None:
    """Train, measure and print."""
    options = arguments(
        __doc__,
        argument("corpus"),
        argument("--texts", type=int, default=20_000),
        argument("--epochs", type=int, default=10),
        argument("--symbols", type=int, default=32),
        argument("--leaves", type=int, default=64),
        argument("--width", type=int, default=256),
        argument("--batch", type=int, default=64),
        argument("--measured", type=int, default=200),
    )
    texts, pairs, words = read(options.corpus)
    assert pairs, "the corners are those of pairs"
    with np.load(options.corpus) as arrays:
        held_out = arrays["heldout"]
    train = [text for text, held in zip(texts, held_out, strict=True) if not held]
    held = [text for text, held in zip(texts, held_out, strict=True) if held]
    config = GrammarConfig(
        words=words, pairs=True, symbols=options.symbols, leaves=options.leaves,
        width=options.width, batch_size=options.batch, epochs=options.epochs, learning_rate=3e-3,
    )  # fmt: skip
    grammar = train_grammar(train[: options.texts], held[: options.measured], config)
    measured = held[: options.measured]
    parameters = {name: tensor.double() for name, tensor in grammar.parameters.items()}
    masked, full = [], []
    with torch.no_grad():
        for text in measured:
            batch = make_batch([text], words).to(grammar.device)
            potentials = grammar_potentials(parameters, grammar.shape, batch)
            n, m = len(text[0]), len(text[1])
            masked.append(plain_log_likelihood(potentials, n, m, corners=False))
            full.append(plain_log_likelihood(potentials, n, m, corners=True))
    gap = np.array(full) - np.array(masked)
    error = np.abs(grammar.log_likelihood(measured) - masked).max()
    print_line({
        "benchmark": "grammar_corners", "pairs": len(gap), "mean_log_p": float(np.mean(masked)),
        "mean_gap": float(gap.mean()), "median_gap": float(np.median(gap)),
        "share_below_0.01": float((gap < 0.01).mean()), "largest_gap": float(gap.max()),
        "grammar_differs_from_plain": float(error),
    })  # fmt: skip


def plain_log_likelihood(potentials: Potentials, n: int, m: int, *, corners: bool) -> float:
    """The log p of one pair of n and m words; cells are log[starts in a, starts in b, symbols]."""
    inner = potentials.symbols
    count = potentials.rules.shape[1]
    slots = potentials.emissions.view(n + 1, m + 1, -1)
    rules = potentials.rules.exp().reshape(inner, -1)
    chart: dict[tuple[int, int], torch.Tensor] = {}
    for a, b in sorted(product(range(n + 1), range(m + 1)), key=sum)[1:]:
        rows, columns = n - a + 1, m - b + 1
        cell = potentials.rules.new_full((rows, columns, count), float("-inf"))
        if max(a, b) == 1:
            leaves = slots[1:] if a else slots[:1].expand(n + 1, -1, -1)
            cell[..., inner:] = leaves[:, 1:] if b else leaves[:, :1].expand(-1, m + 1, -1)
        splits = [
            (u, v)
            for u, v in product(range(a + 1), range(b + 1))
            if 0 < u + v < a + b
            and (corners or (max(a, b) > 1 and not (u in {0, a} and v in {0, b})))
        ]
        if splits:
            left = torch.stack([chart[u, v][:rows, :columns] for u, v in splits])
            right = torch.stack(
                [chart[a - u, b - v][u : u + rows, v : v + columns] for u, v in splits]
            )
            scale = left.amax(-1) + right.amax(-1)
            largest = scale.amax(0)
            left = torch.exp(left - left.amax(-1, keepdim=True))
            left = left * torch.exp(scale - largest)[..., None]
            right = torch.exp(right - right.amax(-1, keepdim=True))
            both = torch.einsum("zxyb,zxyc->xybc", left, right).reshape(rows, columns, -1)
            cell[..., :inner] = torch.log(both @ rules.T) + largest[..., None]
        chart[a, b] = cell
    return float(torch.logsumexp(chart[n, m][0, 0, :inner] + potentials.root, 0))


if __name__ == "__main__":
    main()
