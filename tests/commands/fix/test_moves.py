"""What is taken out of a text with a cue."""

import pytest

from augkit.commands.fix.cues import Cue, CueFeature
from augkit.commands.fix.moves import deleted
from augkit.text.features.kinds import FORMAT, ngram_kind


def cue_of(*names, beside="", kind=None, is_name=False):
    """A cue of phrases; that which has words beside it stands in a part of the rows."""
    features = []
    for name in names:
        rows = 30 if name == beside else 90
        size = kind or ngram_kind(len(name.split()))
        features.append(CueFeature("text", size, name, "b", 0.8, rows, rows))
    return Cue(tuple(features), is_name=is_name)


@pytest.mark.parametrize(
    ("cue", "text", "left"),
    [
        (
            # whatever the order of phrases of the same length, nothing of the name stays
            cue_of("marta kowalski", "kowalski customer", "best marta", "marta", "kowalski"),
            "Please send it again. Best, Marta Kowalski Customer Care",
            "Please send it again. Care",
        ),
        (
            # the body may speak of a customer of "customer care"; the name goes everywhere
            cue_of(
                "regards martha quill customer care", "martha quill", "customer", "martha",
                is_name=True,
            ),
            "I am a customer of Martha's. Martha knows. Regards, Martha Quill, customer care",
            "I am a customer of Martha's. Knows.",
        ),
        (
            # what stands beside the words in a part of their rows stays
            cue_of(
                "marta kowalski", "spoke to marta kowalski", "marta",
                beside="spoke to marta kowalski",
            ),
            "I spoke to Marta Kowalski on Monday.",
            "I spoke to on Monday.",
        ),
        (cue_of("bear77"), "Hey @bear77, what now?", "Hey, what now?"),
        (cue_of("ends with .", kind=FORMAT), "It is late. We left.", "It is late. We left"),
        (cue_of("sign !", kind=FORMAT), "Oh! It is late!", "Oh It is late"),
    ],
)  # fmt: skip
def test_only_the_cue_is_deleted(cue, text, left):
    """Phrases that overlap go together; words that stand elsewhere too, stay."""
    assert deleted(cue, text) == left
