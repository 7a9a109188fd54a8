"""How many names a text has: runs of proper nouns.

augkit ships a tagger and a parser, but no model that recognises entities. Its stand-in counts
neighbouring proper nouns of a sentence as one name, of whatever kind: "Mr. Hall of New York" has
two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from augkit.core.analysis import Analysis
from augkit.core.protocols import Parser


def count_entities(texts: Sequence[str], parser: Parser) -> list[int]:
    """The number of names of each text.

    >>> from augkit.english.parser import SpacyParser
    >>> count_entities(["Anna Hall lives in New York."], SpacyParser())
    [2]
    """
    return [_proper_noun_runs(analysis) for analysis in parser.parse(texts)]


def _proper_noun_runs(analysis: Analysis) -> int:
    runs = groupby(analysis.tokens, key=lambda token: (token.sentence, token.upos == "PROPN"))
    return sum(is_name for (_, is_name), _ in runs)
