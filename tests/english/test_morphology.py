from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.english.morphology import agree, contracted_has, irregular, plural_of, singular_of

# Base forms of all endings; the dictionary of lemminflect is the oracle for them.
VERBS = (Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").split()
FIXED = [
    ("is", "are"),
    ("was", "were"),
    ("has", "have"),
    ("does", "do"),
    ("isn't", "aren't"),
    ("wasn't", "weren't"),
    ("hasn't", "haven't"),
    ("doesn't", "don't"),
    ("'s", "'re"),
]


@pytest.mark.slow
@given(st.sampled_from(VERBS))
@settings(max_examples=2000)
def test_verbs_agree_and_come_back(verb: str) -> None:
    """A verb with the ending for "he" loses it again for "they"; what agrees is left alone."""
    singular = agree(verb, plural=False)
    assert singular != verb
    assert agree(singular, plural=True) == verb
    assert agree(singular, plural=False) == singular
    assert agree(verb, plural=True) == verb


@pytest.mark.parametrize(("singular", "plural"), FIXED)
def test_auxiliaries_and_contractions(singular: str, plural: str) -> None:
    """Forms of be, have and do are turned both ways, in any casing and with either apostrophe."""
    assert (agree(singular, plural=True), agree(plural, plural=False)) == (plural, singular)
    assert agree(singular.upper(), plural=True) == plural.upper()
    curly = singular.replace("'", "\u2019")
    assert agree(curly, plural=True) == plural.replace("'", "\u2019")


def test_tokenised_pieces() -> None:
    """Of "does n't" and "ca n't" only the verb that inflects is changed."""
    assert [agree(piece, plural=True) for piece in ("does", "n't", "ca", "wo")] == [
        "do",
        "n't",
        "ca",
        "wo",
    ]


def test_contracted_has() -> None:
    """The contraction of has turns into that of have, with the apostrophe that was there."""
    assert contracted_has("'s", plural=True) == "'ve"
    assert contracted_has("\u2019s", plural=True) == "\u2019ve"
    assert contracted_has("'VE", plural=False) == "'S"


@given(st.sampled_from(sorted(irregular().uninflected)), st.booleans())
def test_modals_stay(word: str, plural: bool) -> None:
    assert agree(word, plural=plural) == word


@given(st.text(st.characters(codec="ascii"), max_size=12), st.booleans())
def test_agree_takes_any_text(text: str, plural: bool) -> None:
    """No text makes it fail or vanish, and at most its ending and its casing change."""
    agreed = agree(text, plural=plural)
    assert bool(agreed) == bool(text)
    assert abs(len(agreed) - len(text)) <= 3


@given(
    st.sampled_from(sorted(irregular().plurals)), st.sampled_from([str.lower, str.upper, str.title])
)
def test_irregular_nouns_come_back(noun: str, casing) -> None:
    assert singular_of(plural_of(casing(noun))) == casing(noun)


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("policeman", "policemen"),
        ("saleswoman", "saleswomen"),
        ("grandchild", "grandchildren"),
        ("housewife", "housewives"),
        ("member of Congress", "members of Congress"),
        ("brother-in-law", "brothers-in-law"),
        ("passer-by", "passers-by"),
        ("police officer", "police officers"),
        ("human", "humans"),
        ("German", "Germans"),
        ("actress", "actresses"),
        ("spy", "spies"),
        ("boy", "boys"),
        ("piano", "pianos"),
        ("bus", "buses"),
    ],
)
def test_nouns_both_ways(singular: str, plural: str) -> None:
    """Compounds change their head, and ordinary nouns their ending."""
    assert (plural_of(singular), singular_of(plural)) == (plural, singular)


def test_tables_do_not_overlap() -> None:
    """A verb stands in one table of exceptions at most."""
    tables = [
        irregular().bases_in_s,
        irregular().bases_in_e,
        irregular().bases_in_ie,
        irregular().uninflected,
    ]
    assert len(frozenset.union(*tables)) == sum(map(len, tables))


def test_dictionary_agrees() -> None:
    from lemminflect import getInflection

    forms = {verb: agree(verb, plural=False) for verb in VERBS}
    assert {v: f for v, f in forms.items() if f not in getInflection(v, "VBZ")} == {}


@pytest.mark.slow
def test_every_word_has_what_lemminflect_reads() -> None:
    """The tables know the words of lemminflect's own loaders, in the same order, and no others."""
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

    from augkit.english.dictionary import lemminflect

    package = lemminflect()
    lemmatizer, inflections = package.Lemmatizer(), package.Inflections()
    for oracle, table in (
        (LemmaLUCodec.load(lemmatizer.lemma_lu_fn), lemmatizer.lemma_dict),
        (InflectionLUCodec.load(inflections.infl_lu_fn), inflections.infl_dict),
    ):
        read = {word: list(table.get(word, {}).items()) for word in oracle}
        assert read == {word: list(content.items()) for word, content in oracle.items()}
        assert table.get("blorp", {}) == {}
