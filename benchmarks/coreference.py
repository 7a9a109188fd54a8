"""How well person pronouns are resolved on GUM: one JSON line.

    python benchmarks/coreference.py --data DIR [--split dev test] [--pipeline NAME]

DIR holds ``ud/gum_dev.conllu.gz`` and ``ud/gum_test.conllu.gz``. Counted are the third-person
pronouns (he, she and they in all forms) whose gold entity is a person. A pronoun is *right* where
the mention that it is linked to, the nearest earlier one of its person, belongs to its gold chain.

- precision: right links / links. A link from the first mention of a chain is wrong.
- recall: right links / pronouns that have an earlier mention in their chain. One that is left
  unresolved, or begins a person of its own, counts against recall.

``nominal`` asks more: the link is the nearest earlier name or noun of the person, not a pronoun.
Baselines, with the same mentions, names and genders: ``nearest_noun``, the nearest earlier name,
noun or coordination that agrees in gender and number; ``nearest_mention`` takes pronouns too.
``raw`` is text through the pipeline, ``gold`` the treebank's own words, tags and heads.
Intervals: 95 %, bootstrap over documents.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from augkit.core.analysis import Analysis
from augkit.language.coreference.antecedents import Cluster, agrees
from augkit.language.coreference.mention_detection import detect_mentions
from augkit.language.coreference.mentions import PRONOUNS, DetectedMention, Mention
from augkit.language.coreference.resolve import resolve_people
from augkit.language.parser import BUNDLED, SpacyParser

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from treebanks import Document, Entity, documents

Links = dict[int, Mention]
"""Where a pronoun begins → the mention that it is linked to."""
Tally = tuple[int, int, int]
"""Right links, links, pronouns that have an antecedent."""

SAMPLES = 2_000


@dataclass(frozen=True)
class Gold:
    """A person pronoun: where it begins, its chain, and whether an earlier mention has that."""

    start: int
    chain: int
    later: bool


def pronouns(document: Document) -> Iterator[Gold]:
    """The third-person pronouns of a document that refer to people."""
    tokens, detected = document.analysis.tokens, set[int]()
    for entity in document.entities:
        token = tokens[entity.first]
        alone = entity.type == "person" and entity.first == entity.last
        if alone and token.text.lower() in PRONOUNS:
            yield Gold(token.start, entity.chain, entity.chain in detected)
        detected.add(entity.chain)


def chain_of(document: Document, mention: Mention) -> int | None:
    """The gold chain of a mention: the entity whose head it covers, the widest for a group.

    Failing that, the narrowest entity around it: "people" for "a lot of people".
    """
    tokens = document.analysis.tokens

    def size(entity: Entity) -> int:
        return entity.last - entity.first

    found = [
        entity
        for entity in document.entities
        if mention.start <= tokens[entity.head].start < mention.end
    ]
    if not found:
        around = [e for e in document.entities if _covers(document, e, mention)]
        return min(around, key=size).chain if around else None
    first = min(tokens[entity.head].start for entity in found)
    found = [entity for entity in found if tokens[entity.head].start == first]
    return (max if mention.kind == "group" else min)(found, key=size).chain


def _covers(document: Document, entity: Entity, mention: Mention) -> bool:
    tokens = document.analysis.tokens
    return tokens[entity.first].start <= mention.start and mention.end <= tokens[entity.last].end


def by_rules(analysis: Analysis) -> tuple[Links, Links]:
    """Links to the nearest earlier mention of the same person, and to the nearest name or noun."""
    nearest: Links = {}
    nominal: Links = {}
    for person in resolve_people(analysis).persons:
        last: Mention | None = None
        last_nominal: Mention | None = None
        for mention in person.mentions:
            if mention.kind in {"title", "relative"}:  # GUM has no mentions of their own for these
                continue
            if mention.kind == "pronoun":
                nearest |= {mention.start: last} if last else {}
                nominal |= {mention.start: last_nominal} if last_nominal else {}
            else:
                last_nominal = mention
            last = mention
    return nearest, nominal


def by_distance(analysis: Analysis, kinds: set[str]) -> Links:
    """Links to the nearest earlier mention of some kinds that agrees."""
    links: Links = {}
    before: list[DetectedMention] = []
    for detected in detect_mentions(analysis):
        if detected.mention.kind == "pronoun":
            for other in reversed(before[-60:]):
                if other.mention.kind in kinds and agree(detected, other):
                    links[detected.mention.start] = other.mention
                    break
        before.append(detected)
    return links


def agree(detected: DetectedMention, other: DetectedMention) -> bool:
    """Whether a pronoun agrees with one other mention, "they" with a plural only."""
    cluster = Cluster()
    cluster.add(other)
    return agrees(detected, cluster) and detected.mention.plural == other.mention.plural


def tally(document: Document, links: Links) -> Tally:
    """Count over a document."""
    gold = list(pronouns(document))
    linked = [(one, links[one.start]) for one in gold if one.start in links]
    right = sum(chain_of(document, mention) == one.chain and one.later for one, mention in linked)
    return right, len(linked), sum(one.later for one in gold)


def scores(tallies: Sequence[Tally]) -> dict[str, float]:
    """Precision, recall and F1 in per cent."""
    right, links, wanted = (sum(column) for column in zip(*tallies, strict=True))
    precision, recall = right / max(links, 1), right / max(wanted, 1)
    f1 = 2 * right / max(links + wanted, 1)
    names = ("precision", "recall", "f1")
    return {
        name: round(100 * value, 1)
        for name, value in zip(names, (precision, recall, f1), strict=True)
    }


def interval(values: Callable[[Sequence[int]], float], count: int) -> list[float]:
    """The middle 95 % of a figure over draws of documents."""
    draw = random.Random(0)
    found = sorted(values(draw.choices(range(count), k=count)) for _ in range(SAMPLES))
    return [found[int(0.025 * SAMPLES)], found[int(0.975 * SAMPLES)]]


def compare(tallies: dict[str, list[Tally]]) -> dict[str, object]:
    """The figures of every way, with intervals, and how far the rules are above the baseline."""
    result: dict[str, object] = {}
    count = len(tallies["rules"])

    def f1(name: str, draw: Sequence[int]) -> float:
        return scores([tallies[name][i] for i in draw])["f1"]

    for name, some in tallies.items():
        result[name] = scores(some) | {"f1_interval": interval(lambda d, n=name: f1(n, d), count)}
    every = range(count)
    above = lambda d: round(f1("rules", d) - f1("nearest_noun", d), 1)  # noqa: E731 (used twice)
    result["f1_above_nearest_noun"] = above(every)
    result["f1_above_interval"] = interval(above, count)
    return result


def measure(data: Path, splits: Sequence[str], pipeline: str) -> dict[str, object]:
    """Every figure of the benchmark."""
    some = [one for split in splits for one in documents(data / "ud" / f"gum_{split}.conllu.gz")]
    result: dict[str, object] = {
        "benchmark": "coreference",
        "split": "+".join(splits),
        "pipeline": pipeline,
        "documents": len(some),
        "pronouns": sum(1 for one in some for _ in pronouns(one)),
    }
    raw = SpacyParser(pipeline).parse([one.analysis.text for one in some])
    began = time.process_time()
    words = sum(len(people_words(analysis)) for analysis in raw)
    result["words_per_cpu_second"] = round(words / (time.process_time() - began))
    for name, analyses in (("raw", raw), ("gold", [one.analysis for one in some])):
        result[name] = compare(tallies_of(some, analyses))
    return result


def people_words(analysis: Analysis) -> Sequence[object]:
    """Resolve a text and give its words back, for the clock."""
    resolve_people(analysis)
    return analysis.tokens


def tallies_of(some: Sequence[Document], analyses: Sequence[Analysis]) -> dict[str, list[Tally]]:
    """A tally per document for every way."""
    tallies: dict[str, list[Tally]] = {}
    for document, analysis in zip(some, analyses, strict=True):
        nearest, nominal = by_rules(analysis)
        ways = {
            "rules": nearest,
            "rules_nominal": nominal,
            "nearest_noun": by_distance(analysis, {"name", "noun", "group"}),
            "nearest_mention": by_distance(analysis, {"name", "noun", "group", "pronoun"}),
        }
        for name, links in ways.items():
            tallies.setdefault(name, []).append(tally(document, links))
    return tallies


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA"))
    parser.add_argument("--split", nargs="+", default=["dev", "test"])
    parser.add_argument("--pipeline", default=BUNDLED)
    args = parser.parse_args()
    if args.data is None:
        parser.error("give --data or set AUGKIT_DATA")
    print(json.dumps(measure(Path(args.data), args.split, args.pipeline)))
