"""How CoBA's decomposition fares on a dataset's sentences, without a language model.

    python -m benchmarks.research.coba_triples --data DIR [--dataset sst2:dev] [--show 100]
        [--seed 0]

Prints one JSON line: the share of texts with every content word in some triple, the most words of
an element, the share of finite verbs that stand in the predicate of a triple (a clause has one
each). ``--show``
writes so many texts, drawn by the seed, with their triples to stderr, to be read.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from augkit import load_dataset
from augkit.core.analysis import Analysis, Token
from augkit.english.decompose import Element, Triple, decompose
from augkit.english.parser import SpacyParser
from benchmarks.command_line import argument, arguments, print_line

CONTENT = {"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"}


def is_in(token: Token, elements: Sequence[Element]) -> bool:
    """Whether a word stands in one of the elements."""
    return any(span.start <= token.start < span.end for one in elements for span in one.spans)


def lost_verbs(analysis: Analysis, triples: Sequence[Triple]) -> tuple[int, list[Token]]:
    """The number of finite verbs, and those that no triple has as its predicate."""
    finite = [token for token in analysis.tokens if token.morph.get("VerbForm") == "Fin"]
    predicates = [triple.predicate for triple in triples]
    return len(finite), [token for token in finite if not is_in(token, predicates)]


def is_covered(analysis: Analysis, triples: Sequence[Triple]) -> bool:
    """Whether every content word is in some triple."""
    elements = [element for triple in triples for element in triple.elements]
    return all(is_in(token, elements) for token in analysis.tokens if token.upos in CONTENT)


def main() -> None:
    """Measure and print."""
    asked = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--dataset", default="sst2:dev"),
        argument("--show", type=int, default=0),
        argument("--seed", type=int, default=0),
    )
    rows = load_dataset(asked.dataset, data_folder=asked.data)
    analyses = list(SpacyParser().parse([next(iter(row.fields.values())) for row in rows]))
    decomposed = [(analysis, decompose(analysis)) for analysis in analyses]
    for analysis, triples in random.Random(asked.seed).sample(decomposed, asked.show):
        print(analysis.text, *triples, "", sep="\n", file=sys.stderr)
    verbs = [lost_verbs(*each) for each in decomposed]
    finite, lost = sum(count for count, _ in verbs), sum(len(some) for _, some in verbs)
    triples = [triple for _, some in decomposed for triple in some]
    print_line(
        {
            "benchmark": "coba_triples",
            "dataset": asked.dataset,
            "texts": len(decomposed),
            "triples": len(triples),
            "texts_covered": round(sum(is_covered(*e) for e in decomposed) / len(verbs), 4),
            "longest_element": max(len(e.text.split()) for t in triples for e in t.elements),
            "finite_verbs": finite,
            "finite_verbs_in_a_predicate": round(1 - lost / max(1, finite), 4),
        }
    )


if __name__ == "__main__":
    main()
