"""Gender: words of WinoBias's lists swapped in the triples, offline and before a model writes."""

import json

import pytest

from augkit.augmenters.coba.gender import listed_swaps, swap_listed, swap_triples
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.english.decompose import Element, Triple
from augkit.english.parser import SpacyParser
from augkit.lexicons.load import word_pairs
from augkit.llm.scripted import Scripted

PAIRS = [
    example({"premise": "A man is eating.", "hypothesis": "He is eating."}, "entailment"),
    example({"premise": "A dog is asleep.", "hypothesis": "A dog is awake."}, "contradiction"),
    example({"premise": "A boy is outside.", "hypothesis": "A boy is sad."}, "neutral"),
]
TEXTS = [
    *(example(f"A wonderful film {n} that he loved.", "positive") for n in range(6)),
    *(example(f"A dreadful film {n} that he hated.", "negative") for n in range(6)),
]


def test_each_word_has_the_partner_of_its_first_pair():
    """A word takes the first pair that it begins, else the first that it ends: a slow search."""
    pairs = word_pairs("winobias_swaps")
    for word in {word for pair in pairs for word in pair}:
        begun = [second for first, second in pairs if first == word]
        ended = [first for first, second in pairs if second == word]
        assert listed_swaps()[word] == (begun + ended)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A woman talks to her boyfriend.", "A man talks to his boyfriend."),
        ("I gave her the MAN.", "I gave him the WOMAN."),
        ("The bag is hers.", "The bag is his."),
        ("I miss the king.", "I miss the queen."),
        ("Mr. Smith left.", "Mrs. Smith left."),
        ("The doctor left.", "The doctor left."),
    ],
)
def test_listed_words_are_swapped_and_verbs_are_not(text, expected):
    """By the list, "her" by its part of speech, with the case of the old word."""
    (analysis,) = SpacyParser().parse([text])
    assert swap_listed(analysis) == expected


def test_triples_keep_their_elements():
    """Each element changes by itself, and what it stands for in the text stays known."""
    triple = Triple(3, Element("the actress"), Element("knows"), Element("her part"), "premise", 1)
    (swapped,) = swap_triples([triple], SpacyParser())
    assert [element.text for element in swapped.elements] == ["the actor", "knows", "his part"]
    assert (swapped.id, swapped.field, swapped.sentence) == (3, "premise", 1)
    # A name has no counterpart in the lists: such a row stays.
    named = (
        Triple(1, Element("Anna"), Element("sleeps")),
        Triple(2, Element("She"), Element("sleeps")),
    )
    assert swap_triples(named, SpacyParser()) == named


def variants(method, rows):
    return [dict(o.variant.fields) for o in method.outcomes(rows) if isinstance(o, Pair)]


def test_both_texts_of_a_pair_change_alike_offline():
    """A man and he become a woman and she, whatever else changes."""
    method = create("coba", gender="triples", twins=False).fit(PAIRS)
    for fields in variants(method, PAIRS[:1]):
        written = " ".join(fields.values()).lower().split()
        assert not {"man", "he"} & set(written)
        assert {"woman", "she"} & set(written)


def reconstructed(gender, obedient):
    """The triples that a model is shown when it writes."""
    shown = []

    def model(request):
        if request.prompt.startswith("coba/reconstruct"):
            shown.append(request.messages[-1].content)
        return obedient(request)

    rows = [*TEXTS, example("He loved it. The plot was known.", "positive")]
    settings = {"identify": "llm"} | ({} if gender is None else {"gender": gender})
    method = create("coba", Tools(llm=Scripted(model)), delete=0.0, **settings).fit(rows)
    list(method.outcomes(rows[-1:]))
    return shown[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gender", "subject"), [(None, "She"), ("triples", "She"), ("keep", "He"), ("panda", "He")]
)
def test_a_model_writes_from_triples_of_the_other_gender(obedient, gender, subject):
    """In the paper's steps that is the default; panda's rules change what the model wrote."""
    assert json.dumps(subject) in reconstructed(gender, obedient)


def test_panda_is_what_swap_was():
    row = example({"premise": "A chef drops her soup.", "hypothesis": "She is outside."}, "neutral")
    by_name = [
        variants(create("coba", gender=gender).fit([*PAIRS, row]), [*PAIRS, row])
        for gender in ("panda", "swap")
    ]
    assert by_name[0] == by_name[1] != []


def test_a_target_needs_pandas_rules():
    with pytest.raises(ConfigError, match="gender_target=non-binary"):
        create("coba", gender="triples", gender_target="non-binary")
