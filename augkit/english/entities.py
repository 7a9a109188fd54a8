"""How many named entities a text has: runs of proper nouns, or those that a spaCy pipeline finds.

augkit ships a tagger and a parser, but no model that recognises entities. Its stand-in counts
neighbouring proper nouns of a sentence as one name, of whatever kind: "Mr. Hall of New York" has
two. A spaCy pipeline with an entity recogniser counts what it was trained to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from augkit.core.analysis import Analysis
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.protocols import Parser

if TYPE_CHECKING:
    from spacy.language import Language

PROPER_NOUNS = "proper-nouns"
SPACY = "spacy:"
"""Before the name or the folder of a pipeline."""


def check_recogniser(name: str) -> str:
    """The name of a recogniser as it is; an error where it is none."""
    if name == SPACY:
        raise ValueError("spacy: needs a pipeline with an entity recogniser: spacy:NAME")
    if name != PROPER_NOUNS and not name.startswith(SPACY):
        raise UnknownName("entity recogniser", name, [PROPER_NOUNS, "spacy:NAME"])
    return name


def count_entities(texts: Sequence[str], recogniser: str, parser: Parser) -> list[int]:
    """The number of named entities of each text.

    Args:
        texts: The texts.
        recogniser: ``proper-nouns``, or ``spacy:NAME`` with a pipeline's name or folder.
        parser: Tags the words, for ``proper-nouns``.

    >>> from augkit.english.parser import SpacyParser
    >>> count_entities(["Anna Hall lives in New York."], "proper-nouns", SpacyParser())
    [2]
    """
    if recogniser == PROPER_NOUNS:
        return [_proper_noun_runs(analysis) for analysis in parser.parse(texts)]
    pipeline = _pipeline(recogniser.removeprefix(SPACY))
    return [len(doc.ents) for doc in pipeline.pipe(texts)]


def _proper_noun_runs(analysis: Analysis) -> int:
    runs = groupby(analysis.tokens, key=lambda token: (token.sentence, token.upos == "PROPN"))
    return sum(is_name for (_, is_name), _ in runs)


@cache
def _pipeline(name: str) -> Language:
    """The pipeline, checked before the first text."""
    import spacy

    try:
        nlp = spacy.load(name)
    except OSError as error:
        raise UnknownName("spaCy pipeline", name, spacy.util.get_installed_models()) from error
    if not {"doc.ents", "token.ent_iob"} & {
        attribute for pipe in nlp.pipe_names for attribute in nlp.get_pipe_meta(pipe).assigns
    }:
        raise ConfigError(
            f"the spaCy pipeline '{name}' recognises no entities (it has: "
            f"{', '.join(nlp.pipe_names) or 'nothing'}): use one with ner or entity_ruler, or "
            f"entities={PROPER_NOUNS}"
        )
    return nlp
