"""The evaluative lexicon: its files are consistent, and its phrases are found in one pass."""

import re
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import ConfigError
from augkit.lexicons import evaluative
from augkit.lexicons.evaluative import (
    DOMAINS,
    KINDS,
    Phrase,
    Phrases,
    bundled_lexicon,
    judged,
    opposite,
)


def test_no_word_is_on_both_sides_of_its_kind():
    """A word of one kind praises or blames, in all domains alike."""
    polarities = defaultdict(set)
    for domain in DOMAINS:
        for (kind, word), entry in bundled_lexicon((domain,)).entries.items():
            polarities[kind, word].add(entry.polarity)
    assert not [key for key, found in polarities.items() if len(found) > 1]


def test_it_is_large_and_every_entry_can_be_turned():
    """There are over a thousand entries, each with words that may be written in its place."""
    lexicon = bundled_lexicon()
    assert len(lexicon.entries) > 1000
    assert not [entry.word for entry in lexicon.entries.values() if not entry.opposites]
    assert {kind for kind, _ in lexicon.entries} == set(KINDS)


def test_what_is_written_is_on_the_other_side():
    """An opposite that is itself an entry of that kind has the other polarity."""
    lexicon = bundled_lexicon()
    for (kind, _), entry in lexicon.entries.items():
        for word in entry.opposites:
            found = lexicon.find(kind, word)
            assert found is None or found.polarity == opposite(entry.polarity), (entry.word, word)


def test_plot_words_and_neutral_words_are_not_in_it():
    """What stories are about is no judgement."""
    words = set(bundled_lexicon().words)
    assert words.isdisjoint(
        {"kill", "death", "war", "horror", "crime", "evil", "murder", "love-story"}
    )


@pytest.mark.parametrize("polarity", ["positive", "negative"])
def test_phrases_expand(polarity):
    """Every replacement refers only to groups that its pattern has."""
    for phrase in bundled_lexicon().of_polarity(polarity):
        used = {int(number) for text in phrase.opposites for number in re.findall(r"\\(\d)", text)}
        assert phrase.opposites, phrase.pattern.pattern
        assert all(number <= phrase.pattern.groups for number in used), phrase.pattern.pattern


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("a complete waste of time", "negative"),
        ("do not waste your time", "negative"),
        ("makes no sense", "negative"),
        ("I would highly recommend it", "positive"),
        ("on the edge of my seat", "positive"),
        ("Don\u2019t miss it", "positive"),
    ],
)
def test_stock_phrases_are_found(text, polarity):
    """Common phrases are found, whatever the apostrophe or the case."""
    assert any(phrase.pattern.search(text) for phrase in bundled_lexicon().of_polarity(polarity))


def test_a_lexicon_of_your_own(tmp_path):
    """A file with the same keys is a lexicon; a wrong key is told with its place."""
    path = tmp_path / "mine.yaml"
    path.write_text(
        "adjective:\n  - {aspect: taste, positive: tasty, negative: bland awful*}\n"
        'phrases: {positive: [["two thumbs up", "two thumbs down"]]}\n',
        encoding="utf-8",
    )
    lexicon = evaluative.read_lexicon(path)
    assert lexicon.find("adjective", "tasty").opposites == ("bland",)
    assert lexicon.find("adjective", "awful").polarity == "negative"
    assert lexicon.of_polarity("positive")[0].pattern.search("Two  thumbs up!")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("adjectives: []\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"wrong\.yaml.*adjectives"):
        evaluative.read_lexicon(wrong)


def test_judged_things_are_small_letters():
    """Nouns are looked up as lemmas in small letters."""
    assert {"movie", "service", "battery"} <= judged().things
    assert all(word == word.lower() for word in judged().things | judged().pronouns)


WORDS = st.sampled_from(
    "do not don't waste your time it was a Must see SKIP this bad well \u212aeep \u0130t".split()
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(WORDS | st.sampled_from([".", "-", "\u017f"]), max_size=25), st.sampled_from([0, 1])
)
def test_phrases_are_those_that_each_pattern_finds(words, side):
    """The same phrases at the same places, in the same order, as one pattern after another."""
    text = " ".join(words)
    phrases = bundled_lexicon().of_polarity(("positive", "negative")[side])
    expected = [(p, m.span()) for p in phrases for m in p.pattern.finditer(text)]
    assert [(phrase, match.span()) for phrase, match in phrases.find(text)] == expected


@pytest.mark.parametrize(
    ("phrase", "text", "count"),
    [
        ("aa aa", "aa aa aa", 1),
        ("aa aa", "aaaa", 0),
        ("aa aa", "AA aa", 1),
        ("Skip IT", "skip it, SKIP IT", 2),
    ],
)
def test_phrases_of_the_users_own(phrase, text, count):
    """In any case; as with ``finditer``, the next match begins after the one before."""
    pattern = re.compile(rf"(?<![\w-]){phrase}(?![\w])", re.IGNORECASE)
    assert len(list(Phrases([Phrase(pattern, "positive", ("b",))]).find(text))) == count
    assert not list(Phrases().find(text))
