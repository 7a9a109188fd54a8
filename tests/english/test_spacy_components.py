"""What the pipeline sees of a word."""

from hypothesis import given
from hypothesis import strategies as st

from augkit.english.spacy_components import (
    Lemmas,
    dictionary_classes,
    lemma,
    shape,
    word_features,
)


def test_case_is_in_the_shape_alone():
    """A capital changes one feature of a word."""
    lower, upper = word_features("watched"), word_features("Watched")
    assert [a == b for a, b in zip(lower, upper, strict=True)] == [True] * 5 + [False, True]


def test_typographic_signs_are_read_as_plain_ones():
    assert word_features("n\u2019t") == word_features("n't")


def test_the_dictionary_tells_base_forms_from_inflected_ones():
    """The form "left" is a base form as an adjective and inflected as a verb."""
    assert dictionary_classes("left") == "ADJ=ADV=NOUN=VERB-"


@given(st.text(max_size=50))
def test_every_word_has_all_features(word):
    """Any string has the same number of features, and its shape is no longer than itself."""
    assert len(word_features(word)) == len(word_features("a"))
    assert len(shape(word)) <= len(word)


@given(st.text(min_size=1, max_size=12), st.sampled_from(["NN", "NNS", "NNPS", "VBD", "JJR", "CD"]))
def test_any_word_has_a_lemma(form, xpos):
    assert lemma(form, xpos)


def test_the_table_of_lemmas_survives_a_round_trip(tmp_path):
    table = {"'ll MD": "will", "caf\u00e9s NNS": "caf\u00e9"}
    Lemmas(table).to_disk(tmp_path / "lemmas")
    assert Lemmas({}).from_disk(tmp_path / "lemmas").table == table


def test_remembered_vectors_of_words_are_those_computed(monkeypatch):
    """The embedding gives the same vectors as without memory, also after it forgot."""
    import numpy as np

    from augkit.english import spacy_components
    from augkit.english.parser import SpacyParser

    nlp = SpacyParser().nlp
    embed = nlp.get_pipe("tok2vec").model.layers[0]
    compute = next(
        cell.cell_contents
        for name, cell in zip(
            embed._func.__code__.co_freevars, embed._func.__closure__, strict=True
        )
        if name == "compute"
    )
    monkeypatch.setattr(spacy_components, "_MOST_VECTORS", 6)
    texts = ["She lost her keys.", "", "The film was dull.", "She lost the film.", "She lost."]
    for start in (0, 2, 3, 1):
        docs = [nlp.make_doc(text) for text in texts[start:]]
        expected, _ = compute(embed, docs, is_train=False)
        for vectors, wanted in zip(embed.predict(docs), expected, strict=True):
            assert np.allclose(vectors, wanted, atol=1e-6)
