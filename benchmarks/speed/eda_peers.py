"""Synonyms by nlpaug: JSON objects with texts on standard input, a count and seconds back for each.

Run by ``benchmarks/speed/eda_speed.py`` with the Python of an environment that has nlpaug; it
imports nothing of augkit. nlpaug asks NLTK's tagger, whose data cannot be had from a package index:
here every word is said to be a noun, at no cost, which makes nlpaug faster than it is.
"""

from __future__ import annotations

import json
import sys
import time

import nlpaug.augmenter.word as naw
from nlpaug.model.word_dict.wordnet import WordNet


def main() -> None:
    """Answer block by block until the input ends."""
    WordNet.pos_tag = classmethod(lambda _, tokens: [(token, "NN") for token in tokens])
    augmenter = naw.SynonymAug(aug_src="wordnet", aug_p=0.1, aug_max=None)
    for line in sys.stdin:
        asked = json.loads(line)
        started, made = time.process_time(), 0
        for text in asked["texts"]:
            made += len(augmenter.augment(text, n=asked["copies"]))
        print(json.dumps([made, time.process_time() - started]), flush=True)


if __name__ == "__main__":
    main()
