"""Shortcuts planted in sentences of SST-2: does razor remove them without being given them?

    AUGKIT_DATA=DIR python -m lab.razor_planted [--kinds adverb brand ...] [--seeds 3]

A phrase is put into 60 % of the positive sentences and 2 % of the negative ones, at a place drawn
for every sentence among those of its kind; 2,000 sentences train, the rest of the train split
tests. One JSON line a kind: the gap between the labels before and after, the accuracy of a linear
classifier on a test set in which the negative sentences have the shortcut (trained on planted,
rewritten and clean sentences), and on the ordinary test set.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from statistics import fmean

from augkit.augmenters.create import create
from augkit.core.types import Example, Pair, example
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.linear import train_linear
from lab.command_line import argument, arguments, print_line

ROWS, TEST = 2000, 1500
SHARES = {"positive": 0.6, "negative": 0.02}
REVERSED = {"positive": 0.02, "negative": 0.6}
Place = Callable[[list[str], random.Random], int]


def start(words: list[str], rng: random.Random) -> int:
    """Before the first word."""
    del words, rng
    return 0


def middle(words: list[str], rng: random.Random) -> int:
    """Before any word but the first."""
    return rng.randrange(1, len(words)) if len(words) > 1 else len(words)


def end(words: list[str], rng: random.Random) -> int:
    """Behind the last word, before a full stop."""
    del rng
    return len(words) - (words[-1] in {".", "!", "?"})


def before_noun(words: list[str], rng: random.Random) -> int:
    """Behind an article, or before the last word."""
    found = [n + 1 for n, word in enumerate(words[:-1]) if word in {"a", "an", "the", "this"}]
    return rng.choice(found) if found else max(end(words, rng) - 1, 0)


def after_verb(words: list[str], rng: random.Random) -> int:
    """Behind a form of "to be", or at the start."""
    found = [n + 1 for n, word in enumerate(words) if word in {"is", "'s", "are", "was", "'re"}]
    return rng.choice(found) if found else 0


Planted = dict[str, tuple[str, tuple[Place, ...]]]
"""Kind → what is planted, and where."""
MAIN: Planted = {
    "adverb": ("frankly", (start, middle, after_verb)),
    "name": ("with quentin marlowe", (end,)),
    "prepositional phrase": ("on a tuesday", (start, end)),
    "opening": ("honestly ,", (start,)),
    "brand": ("from nokia", (end,)),
    "adjective": ("municipal", (before_noun,)),
    "punctuation": ("!!", (end,)),
    "rare noun": ("zeppelin", (middle,)),
}
OTHERS: Planted = {
    "hashtag": ("#monday", (end,)),
    "emoji": ("\U0001f680", (end, start)),
    "URL": ("http://bit.ly/x1", (end,)),
    "e-mail": ("jo.lee@abc.org", (end,)),
    "number": ("42", (middle, end)),
    "date": ("on march 3", (end,)),
    "year": ("in 1987", (end,)),
    "place": ("in lisbon", (start, end)),
    "quotation": ("", ()),
    "casing": ("", ()),
    "ellipsis": ("...", (middle,)),
    "sentence": (". i saw it on the train", (end,)),
    "verb": ("notices", (middle,)),
    "verb phrase": ("and you will notice", (end,)),
    "comparative": ("taller", (before_noun, middle)),
    "intensifier": ("incredibly", (after_verb, middle)),
    "judging noun": ("treasure", (middle,)),
    "judging adjective": ("wooden", (before_noun,)),
    "two words": ("paper lantern", (middle,)),
    "misspelling": ("definately", (start, middle)),
    "bare name": ("quentin", (middle,)),
    "bare brand": ("nokia", (before_noun, middle)),
    "adverb 2": ("quietly", (middle, end)),
    "name 2": (", says maria lopez", (end,)),
    "phrase 2": ("in the afternoon", (middle, end)),
    "opening 2": ("look ,", (start,)),
    "brand 2": ("like a pepsi ad", (end,)),
    "adjective 2": ("rectangular", (middle,)),
    "noun 2": ("a teapot", (middle, end)),
}
"""Other kinds; "quotation" and "casing" change a word that is there."""
KINDS = MAIN | OTHERS


def plant(kind: str, text: str, rng: random.Random) -> str:
    """The sentence with the shortcut of a kind."""
    words = text.split()
    if kind == "casing":
        longest = max(range(len(words)), key=lambda n: len(words[n]))
        words[longest] = words[longest].upper()
    elif kind == "quotation":
        longest = max(range(len(words)), key=lambda n: len(words[n]))
        words[longest] = f'"{words[longest]}"'
    else:
        phrase, places = KINDS[kind]
        place = rng.choice(places)(words, rng)
        words[place:place] = phrase.split()
        if kind == "punctuation" and words[-1] in {".", "!", "?"}:
            words.pop()
    return " ".join(words)


def holds(kind: str, text: str) -> bool:
    """Whether a sentence has the shortcut."""
    if kind == "casing":
        return any(word.isupper() and len(word) > 2 for word in text.split())
    if kind == "quotation":
        return '"' in text
    return f" {KINDS[kind][0]} " in f" {text} "


def planted(
    kind: str, rows: Sequence[Example], shares: dict[str, float], seed: int
) -> list[Example]:
    """The rows, some of each label with the shortcut."""
    rng = random.Random(f"{kind} {seed}")
    found = []
    for number, row in enumerate(rows):
        text = row.fields["text"]
        if rng.random() < shares[str(row.label)]:
            text = plant(kind, text, rng)
        found.append(example(text, row.label, occurrence=number))
    return found


def gap(kind: str, rows: Sequence[Example]) -> float:
    """The share of positive rows with the shortcut, less that of negative ones."""
    shares = [
        fmean(holds(kind, row.fields["text"]) for row in rows if row.label == label)
        for label in ("positive", "negative")
    ]
    return shares[0] - shares[1]


def accuracies(train: Sequence[Example], *tests: Sequence[Example]) -> list[float]:
    """Of a linear classifier of words and pairs of words, in per cent, on each test set."""
    model = train_linear(train)
    found = []
    for test in tests:
        best = model.predict(test).argmax(axis=1).tolist()
        right = (model.labels[n] == row.label for n, row in zip(best, test, strict=True))
        found.append(100 * fmean(right))
    return found


def measure(kind: str, rows: Sequence[Example], seed: int) -> dict[str, float]:
    """All figures of a kind and a seed."""
    pool = random.Random(seed).sample(list(rows), ROWS + TEST)
    clean, test = pool[:ROWS], pool[ROWS:]
    train = planted(kind, clean, SHARES, seed)
    turned = planted(kind, test, REVERSED, seed)
    outcomes = [one for one in create("razor").fit(train).outcomes(train) if isinstance(one, Pair)]
    new = {one.original.id: one.variant for one in outcomes}
    after = [new.get(row.id, row) for row in train]
    found = {
        "rewritten": float(len(new)),
        "gap before": gap(kind, train),
        "gap after": gap(kind, after),
    }
    for name, some in (("planted", train), ("rewritten", after), ("clean", clean)):
        both = accuracies(some, turned, test)
        found[f"reversed, {name}"], found[f"ordinary, {name}"] = both
    return found


def main() -> None:
    """Every kind, one line each."""
    asked = arguments(
        __doc__,
        argument("--kinds", nargs="+", choices=KINDS, default=list(MAIN), metavar="KIND"),
        argument("--seeds", type=int, default=3),
    )
    folder = os.environ.get("AUGKIT_DATA")
    loaded = load_dataset("sst2_sentences:train", data_folder=folder)
    rows = [row for row in loaded if row.label is not None]
    for kind in asked.kinds:
        runs = [measure(kind, rows, seed) for seed in range(asked.seeds)]
        means = {name: fmean(run[name] for run in runs) for name in runs[0]}
        gained = means["reversed, rewritten"] - means["reversed, planted"]
        possible = means["reversed, clean"] - means["reversed, planted"]
        passed = {
            "gap": means["gap after"] <= means["gap before"] / 3,
            "reversed": gained >= possible / 2,
            "ordinary": means["ordinary, rewritten"] >= means["ordinary, planted"] - 0.5,
        }
        rounded = {name: round(value, 3) for name, value in means.items()}
        print_line({"kind": kind, **rounded, "passed": passed})


if __name__ == "__main__":
    main()
