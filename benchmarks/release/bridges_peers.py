"""Augmenters of other libraries through ``augkit.from_callable``: what they give, as JSON.

Run by ``benchmarks/release/bridges.py`` with the Python of an environment that has the libraries
and what augkit needs. Those whose data cannot be had offline say so: {"tool", "error"}.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

from augkit.augmenters.adapters.from_callable import from_callable
from augkit.augmenters.compose import chain
from augkit.augmenters.create import create
from augkit.core.types import Example, Pair, digest
from augkit.datasets.load import load_dataset


def nlpaug_words() -> Any:
    """Neighbouring words change places."""
    import nlpaug.augmenter.word as naw

    return naw.RandomWordAug(action="swap")


def nlpaug_letters() -> Any:
    """Letters are replaced at random."""
    import nlpaug.augmenter.char as nac

    return nac.RandomCharAug(action="substitute")


def nlpaug_synonyms() -> Any:
    """Synonyms of WordNet; the tagger's data are on no package index, so all words are nouns."""
    import nlpaug.augmenter.word as naw
    from nlpaug.model.word_dict.wordnet import WordNet

    WordNet.pos_tag = classmethod(lambda _, tokens: [(token, "NN") for token in tokens])
    return naw.SynonymAug(aug_src="wordnet")


def textattack_wordnet() -> Any:
    """Synonyms of WordNet."""
    from textattack.augmentation import WordNetAugmenter

    return WordNetAugmenter(transformations_per_example=3)


def textattack_letters() -> Any:
    """Letters swapped, lost, put in."""
    from textattack.augmentation import CharSwapAugmenter

    return CharSwapAugmenter(transformations_per_example=3)


def augly_misspellings() -> Any:
    """Usual misspellings; AugLy 1.0.0 fails at its other kinds of typos with nlpaug 1.1.11."""
    from augly.text import SimulateTypos

    return SimulateTypos(typo_type="misspelling")


def augly_letters() -> Any:
    """Letters become signs that look like them."""
    from augly.text import ReplaceSimilarChars

    return ReplaceSimilarChars()


def augly_splits() -> Any:
    """Words are split."""
    from augly.text import SplitWords

    return SplitWords()


TOOLS: dict[str, Callable[[], Any]] = {
    "nlpaug RandomWordAug": nlpaug_words,
    "nlpaug RandomCharAug": nlpaug_letters,
    "nlpaug SynonymAug": nlpaug_synonyms,
    "TextAttack WordNetAugmenter": textattack_wordnet,
    "TextAttack CharSwapAugmenter": textattack_letters,
    "AugLy SimulateTypos": augly_misspellings,
    "AugLy ReplaceSimilarChars": augly_letters,
    "AugLy SplitWords": augly_splits,
}


def texts(step: Any, rows: list[Example]) -> dict[str, list[str]]:
    """The variants of each row."""
    found: dict[str, list[str]] = {row.id: [] for row in rows}
    for pair in step(rows):
        found[pair.original.id].append(pair.variant.fields["text"])
    return found


def tried(tool: Any, rows: list[Example], name: str) -> dict[str, Any]:
    """The same seed forwards, backwards after other draws, row by row, and in a chain."""
    random.seed(1)
    forwards = texts(from_callable(tool, name, seed=3), rows)
    random.seed(2)
    backwards = texts(from_callable(tool, name, seed=3), rows[::-1])
    alone = {row.id: texts(from_callable(tool, name, seed=3), [row])[row.id] for row in rows}
    chained = chain(from_callable(tool, name, seed=3), create("mask-phrase", seed=3))
    outcomes = list(chained.outcomes(rows))
    raw = getattr(tool, "augment", tool)
    return {
        "same seed, same output": forwards == backwards == alone,
        "another seed differs": texts(from_callable(tool, name, seed=4), rows) != forwards,
        "called bare, twice": "same" if raw(TEXT) == raw(TEXT) else "differs",
        "variants": sum(map(len, forwards.values())),
        "in a chain": sum(isinstance(one, Pair) for one in outcomes),
        "digest": digest(*(text for some in forwards.values() for text in some)),
        "example": next(iter(forwards.values())),
    }


TEXT = "A truly wonderful movie with an excellent cast and a story that the kids enjoyed."


def measured_of(name: str, make: Callable[[], Any], rows: list[Example]) -> dict[str, Any]:
    """What was found of a tool, or why it cannot be tried."""
    try:
        return {"tool": name, **tried(make(), rows, name)}
    except (ImportError, LookupError, OSError, AttributeError, TypeError) as error:
        return {"tool": name, "error": f"{type(error).__name__}: {error}"[:200]}


def main() -> None:
    """One object for each tool."""
    rows = load_dataset("reviews-demo")[: int(sys.argv[1])]
    with redirect_stdout(sys.stderr):
        chosen = {name: make for name, make in TOOLS.items() if name.startswith(sys.argv[2])}
        record = [measured_of(name, make, rows) for name, make in chosen.items()]
    print(json.dumps(record))


if __name__ == "__main__":
    main()
