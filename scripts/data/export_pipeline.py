"""Turn a trained pipeline into the one that ships: lemmas added, names pruned, weights in 16 bits.

python scripts/data/export_pipeline.py --treebanks DIR --trained WORK/best \
    --to augkit/english/pipeline
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import srsly
from spacy.language import Language
from thinc.api import Config
from treebanks import read

from augkit.english.parser import read_pipeline
from augkit.english.spacy_components import LEMMAS, NAME_TAGS, lemma, plain

TREEBANKS = ("ewt", "gum")
DESCRIPTION = {
    "name": "augkit_pipeline",
    "version": "1.0.0",
    "description": "Tags, features, relations and lemmas of Universal Dependencies for English",
    "license": "CC BY-SA 4.0",
    "sources": [
        {"name": "UD English EWT", "license": "CC BY-SA 4.0"},
        {"name": "UD English GUM (openly licensed genres)", "license": "CC BY 4.0, CC BY-SA"},
    ],
}


def export(treebanks: Path, trained: Path, to: Path) -> None:
    """Write the pipeline in ``trained`` to ``to`` in the form that ships."""
    nlp = read_pipeline(trained)
    words = [
        (word.form, word.xpos, word.lemma)
        for name in TREEBANKS
        for sentence in read(treebanks / f"{name}_train.conllu.gz")
        for word in sentence.words
    ]
    component = nlp.add_pipe(LEMMAS)
    component.table = lemma_exceptions(words)  # type: ignore[attr-defined]
    nlp.meta.update(DESCRIPTION)
    nlp.to_disk(to)
    keep_only_names(nlp, to)
    for path in sorted(to.glob("*/model")):
        halve(path)


def keep_only_names(nlp: Language, to: Path) -> None:
    """Drop the treebanks' words from the list of strings and the training part of the config.

    The tables of vectors are hashed, so that only the names of tags and relations are needed.
    """
    names = {label for component in nlp.pipe_names for label in nlp.pipe_labels.get(component, [])}
    pieces = {part for name in names for part in name.replace("|", " ").split()}
    strings = sorted(names | pieces | {"ROOT", "dep"})
    (to / "vocab" / "strings.json").write_text(
        json.dumps(strings, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )
    config = Config().from_disk(to / "config.cfg")
    Config({key: config[key] for key in ("nlp", "components")}).to_disk(to / "config.cfg")


def halve(path: Path) -> None:
    """Store the weights of a layer file with 16 bits each."""
    stored = srsly.msgpack_loads(path.read_bytes())
    stored["params"] = [
        {name: value if value is None else narrow(value) for name, value in layer.items()}
        for layer in stored["params"]
    ]
    path.write_bytes(srsly.msgpack_dumps(stored))


def narrow(value: np.ndarray) -> np.ndarray:
    """A weight array in half precision; what would overflow there is not a trained weight."""
    half = value.astype("float16")
    if not np.isfinite(half).all():
        raise OverflowError("a weight does not fit into 16 bits: train with more weight decay")
    return half


def lemma_exceptions(words: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """The table for the ``(form, xpos, lemma)`` of a treebank: where the rule is wrong.

    >>> lemma_exceptions([("'ll", "MD", "will"), ("dogs", "NNS", "dog")])
    {"'ll MD": 'will'}
    """
    seen: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for form, xpos, right in words:
        if right != "_":  # the second half of a word written apart by mistake
            seen[plain(form).lower(), xpos][right] += 1
    table: dict[str, str] = {}
    for (form, xpos), counts in sorted(seen.items()):
        usual = min(counts, key=lambda right: (-counts[right], right))
        if xpos not in NAME_TAGS and usual != lemma(form, xpos):
            table[f"{form} {xpos}"] = usual
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--trained", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    args = parser.parse_args()
    export(args.treebanks, args.trained, args.to)
