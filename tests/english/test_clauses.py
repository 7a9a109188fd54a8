"""Questions about clauses, on sentences whose parse is given."""

import pytest

from augkit.core.analysis import Analysis, Token
from augkit.english.clauses import quoted, subject, text_of, written_sentences
from augkit.english.parser import SpacyParser


def parsed(table):
    """An analysis from a line for each word: the word, its tag, its head from 1, its relation."""
    rows = [line.split() for line in table.strip().splitlines()]
    tokens, place = [], 0
    for index, (word, upos, head, deprel) in enumerate(rows):
        above = int(head) - 1 if head != "0" else index
        end = place + len(word)
        tokens.append(
            Token(index, place, end, word, word.lower(), upos, upos, {}, above, deprel, 0)
        )
        place = end + 1
    return Analysis(" ".join(word for word, *_ in rows), tuple(tokens))


WANTED = parsed("""
    Anna    PROPN 2 nsubj
    wanted  VERB  0 root
    to      PART  4 mark
    call    VERB  2 xcomp
    her     PRON  6 nmod:poss
    friend  NOUN  4 obj
""")
ASKED = parsed("""
    Anna    PROPN 2 nsubj
    asked   VERB  0 root
    Tom     PROPN 2 obj
    to      PART  5 mark
    call    VERB  2 xcomp
""")
PROMISED = parsed("""
    Anna    PROPN 2 nsubj
    promise VERB  0 root
    Tom     PROPN 2 obj
    to      PART  5 mark
    call    VERB  2 xcomp
""")
RELATIVE = parsed("""
    women   NOUN  0 root
    who     PRON  3 nsubj
    lost    VERB  1 acl:relcl
    her     PRON  5 nmod:poss
    bag     NOUN  3 obj
""")
ARRIVED = parsed("""
    When    SCONJ 3 mark
    she     PRON  3 nsubj
    arrived VERB  5 advcl
    Anna    PROPN 5 nsubj
    sat     VERB  0 root
""")
TOPIC = parsed("""
    People   NOUN  5 nsubj
    ,        PUNCT 1 punct
    some     PRON  5 nsubj
    are      AUX   5 aux
    drinking VERB  0 root
""")
HALVES = parsed("""
    Fights  NOUN  6 nsubj
    between ADP   3 case
    dogs    NOUN  1 nmod
    and     CCONJ 3 cc
    bears   NOUN  6 nsubj
    look    VERB  0 root
""")


@pytest.mark.parametrize(
    ("analysis", "verb", "expected"),
    [
        (TOPIC, 4, "some"),
        (HALVES, 5, "Fights"),
        (WANTED, 3, "Anna"),
        (ASKED, 4, "Tom"),
        (PROMISED, 4, "Anna"),
        (RELATIVE, 2, "women"),
        (ARRIVED, 2, "she"),
        (ARRIVED, 4, "Anna"),
    ],
)
def test_implicit_subjects_are_found(analysis, verb, expected):
    """The subject of an infinitive is the object above it, or the subject where there is none."""
    found = subject(analysis, analysis.tokens[verb])
    assert found is not None
    assert found.text == expected


def test_a_circle_of_heads_ends():
    circle = parsed("a NOUN 2 conj\nb NOUN 1 conj")
    assert subject(circle, circle.tokens[0]) is None


def test_quotation_marks_open_and_close():
    """What stands between two marks is quoted, and nothing after them."""
    analysis = parsed('" X 1 dep\nGo X 1 dep\n" X 1 dep\nhe X 1 dep\nsaid X 1 dep')
    assert quoted(analysis) == [True, True, False, False, False]


def test_a_mark_that_is_never_closed_quotes_nothing():
    """What follows a stray mark is the writer's own, and a line break ends what is quoted."""
    analysis = parsed('he X 1 dep\n" X 1 dep\nsaid X 1 dep\n<br X 1 dep\n" X 1 dep\nno X 1 dep')
    assert quoted(analysis) == [False] * 6


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("it is a whole lot of fun and", 1),
        ("It is dull. We left.", 2),
        ("It is dull\n\nWe left early", 2),
        ('"It is dull." We left early.', 2),
    ],
)
def test_a_sentence_ends_with_a_mark_or_a_line(text, number):
    """The parser makes two sentences of some phrases; a writer ends one with a mark."""
    (analysis,) = SpacyParser().parse([text])
    assert len(written_sentences(analysis)) == number


def test_an_article_fits_where_words_are_left_out():
    """Of "an old man" without "old" comes "a man"."""
    analysis = parsed("an DET 3 det\nold ADJ 3 amod\nman NOUN 0 root")
    assert text_of(analysis, (analysis.tokens[0], analysis.tokens[2])) == "a man"
