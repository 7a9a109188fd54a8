"""The words that contrast edits insert: those that a grammar found to give labels away.

Without a grammar's findings the bundled words for everyday scenes are used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from augkit.core.errors import ConfigError
from augkit.lexicons.load import data_yaml
from augkit.lexicons.taxonomy import taxonomy

_EMPTY = "ε"


@dataclass
class ContrastWords:
    """Nouns with their hypernyms, adjectives with what excludes them, and adjectives to add."""

    hypernyms: dict[str, list[str]] = field(default_factory=dict)
    antonyms: dict[str, list[str]] = field(default_factory=dict)
    adjectives: list[str] = field(default_factory=list)


def bundled_words() -> ContrastWords:
    """From the lexicon of scenes."""
    known = taxonomy()
    found = ContrastWords(adjectives=list(data_yaml("contrast.yaml")["added_adjectives"]))
    for (part, word), broader in known.broader.items():
        single = [name for name in broader if " " not in name]
        if part == "noun" and single:
            found.hypernyms[word] = single
        if part == "modifier":
            found.antonyms[word] = list(known.instead_of(word, "modifier"))
    return found


def words_of_grammar(path: Path, labels: Mapping[str, str]) -> ContrastWords:
    """From the ``features.jsonl`` of ``augkit shortcuts --by grammar``.

    A pattern of one word on each side is used where the lexicon of scenes knows it: a noun beside
    its hypernym with the label entailment, an adjective beside one that excludes it with
    contradiction, an added adjective with neutral.
    """
    found = ContrastWords()
    for label, pattern in _patterns(path):
        source, _, target = pattern.partition("/")
        if not source.isalpha() or not target.isalpha() or source == target:
            continue
        if label == labels["entailment"] and taxonomy().holds_of(target, source, "noun"):
            found.hypernyms.setdefault(source, []).append(target)
        elif label == labels["contradiction"] and taxonomy().excludes(source, target, "modifier"):
            found.antonyms.setdefault(source, []).append(target)
        elif label == labels["neutral"] and source == _EMPTY and _is_adjective(target):
            found.adjectives.append(target)
    if not (found.hypernyms or found.antonyms or found.adjectives):
        raise ConfigError(
            f"{path}: none of its patterns is a hypernym, an antonym or an added adjective that "
            "could be inserted into another row. Were they found in NLI pairs, with enough rows?"
        )
    return found


def _is_adjective(word: str) -> bool:
    return ("modifier", word) in taxonomy().broader


def _patterns(path: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        for record in records:
            for pattern in record["patterns"]:
                yield str(record["label"]), str(pattern["pattern"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{path}: not the features.jsonl that 'augkit shortcuts --by grammar --out' writes: "
            f"{error!r}"
        ) from error
