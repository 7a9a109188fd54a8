"""Lemmas by rule and by table."""

from hypothesis import given
from hypothesis import strategies as st

from augkit.english.spacy_components import Lemmas, lemma


def test_the_table_survives_a_round_trip(tmp_path):
    """What is written is read back."""
    table = {"'ll MD": "will", "caf\u00e9s NNS": "caf\u00e9"}
    Lemmas(table).to_disk(tmp_path / "lemmas")
    assert Lemmas({}).from_disk(tmp_path / "lemmas").table == table


@given(st.text(min_size=1, max_size=12), st.sampled_from(["NN", "NNS", "NNPS", "VBD", "JJR", "CD"]))
def test_any_word_has_a_lemma(form, xpos):
    """No form and tag give an empty lemma or an error."""
    assert lemma(form, xpos)
