"""Does a pair, parsed again, have the relation that it was edited to?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.augmenters.coba.nli.parsed_pair import ParsedPair, parse_pairs
from augkit.augmenters.judge import Verdict
from augkit.augmenters.relations import Relation, relation_of
from augkit.core.protocols import Parser
from augkit.core.types import Example

_NOT_LEXICAL = ("exclude", "reverse", "negate", "affirm")
"""First words of rules whose effect the links between words do not show."""


def has_relation(pair: ParsedPair, target: Relation, rule: str = "") -> bool:
    """Whether nothing in the words of the pair contradicts the relation ``target``."""
    excluded = bool(pair.by_support("excluded"))
    if target == "contradiction":
        return excluded or rule.startswith(_NOT_LEXICAL)
    if excluded:
        return False
    open_words = [link for link in pair.links if link.support in {"unstated", "narrower"}]
    if target == "neutral":
        return bool(open_words) or not pair.links
    return not open_words or rule.startswith(_NOT_LEXICAL)


@dataclass(frozen=True)
class RelationJudge:
    """The offline judge of pairs: 1 where nothing in the words contradicts the label, else 0."""

    parser: Parser

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant."""
        _ = parents
        return [Verdict(float(self._has_relation(variant))) for variant in variants]

    def _has_relation(self, variant: Example) -> bool:
        relation = relation_of(variant.label)
        if relation is None or len(variant.fields) != 2:
            return False
        (pair,) = parse_pairs([variant.fields], self.parser)
        return has_relation(pair, relation)
