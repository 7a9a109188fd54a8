from augkit.core.types import example
from augkit.english.parser import SpacyParser
from augkit.shortcuts.pos_ratio import word_classes


def test_words_have_the_class_of_their_context():
    """Compounds go by their last part; what is no noun, verb, adjective or adverb is other."""
    (known,) = word_classes(
        [example("The well-made plot of Paris slowly bores us.")], SpacyParser()
    )
    assert known["plot"] == known["paris"] == "noun"
    assert known["bores"] == "verb"
    assert known["slowly"] == "adjective or adverb"
    assert known["the"] == known["of"] == "other"
