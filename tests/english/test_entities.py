from augkit.english.entities import count_entities
from augkit.english.parser import SpacyParser

TEXTS = [
    "Anna Hall met Mr. Bloom in New York.",
    "The dog slept.",
    "He saw Anna. Bob saw him.",
    "",
]


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
    counts = count_entities(TEXTS, parser)
    assert counts == [slow_count(analysis) for analysis in parser.parse(TEXTS)]
    assert counts == [3, 0, 2, 0]
