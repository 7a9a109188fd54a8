"""Flipping polarity: negations, phrases, ratings and words, and what is left alone."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.edits import Edit, apply
from augkit.datasets.load import load_dataset
from augkit.english.parser import SpacyParser, possible_lemmas
from augkit.english.polarity.antonyms import BroadChoice, ClassCounts, Degree
from augkit.english.polarity.flip_polarity import (
    coordinated_words,
    doubtful_words,
    flip_polarity,
    leftover_words,
    may_flip,
)
from augkit.lexicons.evaluative import bundled_lexicon

NO_COUNTS = ClassCounts({})


def parsed(text):
    (analysis,) = SpacyParser().parse([text])
    return analysis


def flip(analysis, side, seed=0, counts=NO_COUNTS):
    """What flipping the words of a polarity changes and leaves."""
    choice = BroadChoice(bundled_lexicon(), counts)
    return flip_polarity(analysis, side, bundled_lexicon(), choice, Random(seed))


def flipped(text, side, seed=0):
    """The text with its words of a polarity flipped."""
    changes = flip(parsed(text), side, seed).changes
    edits = [Edit("text", c.start, c.end, "", c.after) for c in changes]
    return apply({"text": text}, edits)["text"]


@pytest.mark.parametrize(
    ("text", "side", "expected"),
    [
        ("It is not funny at all.", "negative", "It is funny."),
        ("i highly recommend it .", "positive", "i would not recommend it ."),
        ("The jokes didn't work.", "negative", "The jokes worked very well."),
        ("I did not enjoy it.", "negative", "I enjoyed it."),
        ("This isn't good.", "negative", "This is good."),
        ("It is not very good.", "negative", "It is very good."),
        ("What I saw makes no sense.", "negative", "What I saw makes perfect sense."),
        ("It was a complete waste of time.", "negative", None),
        ("It is worth seeing.", "positive", "It is not worth seeing."),
        ("The less interesting part is long.", "negative", "The more interesting part is long."),
        ("It lacks any charm.", "negative", "It offers charm."),
        ("There is no story to speak of.", "negative", "There is a real story."),
        ("It is not scary at all.", "negative", "It is very scary."),
        ("There was no good acting.", "negative", "There was some good acting."),
        ("I regret buying it.", "negative", "I do not regret buying it."),
        ("I would not buy it again.", "negative", "I would gladly buy it again."),
        ("I would buy it again.", "positive", "I would never buy it again."),
        ("Its two stars, Ann and Bob, sing.", "negative", "Its two stars, Ann and Bob, sing."),
        ("It manages to amuse us.", "positive", "It fails to amuse us."),
        ("I didn t like it .", "negative", "I liked it ."),
        ("the room isn t clean .", "negative", "the room is clean ."),
        ("i won t go back .", "negative", "i will be back ."),
        ("I have seen worse.", "negative", "I have seen worse."),
        ("I can't recommend this to anyone.", "negative", None),
    ],
)
def test_negations_and_phrases(text, side, expected):
    """A negation is taken away with the right auxiliary; a stock phrase becomes its opposite."""
    result = flipped(text, side)
    assert result == expected if expected else result != text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("He kills the evil king in the war.", "negative"),
        ("He loves her and she likes him.", "positive"),
        ("I would like to see it.", "positive"),
        ("The bad guy has a flat tyre.", "negative"),
        ("We watched Bad Boys and It's a Wonderful Life.", "positive"),
        ("As well as the book, a good deal was cut.", "positive"),
        ("This is the original series.", "positive"),
        ("The film was dull.", "positive"),
        ("Is it any good?", "positive"),
        ("If it were good, I would say so.", "positive"),
        ("It fails to offer anything new.", "negative"),
        ("I got sucked into it.", "negative"),
        ("She does her best.", "positive"),
        ("The not so good points follow.", "positive"),
        ("They think that they are bad.", "negative"),
        ("The movie is too slow.", "negative"),
        ("Not one scene is too bad to be true.", "negative"),
    ],
)
def test_what_does_not_have_that_polarity_stays(text, side):
    """Plot, titles, wishes, idioms, questions and judgements of the other side are left alone."""
    assert flipped(text, side) == text


@pytest.mark.parametrize(
    ("text", "side", "start"),
    [
        ("I think it is brilliant.", "positive", "I think it is "),
        ("He was by far my favorite actor.", "positive", "He was by far my "),
        ("The scenery was great too.", "positive", "The scenery was "),
        ("It feels like a boring lecture.", "negative", "It feels like "),
        ("It was an inept attempt.", "negative", "It was a"),
        ("Some crap effects were in it.", "negative", "Some "),
        ("There is not a single funny scene.", "negative", "There is not a single "),
    ],
)
def test_words_that_only_look_unclear_are_flipped(text, side, start):
    """What the writer thinks, "by far" and "too" at the end leave nothing open."""
    result = flipped(text, side)
    assert result != text
    assert result.startswith(start)


@pytest.mark.parametrize("seed", range(5))
def test_a_word_is_not_written_twice_in_a_row(seed):
    first, second = flipped("A boring, boring plot.", "negative", seed).split()[1:3]
    assert first.rstrip(",") != second


@pytest.mark.parametrize("seed", range(5))
def test_no_more_before_a_short_word(seed):
    """A word that is compared by its ending is not written after "more"."""
    word = flipped("It was more enjoyable.", "positive", seed).split()[-1]
    assert word.rstrip(".") not in {"bad", "poor", "lame", "weak", "crummy", "shoddy"}


@pytest.mark.parametrize(
    ("text", "number"),
    [("She met a stupid sailor.", 1), ("It is a stupid film.", 0), ("He is a superb actor.", 0)],
)
def test_what_describes_persons_is_listed(text, number):
    """A word said of somebody that reviews do not judge is changed and set aside."""
    assert len(flip(parsed(text), "negative").of_persons) == number


def test_adjectives_coordinated_with_a_changed_word_are_found():
    """Where one of two joined words is changed the other may say the same."""
    analysis = parsed("The old film was odd and dull.")
    changes = flip(analysis, "negative").changes
    assert [analysis.text[a:b] for a, b in coordinated_words(analysis, changes)] == ["odd"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Service was mediocre and the company was better!", ["better"]),
        ("I have had much worse.", []),
        ("It is taller and longer.", []),
    ],
)
def test_comparatives_that_stay_are_seen(text, left):
    assert [text[a:b] for a, b in leftover_words(parsed(text), "positive", ())] == left


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ('"The food was bad, I know."', True),
        ('We went on Monday. "The food was bad."', True),
        ('My friend says "The food was bad."', False),
        ('"The food was bad." is what they say.', False),
    ],
)
def test_marks_around_a_whole_text_quote_nothing(text, is_said):
    """Some files have every text in quotation marks; a quotation inside a text stays as it is."""
    assert (flipped(text, "negative") != text) == is_said


@pytest.mark.parametrize("seed", range(5))
def test_words_keep_form_case_and_article(seed):
    """A replaced word has the form and the casing of the old one, and its article fits."""
    first, *_, last = flipped("An excellent film. I LOVED it.", "positive", seed).split()
    assert first in {"A", "An"}
    changed = flipped("I LOVED it.", "positive", seed).split()[1]
    assert changed.isupper()
    assert changed.endswith("ED")
    assert last == "it."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "side", "allowed"),
    [
        ("9/10", "positive", {f"{n}/10" for n in range(1, 5)}),
        ("9 in 10.", "positive", {f"{n} in 10." for n in range(1, 5)}),
        ("Ten stars!", "positive", {f"{n} stars!" for n in ("One", "Two", "Three", "Four")}),
        ("This one stars my aunt.", "negative", {"This one stars my aunt."}),
        ("I give it 2 out of 10.", "negative", {f"I give it {n} out of 10." for n in range(7, 11)}),
        ("3 stars out of 10", "negative", {f"{n} stars out of 10" for n in range(7, 11)}),
        ("Four stars", "positive", {"One stars", "Two stars"}),
        ("My grade: A-", "positive", {"My grade: D", "My grade: D-", "My grade: F"}),
        ("5/10", "positive", {"5/10"}),
        ("It was 2/10 of a mile and 120/10.", "positive", {"It was 2/10 of a mile and 120/10."}),
    ],
)
def test_ratings(text, side, allowed):
    """A rating becomes one of the other side, written alike; a middling one stays."""
    assert {flipped(text, side, seed) for seed in range(8)} <= allowed


@pytest.mark.parametrize(
    ("text", "side", "is_edited"),
    [
        ("The jokes are too perfect.", "positive", False),
        ("The jokes are not too good.", "negative", True),
        ("I did not laugh at one joke.", "negative", False),
        ("This is a joke.", "negative", True),
        ("If it were dull, I would say so.", "negative", True),
    ],
)
def test_in_whole_texts_only_excess_and_nouns_of_the_story_stay(text, side, is_edited):
    """A doubt is no reason there; too much of anything is blamed, and a joke may be a good one."""
    choice = BroadChoice(bundled_lexicon(), NO_COUNTS, heeds_doubts=False)
    changes = flip_polarity(parsed(text), side, bundled_lexicon(), choice, Random(0)).changes
    assert bool(changes) == is_edited


def test_corpus_counts_draw_the_words_of_the_corpus():
    """A word that the other side's documents use is drawn more often than one they never use."""
    counts = ClassCounts({"negative": {"awful": 400}, "positive": {}})
    analysis = parsed("A great film.")
    drawn = [flip(analysis, "positive", n, counts).changes[0].after for n in range(60)]
    assert sum("awful" in word for word in drawn) > 12


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.text()
    | st.lists(
        st.sampled_from(
            "a an not great n't awful film is no 9/10 waste of time , . never did".split()
        )
    ).map(" ".join)
)
def test_any_text_can_be_flipped(text):
    """Changes are in order, do not overlap and lie in the text, whatever it is."""
    analysis = parsed(text)
    for side in ("positive", "negative"):
        last = 0
        for change in flip(analysis, side).changes:
            assert last <= change.start <= change.end <= len(text)
            last = change.end


@pytest.fixture(scope="module")
def pieces():
    texts = [row.fields["text"] for row in load_dataset("reviews-demo")[:150]]
    words = [text.split() for text in texts]
    texts += [" ".join(listed[at : at + 5]) for listed in words for at in range(0, len(listed), 5)]
    texts += ["9/10", "Mind-numbing.", "it amuses", "worst", "d.", "the acting sucked"]
    return SpacyParser().parse(texts)


@pytest.mark.slow
def test_a_text_that_may_not_flip_has_nothing_to_flip(pieces):
    """What is said without a parse never rules out a change; most pieces are ruled out by it."""
    ruled_out = 0
    for analysis in pieces:
        for side in ("positive", "negative"):
            lexicon = bundled_lexicon()
            may = may_flip(analysis.text, side, lexicon, possible_lemmas)
            assert may or not flip(analysis, side).changes, analysis.text
            ruled_out += not may
    assert ruled_out > 0.3 * len(pieces)


@pytest.mark.slow
def test_lemmas_of_the_parser_are_among_the_possible_ones(pieces):
    for analysis in pieces:
        for token in analysis.tokens:
            assert token.lemma.lower() in possible_lemmas(token.text.lower()), token


@pytest.mark.parametrize(
    ("text", "counts", "doubtful"),
    [
        ("It deserves every prize it won.", {}, ["prize", "won"]),
        ("This novel has a cover.", {}, ["novel"]),
        ("This novel has a cover.", {"positive": {"novel": 7}, "negative": {"novel": 6}}, []),
        ("The play is tender.", {"positive": {"play": 4}, "negative": {"play": 4}}, ["tender"]),
        ("The seat was behind a pillar.", {}, []),
    ],
)
def test_doubtful_words_are_listed_or_pleasant_and_the_corpus_does_not_contradict(
    text, counts, doubtful
):
    """A word of the corpus that stands in praise and blame alike says nothing."""
    spans = doubtful_words(parsed(text), "positive", [], bundled_lexicon(), ClassCounts(counts))
    assert [text[slice(*span)] for span in spans] == doubtful


@pytest.mark.parametrize(("strength", "weak"), [(0.0, True), (1.0, False)])
def test_words_are_as_strong_as_the_label(strength, weak):
    """Four stars that become two dislike what they liked; five that become one hate it."""
    counts = ClassCounts({}, Degree(strength, {}, {}))
    analysis = parsed("I love this kettle.")
    for seed in range(8):
        (change,) = flip(analysis, "positive", seed, counts).changes
        assert (change.after in {"dislike", "despise"}) == weak, change.after


def test_texts_with_the_label_say_how_strong_a_word_is():
    """Where the corpus has "hate" with two stars alone, it is a word of two stars."""
    seen = Degree(0.0, {"hate": 20}, {"hate": 20})
    entry = bundled_lexicon().entries["verb", "hate"]
    assert Degree(0.0, {}, {}).fit(entry) < 0.5 < seen.fit(entry)
