"""What is taken out of a text with a cue."""

from augkit.commands.fix.cues import Cue, CueFeature
from augkit.commands.fix.moves import deleted
from augkit.text.features.kinds import ngram_kind


def test_phrases_of_a_cue_that_overlap_are_deleted_together():
    """Whatever the order of phrases of the same length, nothing of the name stays."""
    names = ("marta kowalski", "kowalski customer", "best marta", "marta", "kowalski")
    features = [
        CueFeature("text", ngram_kind(len(name.split())), name, "billing", 0.9, 10, 9)
        for name in names
    ]
    cue = Cue(tuple(features))
    text = "Please send it again. Best, Marta Kowalski Customer Care"
    assert deleted(cue, text) == "Please send it again. Care"
