"""Decisions with known answers from texts of a man and a woman: see panda_coref.py.

In such a text gender says whose a pronoun is. One of the two is rewritten to the other's gender by
the rules; then the text has two persons of one gender, and the answer is still known. The texts are
those of the files below and of LitBank's training part, two sentences at a time.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import fit_antecedents as corpora

from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.rules.coreference import link_mentions
from augkit.augmenters.panda.rules.document import Document, NotParsed
from augkit.augmenters.panda.rules.mentions import Mention, find_mentions
from augkit.core.edits import Edit
from augkit.core.types import Example
from augkit.english.parser import SpacyParser

FILES = ("imdb/all", "snli/train_100k", "vitaminc/all", "fever/test", "mnli/train_10k")
_STOP = re.compile(r"(?<=[.!?]) (?=[A-Z\"\u201c])|<br ?/?>|\n")
_PRONOUN = re.compile(r"(?i)\b(?:he|him|his|himself|she|her|hers|herself)\b")
_OTHER = {"man": "woman", "woman": "man"}
Span = tuple[int, int]


def silver(data: Path) -> Iterator[dict[str, Any]]:
    """The decisions over all texts, each text once."""
    rules = RulePerturber(SpacyParser())
    for text in dict.fromkeys(_texts(data)):
        if _PRONOUN.search(text):
            for persons in _man_and_woman(text):
                yield from _decisions(rules, text, persons)


def _texts(data: Path) -> Iterator[str]:
    """Two sentences at a time."""
    for name in FILES:
        with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                whole = row.get("text") or f"{row['text_a']}\n{row['text_b']}"
                yield from _pieces(whole)
    for novel, _, _ in corpora.litbank(data, "train"):
        yield from _pieces(novel)


def _pieces(text: str) -> Iterator[str]:
    sentences = [part.strip() for part in _STOP.split(text) if part.strip()]
    pairs = (" ".join(sentences[n : n + 2]) for n in range(len(sentences)))
    return (pair for pair in pairs if len(pair) < 500)


def _man_and_woman(text: str) -> Iterator[tuple[list[Mention], list[Mention]]]:
    """The mentions of the one man and the one woman of a text, in both orders."""
    doc = Document(_task(text, (0, 0), "man"), {})
    mentions = [m for m in find_mentions(doc) if m.number != "plural"]
    try:
        numbers = link_mentions(doc, mentions) if len(mentions) > 2 else []
    except NotParsed:
        return
    persons: dict[int, list[Mention]] = defaultdict(list)
    for mention, number in zip(mentions, numbers, strict=False):
        persons[number].append(mention)
    shown = [{m.gender for m in some} - {"unknown"} for some in persons.values()]
    if sorted("".join(sorted(some)) for some in shown) == ["man", "woman"]:
        first, second = persons.values()
        yield first, second
        yield second, first


def _task(text: str, span: Span, target: str) -> PerturbTask:
    return PerturbTask(
        Example({"text": text}), "text", *span, "gender", target, random.Random(text)
    )


def _decisions(
    rules: RulePerturber, text: str, persons: tuple[list[Mention], list[Mention]]
) -> Iterator[dict[str, Any]]:
    """What the pronouns of a text choose from after its first person was rewritten."""
    changing = persons[0]
    gender = next(m.gender for m in changing if m.gender in _OTHER)
    hits = [hit for mention in changing for hit in mention.hits if hit.attribute == gender]
    if not hits:
        return
    task = _task(text, (hits[0].start, hits[0].end), _OTHER[gender])
    answer = rules.perturb([task])[0]
    if not isinstance(answer, Perturbed) or answer.edits is None:
        return
    if {hit.start for hit in hits} - {edit.start for edit in answer.edits}:
        return  # a word was left
    every = sorted(
        ((m, n) for n, some in enumerate(persons) for m in some), key=lambda e: e[0].start
    )
    for number, (mention, person) in enumerate(every):
        before = every[:number]
        if mention.kind == "pronoun" and len({n for _, n in before}) == 2:
            yield {
                "part": "silver",
                "text": answer.fields["text"],
                "pronoun": _moved(mention, answer.edits),
                "mentions": [_moved(m, answer.edits) for m, _ in before],
                "right": [n == person for _, n in before],
            }


def _moved(mention: Mention, edits: Sequence[Edit]) -> Span:
    """Where a mention stands after the edits."""
    longer = [(e.end, len(e.after) - len(e.before)) for e in edits]
    start = mention.start + sum(by for end, by in longer if end <= mention.start)
    return start, mention.end + sum(by for end, by in longer if end <= mention.end)
