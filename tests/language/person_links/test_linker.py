"""Which mentions are the same person."""

import json
import re
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.language.person_links.linker import Linker, link, names_agree
from augkit.language.person_links.readings import PersonMention

KINDS = {
    "he": ("pronoun", "man", "singular", "subject"),
    "him": ("pronoun", "man", "singular", "object"),
    "his": ("pronoun", "man", "singular", "possessive"),
    "himself": ("pronoun", "man", "singular", "reflexive"),
    "she": ("pronoun", "woman", "singular", "subject"),
    "her": ("pronoun", "woman", "singular", "possessive"),
    "they": ("pronoun", "they", "plural", "subject"),
    "their": ("pronoun", "they", "plural", "possessive"),
    "doctor": ("noun", "unknown", "singular", ""),
    "mother": ("noun", "woman", "singular", ""),
    "brother": ("noun", "man", "singular", ""),
    "sisters": ("noun", "woman", "plural", ""),
    "nurses": ("noun", "unknown", "plural", ""),
}


NAMES = {"Anna": "woman", "Mary": "woman", "John": "man", "Peter": "man", "Mr.": "man"}
NAMES |= {"Mrs.": "woman", "Hale": "unknown", "Smith": "unknown"}
NAME = re.compile(rf"(?:{'|'.join(map(re.escape, NAMES))})(?: (?:Hale|Smith)\b)?")


def mentions_of(text):
    """The mentions of a text, by the words above."""
    names = [
        PersonMention(m.start(), m.end(), "name", NAMES[m[0].split(" ")[0]], "singular")
        for m in NAME.finditer(text)
    ]
    others = [
        PersonMention(m.start(), m.end(), *KINDS[m[0].lower()])
        for m in re.finditer(r"\w+", text)
        if m[0].lower() in KINDS
    ]
    return sorted([*names, *others], key=lambda mention: mention.start)


def persons(text):
    """The mentions of each person of a text, as words."""
    found = mentions_of(text)
    groups = {}
    for mention, person in zip(found, link(text, found), strict=True):
        groups.setdefault(person, []).append(text[mention.start : mention.end])
    return list(groups.values())


CLEAR = {
    "Anna lost her keys. She found them later.": [["Anna", "her", "She"]],
    "Anna met John. He greeted her.": [["Anna", "her"], ["John", "He"]],
    "The doctor said that she was tired.": [["doctor", "she"]],
    "John hurt himself.": [["John", "himself"]],
    "Mrs. Hale came in. Hale sat down.": [["Mrs. Hale", "Hale"]],
    "Anna Smith came in. Mary Smith left. Anna smiled.": [["Anna Smith", "Anna"], ["Mary Smith"]],
    "Mr. Hale met Mrs. Hale.": [["Mr. Hale"], ["Mrs. Hale"]],
    "Peter called. His mother was out, but she called him back.": [
        ["Peter", "His", "him"],
        ["mother", "she"],
    ],
    "The nurses said that they were tired.": [["nurses", "they"]],
    "John and Peter left.": [["John"], ["Peter"]],
    "Her brother is a doctor.": [["Her"], ["brother", "doctor"]],
}


@pytest.mark.parametrize("text", CLEAR)
def test_clear_texts(text):
    """Pronouns, titles, surnames and predicates join the person they stand for."""
    assert persons(text) == CLEAR[text]


WORDS = [*KINDS, *NAMES, "the", "a", "and", "said", "saw", ",", ".", '"', "to", "'s"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


@settings(deadline=None)
@given(TEXTS)
def test_agreement_is_never_violated(text):
    """A person has one gender, one number, and names that fit; each mention has one person."""
    found = mentions_of(text)
    links = Linker().link(text, found)
    assert len(links) == len(found)
    assert sorted({one.person for one in links}) == list(range(len({o.person for o in links})))
    assert all(0 < one.probability <= 1 for one in links)
    for person in {one.person for one in links}:
        own = [m for m, one in zip(found, links, strict=True) if one.person == person]
        assert not {"man", "woman"} <= {m.gender for m in own}
        assert len({m.number for m in own if m.gender != "they"}) <= 1
        shown = [m for m in own if m.kind != "name" and m.gender in {"man", "woman"}]
        one_they = any(m.gender == "they" for m in own) and shown
        assert not one_they or {m.number for m in own} == {"plural"}


@settings(deadline=None)
@given(TEXTS, st.randoms())
def test_the_order_of_the_arguments_does_not_matter(text, random):
    """Mentions may be given in any order."""
    found = mentions_of(text)
    straight = dict(zip(found, link(text, found), strict=True))
    mixed = random.sample(found, len(found))
    assert link(text, mixed) == [straight[mention] for mention in mixed]


@settings(deadline=None)
@given(st.text(max_size=40), st.data())
def test_any_text(text, data):
    """Any span with a word in it is a mention; another one is an error that names it."""
    start = data.draw(st.integers(0, len(text) + 1))
    end = data.draw(st.integers(start, len(text) + 1))
    mention = PersonMention(start, end, "name", "unknown", "singular")
    assert link(text, []) == []
    if text[start:end].strip():
        assert link(text, [mention]) == [0]
    else:
        with pytest.raises(ValueError, match="has no word of the text"):
            link(text, [mention])


def test_unrelated_sentences_may_change_places():
    """Two sentences about different persons give the same persons in either order."""
    one, other = "Anna lost her keys.", "John sold his car."
    assert persons(f"{one} {other}") == persons(f"{other} {one}")[::-1]


def test_score():
    """The probability that a mention belongs to a person, 0 where it disagrees."""
    text = "John sat down. Anna lost her keys."
    john, anna, her = mentions_of(text)
    linker = Linker()
    assert linker.score(text, her, [anna]) > 0.9
    assert linker.score(text, her, [john]) == 0.0
    assert linker.score(text, her, []) == 0.0


def test_two_persons_of_one_gender_are_less_sure():
    """Where two persons are possible the choice is less probable."""
    linker = Linker()
    sure, unsure = "Anna slept because she was tired.", "Anna told Mary that she was tired."
    chosen = [linker.link(text, mentions_of(text))[-1].probability for text in (sure, unsure)]
    assert chosen[0] > 0.9 > chosen[1]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("barack obama", "obama", True),
        ("barack obama", "barack", True),
        ("michelle obama", "barack obama", False),
        ("b obama", "barack obama", True),
        ("ben", "benjamin franklin", True),
        ("anna", "mary", False),
        ("john smith", "john jones", False),
    ],
)
def test_names_agree(one, other, same):
    """Parts of a name, initials and short forms fit; other first names and surnames do not."""
    assert names_agree(tuple(one.split()), tuple(other.split())) is same
    assert names_agree(tuple(other.split()), tuple(one.split())) is same


def test_the_data_say_where_they_come_from():
    """The model has its source and licence, and stays small."""
    file = files("augkit.language").joinpath("person_links", "model.json").read_bytes()
    about = json.loads(file)["about"]
    assert "CC BY 4.0" in about["source"]
    assert about["licence"]
    assert len(file) < 300_000
