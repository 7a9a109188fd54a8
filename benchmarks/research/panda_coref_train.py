"""An encoder that points from a pronoun to the mentions of its person: see panda_coref.py.

    python -m benchmarks.research.panda_coref_train FOLDER --encoder ENCODER [--seeds N] [--rank N]

Reads FOLDER/decisions.jsonl.gz and writes ``scores-KIND-seedN.json``: the scores of the mentions of
each decision that is not for training. The encoder sees a text in which the pronoun and the
candidates are marked by vectors added to those of their words; a mention's score comes from the
vectors of the pronoun and the mention, and the loss is the negative log share of the right
mentions. With a rank, the layers stay as they are and get low-rank additions (LoRA) of that rank.
With ``--silver``, the decisions of FOLDER/silver.jsonl.gz are added to three copies of the others.
It needs torch, transformers and safetensors alone, and about a minute a seed on a GPU.
"""

from __future__ import annotations

import gzip
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoModel

from benchmarks.command_line import argument, arguments, print_line

LENGTH = 320
"""Tokens that are read, at most: those up to ``AFTER`` tokens behind the pronoun."""
AFTER = 60
EPOCHS, SILVER_EPOCHS, BATCH, HEAD_RATE = 8, 5, 32, 1e-3
RATES = {"all": 1e-4, "rank": 6e-4}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class LowRank(nn.Module):
    """A linear layer that stays, and a product of two narrow ones that is added."""

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        """Start as the layer alone."""
        super().__init__()
        self.layer = layer
        self.down = nn.Linear(layer.in_features, rank, bias=False)
        self.up = nn.Linear(rank, layer.out_features, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, vectors: Tensor) -> Tensor:
        """The sum."""
        return self.layer(vectors) + 2 * self.up(self.down(vectors))


class Pointer(nn.Module):
    """An encoder and a score for each marked mention."""

    def __init__(self, folder: Path, rank: int) -> None:
        """Load the encoder; the vectors of words stay as they are."""
        super().__init__()
        self.encoder = AutoModel.from_pretrained(folder, dtype=torch.float32)
        width = self.encoder.config.hidden_size
        self.marks = nn.Embedding(3, width, padding_idx=0)
        self.marks.weight.data *= 0.05
        self.score = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(3 * width + 2, 256), nn.GELU(), nn.Linear(256, 1)
        )
        self.encoder.get_input_embeddings().requires_grad_(requires_grad=False)
        if rank:
            self.encoder.requires_grad_(requires_grad=False)
            layers = [n for n, m in self.encoder.encoder.named_modules() if type(m) is nn.Linear]
            for name in layers:
                owner, _, own = name.rpartition(".")
                parent = self.encoder.encoder.get_submodule(owner)
                setattr(parent, own, LowRank(getattr(parent, own), rank))

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """The scores of the candidates; padding gets -10,000."""
        words = self.encoder.get_input_embeddings()(batch["ids"]) + self.marks(batch["marks"])
        found = self.encoder(inputs_embeds=words, attention_mask=batch["mask"]).last_hidden_state
        rows = torch.arange(len(found), device=found.device)[:, None]
        pronoun, mention = (
            (found[rows, batch[key][..., 0]] + found[rows, batch[key][..., 1]]) / 2
            for key in ("pronoun", "mentions")
        )
        pronoun = pronoun.expand_as(mention)
        parts = [pronoun, mention, pronoun * mention, batch["far"].to(mention.dtype)]
        scores = self.score(torch.cat(parts, -1)).squeeze(-1).float()
        return scores.masked_fill(~batch["real"], -1e4)


def prepared(row: dict[str, Any], tokenizer: Tokenizer) -> dict[str, Any]:
    """A decision in tokens; candidates that lie too far before the pronoun are left out."""
    read = tokenizer.encode(row["text"])

    def tokens(span: Sequence[int]) -> tuple[int, int]:
        inside = [n for n, (a, b) in enumerate(read.offsets) if a < span[1] and span[0] < b]
        return inside[0], inside[-1]

    pronoun, mentions = tokens(row["pronoun"]), list(map(tokens, row["mentions"]))
    end = min(len(read.ids), max(LENGTH, pronoun[1] + AFTER))
    start = max(0, end - LENGTH)
    kept = [n for n, (first, _) in enumerate(mentions) if first >= start]
    return {
        "ids": read.ids[start:end],
        "pronoun": [n - start for n in pronoun],
        "mentions": [[n - start for n in mentions[k]] for k in kept],
        "kept": kept,
        "all": len(mentions),
        "right": [bool(row["right"][k]) for k in kept] if "right" in row else [],
    }


def collated(rows: Sequence[dict[str, Any]]) -> dict[str, Tensor]:
    """Decisions as tensors."""
    size = (len(rows), max(len(row["ids"]) for row in rows))
    most = (len(rows), max(len(row["mentions"]) for row in rows))
    ids, mask, marks = (torch.zeros(size, dtype=torch.long) for _ in range(3))
    mentions, far = torch.zeros((*most, 2), dtype=torch.long), torch.zeros((*most, 2))
    real, right = torch.zeros(most, dtype=torch.bool), torch.zeros(most, dtype=torch.bool)
    for n, row in enumerate(rows):
        length, count, at = len(row["ids"]), len(row["mentions"]), row["pronoun"][0]
        ids[n, :length], mask[n, :length] = torch.tensor(row["ids"]), 1
        mentions[n, :count], real[n, :count] = torch.tensor(row["mentions"]), True
        for first, last in row["mentions"]:
            marks[n, first : last + 1] = 2
        marks[n, at : row["pronoun"][1] + 1] = 1
        between = torch.tensor([at - last for _, last in row["mentions"]]).clamp(min=0)
        far[n, :count, 0] = torch.log1p(between) / 5
        far[n, :count, 1] = torch.tensor([min(8, count - 1 - k) / 8 for k in range(count)])
        if row["right"]:
            right[n, :count] = torch.tensor(row["right"])
    places = {"pronoun": torch.tensor([[row["pronoun"]] for row in rows]), "mentions": mentions}
    found = {"ids": ids, "mask": mask, "marks": marks, **places, "far": far}
    return {key: one.to(DEVICE) for key, one in {**found, "real": real, "right": right}.items()}


def batches(rows: Sequence[dict[str, Any]]) -> Iterator[list[int]]:
    """The decisions in any order, those of about one length together."""
    order = random.sample(range(len(rows)), len(rows))
    some = [order[n : n + BATCH * 32] for n in range(0, len(order), BATCH * 32)]
    for part in some:
        part.sort(key=lambda n: len(rows[n]["ids"]))
    found = [part[n : n + BATCH] for part in some for n in range(0, len(part), BATCH)]
    return iter(random.sample(found, len(found)))


def trained(
    rows: Sequence[dict[str, Any]], folder: Path, rank: int, seed: int, epochs: int = EPOCHS
) -> Pointer:
    """An encoder that was trained on decisions."""
    torch.manual_seed(seed)
    random.seed(seed)
    model = Pointer(folder, rank).to(DEVICE).train()
    head = [*model.marks.parameters(), *model.score.parameters()]
    layers = [p for p in model.encoder.parameters() if p.requires_grad]
    rate = RATES["rank" if rank else "all"]
    groups = [{"params": layers, "lr": rate}, {"params": head, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    plan = [batch for _ in range(epochs) for batch in batches(rows)]
    warm = max(1, len(plan) // 16)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, 1) * (1 - step / (len(plan) + 1))
    )
    for numbers in plan:
        batch = collated([rows[n] for n in numbers])
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            scores = model(batch)
        good = scores.masked_fill(~batch["right"], -1e4).logsumexp(1)
        optimizer.zero_grad()
        (scores.logsumexp(1) - good).mean().backward()
        nn.utils.clip_grad_norm_([*layers, *head], 1.0)
        optimizer.step()
        schedule.step()
    return model.eval()


@torch.no_grad()
def scored(model: Pointer, rows: Sequence[dict[str, Any]]) -> list[list[float]]:
    """The scores of all candidates; those that were left out get -30."""
    found = []
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        for row, scores in zip(part, model(collated(part)).tolist(), strict=True):
            every = [-30.0] * row["all"]
            for number, score in zip(row["kept"], scores, strict=False):
                every[number] = round(score, 3)
            found.append(every)
    return found


def read(path: Path) -> list[dict[str, Any]]:
    """The decisions of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(map(json.loads, file))


def main() -> None:
    """Train, and write the scores."""
    options = arguments(
        __doc__,
        argument("folder", type=Path),
        argument("--encoder", type=Path, required=True),
        argument("--seeds", type=int, default=3),
        argument("--rank", type=int, default=0, help="of low-rank additions; 0: all layers"),
        argument("--silver", action="store_true", help="train on silver.jsonl.gz too"),
    )
    tokenizer = Tokenizer.from_file(str(options.encoder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    rows = read(options.folder / "decisions.jsonl.gz")
    held = [prepared(row, tokenizer) for row in rows if row["part"] != "train"]
    train = [row for row in rows if row["part"] == "train"]
    if options.silver:
        train = [*train * 3, *read(options.folder / "silver.jsonl.gz")]
    train = [prepared(row, tokenizer) for row in train]
    train = [row for row in train if any(row["right"]) and not all(row["right"])]
    epochs = SILVER_EPOCHS if options.silver else EPOCHS
    for seed in range(options.seeds):
        start = time.perf_counter()
        model = trained(train, options.encoder, options.rank, seed, epochs)
        kind = f"rank{options.rank}" if options.rank else "all"
        kind += "-silver" if options.silver else ""
        target = options.folder / f"scores-{kind}-seed{seed}.json"
        target.write_text(json.dumps(scored(model, held)), encoding="utf-8")
        size = sum(p.numel() for p in model.parameters() if p.requires_grad)
        seconds = round(time.perf_counter() - start, 1)
        print_line({"file": target.name, "trained weights": size, "seconds": seconds})


if __name__ == "__main__":
    main()
