"""What texts can do without is found in the texts."""

from itertools import pairwise
from random import Random

from augkit.english.rewriting.optional import optional_phrases, words_beside
from augkit.text.tokens import words

SUBJECTS, VERBS, OBJECTS = ("she", "he", "they"), ("saw", "sold", "drew"), ("cats", "maps", "hats")


def test_an_inserted_word_is_optional_and_a_verb_is_not():
    """Without "zeppelin" the neighbours meet in other texts, without "saw" they never do."""
    rng = Random(0)
    plain = [
        [rng.choice(SUBJECTS), rng.choice(VERBS), rng.choice(OBJECTS), "in", "town"]
        for _ in range(200)
    ]
    texts = []
    for some in plain:
        place = rng.randrange(1, len(some))
        texts.append(" ".join([*some[:place], "zeppelin", *some[place:]]))
    pairs = {pair for text in texts for pair in pairwise(["", *words(text), ""])}
    found = [
        (text, text.index(word), text.index(word) + len(word))
        for text in texts
        for word in ("zeppelin", "saw", "town")
        if word in text
    ]
    optional = optional_phrases(found, lambda a, b: (a, b) in pairs, usual=0.9)
    assert optional == {("zeppelin",)}


def test_a_phrase_must_occur_often_to_be_judged():
    """Twenty-nine occurrences say nothing, thirty do."""
    text = "it is just a film"
    for count, expected in ((29, frozenset()), (30, {("just",)})):
        assert optional_phrases([(text, 6, 10)] * count, lambda *_: True, 0.5) == expected


def test_a_text_ends_at_nothing():
    """At the edges the neighbour is empty."""
    assert words_beside("A film.", 0, 1) == ("", "film")
    assert words_beside("A film.", 2, 6) == ("a", "")
