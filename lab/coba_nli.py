"""Do CoBA's pairs teach what human revisions teach? One JSON line for each classifier and arm.

    AUGKIT_DATA=DIR python -m lab.coba_nli --encoder PATH [--seeds 3] [--cache FILE]

Trains on ``nli_cad:original_train`` alone ("originals"), with its human revisions of premise and
hypothesis ("human"), and with the variants of ``coba`` made by rules from the originals alone
("coba", one arm a seed). Scores on the revised dev parts, and on what must not suffer: the original
dev and test parts and the first 2,000 rows of ``snli:dev``. ``closed`` is the share of the gap
between originals and human revisions that an arm closes, by part and over both.

The classifiers see the pair: every token of the hypothesis is aligned with the premise's tokens by
a frozen sentence encoder (a local folder, such as all-MiniLM-L6-v2), and vectors of sentences, of
aligned differences and of the worst aligned token, reduced to 400 directions found on the
originals, go into an RBF support vector machine (C = 1) or a logistic regression (C = 0.01).
Nothing of the revised parts is seen by the method. ``--cache`` keeps vectors for another time.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from augkit.augmenters.create import create
from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from lab.command_line import argument, arguments, print_line

SHARPNESS = 20.0
DIRECTIONS = 400
BATCH = 64
REVISED = ("revised_premise_dev", "revised_hypothesis_dev")
TESTS = {
    **{part: f"nli_cad:{part}" for part in (*REVISED, "original_dev", "original_test")},
    "snli_dev": "snli:dev",
}
SNLI_ROWS = 2000


class PairVectors:
    """Vectors of pairs of texts, computed once and kept in a sqlite file or in memory."""

    def __init__(self, encoder: Path, cache: str) -> None:
        """Read the encoder when the first new pair comes."""
        self._encoder = encoder
        self._cache = sqlite3.connect(cache)
        self._cache.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB)"
        )
        self._loaded: Any = None

    def of(self, rows: Sequence[Example]) -> np.ndarray:
        """float[rows, features]."""
        pairs = [tuple(row.fields.values()) for row in rows]
        keys = [hashlib.sha256("\0".join(pair).encode()).hexdigest() for pair in pairs]
        known = {key: vector for key in keys if (vector := self._known(key)) is not None}
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        tokens = self._tokens([text for pair in new.values() for text in pair])
        for key, (first, second) in new.items():
            known[key] = pair_vector(tokens[first], tokens[second]).astype(np.float16)
            self._cache.execute("INSERT INTO vectors VALUES (?, ?)", (key, known[key].tobytes()))
        self._cache.commit()
        return np.stack([known[key] for key in keys]).astype(np.float32)

    def _known(self, key: str) -> np.ndarray | None:
        found = self._cache.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return np.frombuffer(found[0], dtype=np.float16) if found else None

    def _tokens(self, texts: Sequence[str]) -> dict[str, np.ndarray]:
        """The last layer's vectors of each text, boundary tokens included."""
        import torch
        from transformers import AutoModel, AutoTokenizer

        if texts and self._loaded is None:
            made = (AutoTokenizer, AutoModel)
            self._loaded = tuple(kind.from_pretrained(self._encoder) for kind in made)
        found = {}
        ordered = sorted(set(texts), key=len)
        for start in range(0, len(ordered), BATCH):
            batch = ordered[start : start + BATCH]
            tokenizer, model = self._loaded
            read = tokenizer(
                batch, padding=True, truncation=True, max_length=128, return_tensors="pt"
            )
            with torch.no_grad():
                states = model.eval()(**read).last_hidden_state.numpy()
            lengths = read["attention_mask"].sum(1).tolist()
            found.update({text: states[n, : lengths[n]] for n, text in enumerate(batch)})
        return found


def pair_vector(premise: np.ndarray, hypothesis: np.ndarray) -> np.ndarray:
    """What a pair is like: both sentences, and each token of one beside its like in the other."""
    first, second = unit(premise.mean(0)), unit(hypothesis.mean(0))
    there, here = (unit(x[1:-1] if len(x) > 2 else x) for x in (premise, hypothesis))
    likeness = here @ there.T
    meant = softmax(SHARPNESS * likeness) @ there
    apart = np.abs(here - meant)
    best, covered = likeness.max(1), likeness.max(0)
    worst = int(best.argmin())
    lengths = [len(there) / 20, len(here) / 20, len(here) / len(there)]
    likes = [first @ second, best.mean(), best.min(), np.sort(best)[:2].mean()]
    return np.concatenate(
        [
            first,
            second,
            np.abs(first - second),
            first * second,
            apart.mean(0),
            apart.max(0),
            here[worst],
            meant[worst],
            here[worst] * meant[worst],
            np.array([*likes, covered.mean(), covered.min(), *lengths]),
        ]
    )


def unit(x: np.ndarray) -> np.ndarray:
    """Vectors of length 1."""
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)


def softmax(x: np.ndarray) -> np.ndarray:
    """Rows that sum to 1."""
    grown = np.exp(x - x.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True)


class Directions:
    """The main directions of the originals' vectors; the smaller ones are shrunk less."""

    def __init__(self, vectors: np.ndarray) -> None:
        """Find them on float[rows, features]."""
        self._mean, self._spread = vectors.mean(0), vectors.std(0) + 1e-6
        scaled = (vectors - self._mean) / self._spread
        _, sizes, rows = np.linalg.svd(scaled, full_matrices=False)
        deviation = sizes[:DIRECTIONS] / np.sqrt(len(vectors))
        self._map = rows[:DIRECTIONS].T / np.sqrt(deviation)

    def of(self, vectors: np.ndarray) -> np.ndarray:
        """float[rows, directions]."""
        return ((vectors - self._mean) / self._spread) @ self._map


def classifiers() -> dict[str, Any]:
    """Makers of the classifiers by name."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    return {
        "svm": lambda: SVC(C=1.0),
        "logistic": lambda: LogisticRegression(C=0.01, max_iter=500),
    }


def closed(
    scores: dict[str, float], low: dict[str, float], high: dict[str, float]
) -> dict[str, float]:
    """Share of the gap that is closed, by revised part and over both."""
    gaps = {part: (scores[part] - low[part], high[part] - low[part]) for part in REVISED}
    shares = {part: round(gain / gap, 3) if gap else 0.0 for part, (gain, gap) in gaps.items()}
    gained, whole = (sum(values) for values in zip(*gaps.values(), strict=True))
    return {**shares, "both": round(gained / whole, 3) if whole else 0.0}


def main() -> None:
    """Print one line for each classifier and arm."""
    asked = arguments(
        __doc__,
        argument("--encoder", type=Path, required=True),
        argument("--cache", default=":memory:", help="a sqlite file"),
        argument("--seeds", type=int, default=3),
    )
    folder = Path(os.environ["AUGKIT_DATA"])

    def read(spec: str) -> list[Example]:
        return [row for row in load_dataset(spec, data_folder=folder) if not row.fault]

    originals = read("nli_cad:original_train")
    human = read("nli_cad:revised_premise_train") + read("nli_cad:revised_hypothesis_train")
    arms: dict[str, list[Example]] = {"originals": [], "human": human}
    for seed in range(asked.seeds):
        method = create("coba", seed=seed).fit(originals)
        arms[f"coba seed {seed}"] = [pair.variant for pair in method(originals)]
    vectors = PairVectors(asked.encoder, asked.cache)
    directions = Directions(vectors.of(originals))
    tests = {name: read(spec) for name, spec in TESTS.items()}
    tests["snli_dev"] = tests["snli_dev"][:SNLI_ROWS]
    seen = {name: directions.of(vectors.of(rows)) for name, rows in tests.items()}
    for name, make in classifiers().items():
        scores: dict[str, dict[str, float]] = {}
        for arm, more in arms.items():
            rows = [*originals, *more]
            fitted = make().fit(directions.of(vectors.of(rows)), [row.label for row in rows])
            scores[arm] = {
                test: round(100 * fitted.score(seen[test], [row.label for row in rows]), 1)
                for test, rows in tests.items()
            }
            result = {"benchmark": "coba_nli", "classifier": name, "arm": arm, "added": len(more)}
            share = (
                {"closed": closed(scores[arm], scores["originals"], scores["human"])}
                if arm.startswith("coba")
                else {}
            )
            print_line({**result, **scores[arm], **share})


if __name__ == "__main__":
    main()
