"""Fit the weights by which a pronoun chooses among persons, on GUM, LitBank and GAP.

    python scripts/data/fit_antecedents.py --data DIR [--target FILE]

Every pronoun with two or more candidates, of which one is right, gives one decision; the pronouns
before it are linked as annotated. The weights maximise the likelihood of the right persons less
``STRENGTH`` · Σ w². GAP marks two names a text: other candidates are left out there. It prints the
share of right decisions on the held-out parts, before it writes the weights.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from treebanks import documents

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.rules.antecedents import candidate_features
from augkit.augmenters.panda.rules.coreference import link_mentions, most_likely, with_genderless
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.mentions import Mention, Person, find_mentions
from augkit.core.types import Example
from augkit.english.parser import SpacyParser

TARGET = Path(__file__).parents[2] / "augkit/lexicons/data/antecedents.tsv"
STRENGTH = 2.0
WINDOW = 400
"""Characters of a part of a text, at least."""
FEWEST = 10
"""A feature seen less often gets no weight."""
_GLUED = re.compile("[,.;:!?)\u201d]|['\u2019]\\w{0,2}$|n['\u2019]t$")
_STOP = re.compile(r"[.!?][\"\u201d]? (?=[A-Z\"\u201c])|\n\n")
HEADER = """\
# What holds of a pronoun and a person, and how much it speaks for that person.
# Source: fitted by scripts/data/fit_antecedents.py on the training parts of GUM 11.1 (Georgetown
# University, annotation CC BY 4.0), LitBank (David Bamman, CC BY 4.0) and GAP (Google, Apache-2.0);
# no text of them is in this file. Licence: Apache-2.0, as augkit.
"""
Spans = dict[tuple[int, int], int]
"""The chain of each annotated span: (start, end) of its head."""


class Decision(NamedTuple):
    """A pronoun of a text, and each candidate: its features, its mentions, and if it is right."""

    features: list[set[str]]
    right: list[bool]
    text: str
    pronoun: tuple[int, int]
    mentions: list[list[tuple[int, int]]]


def gum(data: Path, split: str) -> Iterator[tuple[str, Spans, bool]]:
    """Texts of a part of GUM with the heads of their mentions."""
    for one in documents(data / "ud" / f"gum_{split}.conllu.gz"):
        tokens = one.analysis.tokens
        spans = {
            (tokens[e.head].start, tokens[e.head].end): e.chain
            for e in one.entities
            if e.type == "person"
        }
        yield one.analysis.text, spans, False


def litbank(data: Path, part: str) -> Iterator[tuple[str, Spans, bool]]:
    """Novels of LitBank: of every ten, the tenth is for "test", the ninth for "dev"."""
    with gzip.open(data / "coref/litbank/all.conll.gz", "rt", encoding="utf-8") as file:
        blocks = re.split(r"#begin document \((.*)\).*\n", file.read())[2::2]
    wanted = {"train": range(8), "dev": range(8, 9), "test": range(9, 10)}[part]
    for number, block in enumerate(blocks):
        if number % 10 in wanted:
            yield *_novel(block), False


def _novel(block: str) -> tuple[str, Spans]:
    """The text of a novel, and the chain of the last word of each marked span.

    The last word is the head of most phrases that name a person.
    """
    text, spans, opened = "", {}, list[tuple[int, int]]()
    for line in block.splitlines():
        columns = line.split("\t")
        if len(columns) < 13:
            continue
        word, glued = columns[3], text.endswith(("(", "\u201c", "\u2018", "\n"))
        if text and not glued and not _GLUED.match(word):
            text += " "
        start = len(text)
        text += word
        for found in re.finditer(r"\((\d+)(\)?)|(\d+)\)", columns[12]):
            if found[1]:
                opened.append((int(found[1]), start))
            if found[2] or found[3]:
                chain = int(found[1] or found[3])
                place = max(n for n, one in enumerate(opened) if one[0] == chain)
                first = opened.pop(place)[1]
                if len(text) - first < 40:
                    spans.setdefault((start, len(text)), chain)
    return text, spans


def gap(data: Path, part: str) -> Iterator[tuple[str, Spans, bool]]:
    """The questions of GAP, as spans of three mentions; ``part`` as in its files."""
    with gzip.open(data / f"coref/gap/{part}.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            true = {one: row[f"{one}-coref"].upper() == "TRUE" for one in "AB"}
            if any(true.values()):
                spans = {_span(row, one): int(true[one]) for one in "AB"}
                yield row["Text"], spans | {_span(row, "Pronoun"): 1}, True


def _span(row: dict[str, str], name: str) -> tuple[int, int]:
    start = int(row[f"{name}-offset"])
    return start, start + len(row[name])


def windows(text: str, spans: Spans) -> Iterator[tuple[str, Spans, bool]]:
    """A text in parts of about ``WINDOW`` characters, each ending with a sentence.

    Texts that are rewritten are short: who was mentioned most counts less there than in a novel.
    """
    start = 0
    while start < len(text):
        stop = _STOP.search(text, start + WINDOW)
        end = stop.end() if stop else len(text)
        inside = {k: c for k, c in spans.items() if start <= k[0] and k[1] <= end}
        moved = {(s - start, e - start): c for (s, e), c in inside.items()}
        yield text[start:end], moved, False
        start = end


class Reader:
    """Writes the decisions over texts down."""

    def __init__(self) -> None:
        """Parse with the bundled pipeline."""
        self.parser = SpacyParser()
        self.decisions: list[Decision] = []

    def read(self, text: str, spans: Spans, named_only: bool) -> None:
        """Link the mentions of a text as annotated, and note what each pronoun chooses from."""
        task = PerturbTask(Example({"text": text}), "text", 0, 0, "gender", "man", random.Random(0))
        doc = Document(task, {text: self.parser.parse([text])[0]})
        mentions = with_genderless(doc, find_mentions(doc))
        mentions = _with_names(text, spans, mentions) if named_only else mentions
        chains = {id(m): c for m in mentions if (c := _chain(m, spans)) is not None}

        def choose(doc: Document, mention: Mention, persons: list[Person]) -> Person:
            right = [_is_right(chains.get(id(mention)), p, chains) for p in persons]
            known = [any(id(m) in chains for m in p.mentions) for p in persons]
            kept = [n for n, k in enumerate(known) if k or not named_only]
            if any(right) and not all(right[n] for n in kept):
                rows = candidate_features(doc, mention, persons)
                kinds = [rows[n] for n in kept], [right[n] for n in kept]
                theirs = [[(m.start, m.end) for m in persons[n].mentions] for n in kept]
                place = (mention.start, mention.end)
                self.decisions.append(Decision(*kinds, text, place, theirs))
            return persons[right.index(True)] if any(right) else most_likely(doc, mention, persons)

        link_mentions(doc, mentions, choose)


def _with_names(text: str, spans: Spans, found: list[Mention]) -> list[Mention]:
    """The mentions, and marked names that no list has, of the gender of the marked pronoun."""
    marked = {s: [m for m in found if s[0] < m.end and m.start < s[1]] for s in spans}
    gender = next((m.gender for some in marked.values() for m in some if m.kind == "pronoun"), "")
    for span in (s for s, some in marked.items() if not some):
        words = frozenset(re.findall(r"\w+", text[slice(*span)].lower()))
        found.append(Mention(*span, "name", gender, "singular", words=words))
    return sorted(found, key=lambda m: m.start)


def _chain(mention: Mention, spans: Spans) -> int | None:
    inside = [c for (s, e), c in spans.items() if s < mention.end and mention.start < e]
    return inside[-1] if inside else None


def _is_right(chain: int | None, person: Person, chains: dict[int, int]) -> bool:
    theirs = [chains[id(m)] for m in person.mentions if id(m) in chains]
    return bool(theirs) and chain == Counter(theirs).most_common(1)[0][0]


def decisions(texts: Iterator[tuple[str, Spans, bool]]) -> list[Decision]:
    """The decisions over some texts."""
    reader = Reader()
    for text, spans, named_only in texts:
        for part in [(text, spans, True)] if named_only else windows(text, spans):
            reader.read(*part)
    return reader.decisions


def fit(some: Sequence[Decision]) -> dict[str, float]:
    """The weights that make the right decisions likely."""
    counts = Counter(f for one in some for row in one.features for f in row)
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    found = minimize(_loss(some, names), np.zeros(len(names)), jac=True, method="L-BFGS-B")
    return dict(zip(names, found.x.tolist(), strict=True))


def _loss(some: Sequence[Decision], names: Sequence[str]) -> Any:
    column = {name: number for number, name in enumerate(names)}
    features = [row for one in some for row in one.features]
    rows = [[column[f] for f in row if f in column] for row in features]
    ends = np.cumsum([0, *map(len, rows)])
    places = np.array([number for row in rows for number in row])
    table = csr_matrix((np.ones(len(places)), places, ends), (len(rows), len(names)))
    right = np.array([r for one in some for r in one.right])
    owner = np.repeat(np.arange(len(some)), [len(one.right) for one in some])
    starts = np.flatnonzero(np.diff(owner, prepend=-1))

    def loss(weights: Any) -> tuple[float, Any]:
        scores = table @ weights
        shares = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        every, good = np.bincount(owner, shares), np.bincount(owner, shares * right) + 1e-12
        value = np.sum(np.log(every) - np.log(good)) + STRENGTH * weights @ weights
        pull = shares / every[owner] - shares * right / good[owner]
        return value, table.T @ pull + 2 * STRENGTH * weights

    return loss


def share_right(some: Sequence[Decision], weights: dict[str, float]) -> float:
    """The share of decisions whose highest score is a right person's."""
    good = 0
    for one in some:
        scores = [sum(weights.get(f, 0.0) for f in row) for row in one.features]
        good += one.right[scores.index(max(scores))]
    return good / len(some)


def main() -> None:
    """Fit, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA"))
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    data = Path(options.data)
    train = [decisions(gum(data, "train")), decisions(gum(data, "test"))]
    train += [decisions(litbank(data, part)) for part in ("train", "test")]
    train += [decisions(gap(data, part)) for part in ("development", "test")]
    held = {
        "GUM": decisions(gum(data, "dev")),
        "LitBank": decisions(litbank(data, "dev")),
        "GAP": decisions(gap(data, "validation")),
    }
    found = fit([one for part in train for one in part])
    for name, part in held.items():
        print(f"{name}: {share_right(part, found):.3f} of {len(part)} decisions right")
    kept = {name: round(weight, 2) for name, weight in found.items() if abs(weight) >= 0.05}
    rows = "".join(f"{name}\t{weight}\n" for name, weight in sorted(kept.items()))
    options.target.write_text(HEADER + rows, encoding="utf-8")
    print(f"{len(kept)} weights: {options.target}")


if __name__ == "__main__":
    main()
