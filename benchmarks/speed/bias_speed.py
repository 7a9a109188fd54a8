"""CrowS-Pairs and SEAT against the plain way: one pass per hidden token, one loop per permutation.

    python -m benchmarks.speed.bias_speed [--pairs 60] [--threads 1] [--shape base|mini]
        [--model FOLDER] [--data DIR]

The model has the shape of BERT-base or BERT-mini and random weights unless one is named; scores are
not shown.
In bfloat16, measured where the machine has units for it, the nearest pairs, at least 16, are scored
again in float32, so few pairs say little.
Prints one JSON line with CPU-seconds and their ratios; ``same_score`` holds both against the plain
way's.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from augkit.commands.bias_benchmarks import association, crows_pairs, stereoset
from augkit.commands.bias_benchmarks.likelihood import aligned_positions
from augkit.models.language_models.masked_lm import MaskedLanguageModel, open_masked
from augkit.models.language_models.vectors import open_vectors
from augkit.models.precision import Precision
from benchmarks.command_line import argument, arguments, print_line

SENTENCE = 16
"""Tokens of a sentence of CrowS-Pairs, nearly."""
SHAPES: dict[str, dict[str, int]] = {
    "base": {},
    "mini": {
        "num_hidden_layers": 4,
        "hidden_size": 256,
        "num_attention_heads": 4,
        "intermediate_size": 1024,
    },
}
"""BERT-base, and the BERT-mini of Turc et al. (2019)."""


def main() -> None:
    """Time both ways on the same pairs."""
    given = arguments(
        __doc__,
        argument("--pairs", type=int, default=60, help="two or more"),
        argument("--model", help="a folder with a masked model; default: random weights"),
        argument("--shape", choices=sorted(SHAPES), default="base", help="of the random weights"),
        argument("--threads", type=int, help="of both ways; default: torch's"),
        argument("--data", type=Path, default=Path("../shared/data")),
        argument("--whole", action="store_true", help="all of all three, our way alone, on a GPU"),
        argument(
            "--bound", action="store_true", help="what a sentence takes in batches of any size"
        ),
    )
    with tempfile.TemporaryDirectory() as folder:
        if given.model is None:
            save_model(Path(folder), given.data, SHAPES[given.shape])
        model = given.model or folder
        if given.bound:
            record = bound(model, given.threads or 1)
        else:
            record = whole(model, given.data) if given.whole else compared(model, given)
    print_line(record)


def compared(folder: str, given: argparse.Namespace) -> dict[str, object]:
    """Ratios of CPU-seconds, ours against the plain way."""
    import torch

    if given.threads:
        torch.set_num_threads(given.threads)
    model, rounding = open_masked(folder), open_masked(folder, "bfloat16")
    pairs = crows_pairs.read(given.data / "bias/crows_pairs/crows_pairs_anonymized.csv")
    pairs = pairs[:: len(pairs) // given.pairs][: given.pairs]
    plain(model, pairs[:1])  # both ways warm
    for one in (model, rounding):
        crows_pairs.shared_score(one, pairs[:1])
    # A machine's pace drifts: half of the slow way is run before the others, half after them.
    slow, wanted = timed(lambda: plain(model, pairs[::2]))
    fast, scores = timed(lambda: crows_pairs.shared_score(model, pairs))
    figures: dict[str, object] = {"ours_cpu_s": round(fast, 2)}
    answers = [scores]
    if rounding.precision == "bfloat16":
        faster, rescored = timed(lambda: crows_pairs.shared_score(rounding, pairs))
        answers.append(rescored)
    more_slow, more_wanted = timed(lambda: plain(model, pairs[1::2]))
    sizes = [len(pairs[::2]), len(pairs[1::2])]
    slow, wanted = slow + more_slow, np.average([wanted, more_wanted], weights=sizes)
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=64), generator.normal(size=64)
    # A few milliseconds: on a busy machine the quickest of several is what it takes.
    loop, p_loop = min(timed(lambda: shuffled(first, second)) for _ in range(3))
    drawn, p = min(timed(lambda: association.p_value(first, second)) for _ in range(20))
    figures["ratio"] = round(slow / fast, 2)
    if len(answers) > 1:
        figures |= {"bfloat16_cpu_s": round(faster, 2), "bfloat16_ratio": round(slow / faster, 2)}
    return {
        "benchmark": "bias_speed",
        "pairs": len(pairs),
        "plain_cpu_s": round(slow, 2),
        **figures,
        "threads": torch.get_num_threads(),
        "same_score": [bool(abs(wanted - some[0].value) < 1e-6) for some in answers],
        "seat_loop_cpu_s": round(loop, 3),
        "seat_ours_cpu_s": round(drawn, 4),
        "seat_ratio": round(loop / drawn, 1),
        "seat_p": [round(p_loop, 3), round(p, 3)],
    }


def bound(folder: str, threads: int) -> dict[str, object]:
    """CPU-milliseconds of a sentence by the tokens of its batch, and of its products alone."""
    import torch

    torch.set_num_threads(threads)
    model = open_masked(folder).model.base_model
    layers = model.config.num_hidden_layers
    width, inner = model.config.hidden_size, model.config.intermediate_size
    left, right = torch.randn(1024, width), torch.randn(inner, width)
    product = min(timed(lambda: torch.nn.functional.linear(left, right))[0] for _ in range(5))
    rate = 2 * left.numel() * inner / product
    work = 2 * SENTENCE * layers * (4 * width * width + 2 * width * inner)
    record: dict[str, object] = {
        "benchmark": "bias_speed bound",
        "gflops": round(rate / 1e9, 1),
        "products_cpu_ms": round(1000 * work / rate, 1),
    }
    with torch.inference_mode():
        for tokens in (SENTENCE, 64, 256, 512, 1024, 2048):
            ids = torch.randint(5, 30_000, (tokens // SENTENCE, SENTENCE))
            model(input_ids=ids)
            seconds = min(timed(lambda ids=ids: model(input_ids=ids))[0] for _ in range(2))
            record[f"batch of {tokens} tokens"] = round(1000 * seconds * SENTENCE / tokens, 1)
    return record


def whole(folder: str, data: Path) -> dict[str, object]:
    """Seconds for all of CrowS-Pairs, StereoSet and SEAT; for a machine with a GPU.

    In tf32, with close texts scored again in float32; then in float32 alone: are the scores equal?
    """
    fast, exact = (run_all(folder, data, precision) for precision in ("tf32", "float32"))
    return {
        "benchmark": "bias_speed whole",
        "device": fast.device,
        "runs": [fast.seconds, exact.seconds],
        "same_scores": {name: fast.scores[name] == exact.scores[name] for name in fast.scores},
    }


@dataclass(frozen=True)
class Run:
    """What all three benchmarks took and gave in a precision."""

    device: str
    seconds: dict[str, float | str]
    scores: dict[str, list[float]]


def run_all(folder: str, data: Path, precision: Precision) -> Run:
    """All three benchmarks, opening the models included."""
    started = time.perf_counter()
    model, vectors = open_masked(folder, precision), open_vectors(folder)
    steps = {
        "crows_pairs": lambda: crows_pairs.shared_score(
            model, crows_pairs.read(data / "bias/crows_pairs/crows_pairs_anonymized.csv")
        ),
        "stereoset": lambda: stereoset.masked_score(
            model, stereoset.read(data / "bias/stereoset/dev.jsonl")
        ),
        "seat": lambda: association.association_scores(
            vectors.sentences, association.SEAT.read(data / "bias/weat_seat")
        ),
    }
    seconds: dict[str, float | str] = {
        "precision": model.precision,
        "open_s": round(time.perf_counter() - started, 1),
    }
    scores = {}
    for name, step in steps.items():
        before = time.perf_counter()
        scores[name] = [round(score.value, 6) for score in step()]
        seconds[f"{name}_s"] = round(time.perf_counter() - before, 1)
    seconds["all_s"] = round(time.perf_counter() - started, 1)
    return Run(str(model.model.device), seconds, scores)


def plain(model: MaskedLanguageModel, pairs: list[crows_pairs.CrowsPair]) -> float:
    """The published score by one pass for each hidden token."""
    import torch

    hits = []
    for pair in pairs:
        texts = model.encode([pair.more, pair.less])
        totals = [0.0, 0.0]
        positions = aligned_positions(*texts, shared=True)
        for side, (text, places) in enumerate(zip(texts, positions, strict=True)):
            for at in places:
                ids = torch.tensor([[*text.ids[:at], model.mask, *text.ids[at + 1 :]]])
                with torch.no_grad():
                    logits = model.model(ids.to(model.model.device)).logits[0, at]
                totals[side] += float(logits.log_softmax(0)[text.ids[at]])
        hits.append(100.0 * (totals[0] > totals[1]))
    return float(np.mean(hits))


def shuffled(first: np.ndarray, second: np.ndarray) -> float:
    """10,000 permutations in a loop of plain Python."""
    import random

    values = [*first.tolist(), *second.tolist()]
    size, observed, hits, draw = len(first), float(first.sum()), 1, random.Random(0)
    for _ in range(association.DRAWS - 1):
        draw.shuffle(values)
        hits += sum(values[:size]) >= observed
    return hits / association.DRAWS


def save_model(folder: Path, data: Path, shape: dict[str, int]) -> None:
    """A BERT of this shape and random weights whose tokenizer knows the words of the data.

    Its sequences have 17.0 tokens on average, those of BERT's own tokenizer 17.6.
    """
    import torch
    import transformers

    pairs = crows_pairs.read(data / "bias/crows_pairs/crows_pairs_anonymized.csv")
    texts = [text.lower() for pair in pairs for text in (pair.more, pair.less)]
    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text)})
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    signs = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    known = list(dict.fromkeys([*signs, *letters, *(f"##{one}" for one in letters), *words]))
    known += [f"[unused{n}]" for n in range(30522 - len(known))]
    transformers.BertTokenizerFast(
        vocab={word: number for number, word in enumerate(known)}
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=30522, **shape)
    transformers.BertForMaskedLM(config).save_pretrained(folder)


def timed(work: object) -> tuple[float, object]:
    """CPU-seconds and the answer."""
    before = time.process_time()
    answer = work()  # type: ignore[operator] # a lambda
    return time.process_time() - before, answer


if __name__ == "__main__":
    main()
