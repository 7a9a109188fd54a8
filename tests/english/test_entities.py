import pytest
import spacy

from augkit.core.errors import UserError
from augkit.english.entities import count_entities
from augkit.english.parser import SpacyParser

TEXTS = [
    "Anna Hall met Mr. Bloom in New York.",
    "The dog slept.",
    "He saw Anna. Bob saw him.",
    "",
]


def pipeline_of(folder, patterns):
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(patterns)
    nlp.to_disk(folder)
    return f"spacy:{folder}"


def slow_count(analysis):
    """Every proper noun that follows none in its sentence begins a name."""
    begins = 0
    for number, token in enumerate(analysis.tokens):
        before = analysis.tokens[number - 1] if number else None
        follows = before and before.upos == "PROPN" and before.sentence == token.sentence
        begins += token.upos == "PROPN" and not follows
    return begins


def test_neighbouring_proper_nouns_are_one_entity():
    """Runs end with the sentence; the count agrees with a plain loop."""
    parser = SpacyParser()
    counts = count_entities(TEXTS, "proper-nouns", parser)
    assert counts == [slow_count(analysis) for analysis in parser.parse(TEXTS)]
    assert counts == [3, 0, 2, 0]


@pytest.mark.slow
def test_a_spacy_pipeline_counts_what_it_finds(tmp_path):
    """The entities of a pipeline with a recogniser are counted, whatever their kind."""
    name = pipeline_of(tmp_path, [{"label": "ANIMAL", "pattern": "dog"}])
    assert count_entities(TEXTS, name, SpacyParser()) == [0, 1, 0, 0]


@pytest.mark.slow
def test_a_pipeline_without_a_recogniser_is_an_error(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path)
    with pytest.raises(UserError, match=r"recognises no entities \(it has: sentencizer\)"):
        count_entities(TEXTS, f"spacy:{tmp_path}", SpacyParser())


def test_a_missing_pipeline_is_an_error():
    with pytest.raises(UserError, match="no_such_pipeline"):
        count_entities(TEXTS, "spacy:no_such_pipeline", SpacyParser())
