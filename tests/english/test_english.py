"""Which texts are English: sentences of other languages are not, fragments of English are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.english.english import OTHER_SCRIPT, not_english

FOREIGN = {
    "de": "Das Essen war kalt, und die Bedienung hat uns lange warten lassen.",
    "fr": "Le service était lent et la nourriture ne valait pas le prix.",
    "es": "La comida estaba fría y el camarero no nos hizo ningún caso.",
    "it": "Il cibo era freddo e il cameriere non ci ha mai guardato.",
    "pt": "A comida estava fria e o empregado não nos deu atenção nenhuma.",
    "pl": "Jedzenie było zimne, a kelner w ogóle nie zwracał na nas uwagi.",
}


@pytest.mark.parametrize("language", FOREIGN)
def test_sentences_of_other_languages_are_not_english(language):
    """The answer names the language."""
    assert not_english(FOREIGN[language]) == language


@pytest.mark.parametrize("text", ["Это был хороший фильм.", "这部电影很好看", "とても良かった"])
def test_other_scripts_are_not_english(text):
    """Whatever the language."""
    assert not_english(text) == OTHER_SCRIPT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5/10 !!!",
        "Jean-Luc Godard",
        "gorgeous , witty , seductive",
        "A man sleeps.",
        "Lisa said: are often engaging",
        "You'll enjoy it even if you don't like opera.",
        "the café near Dvořák's house",
        "LOL",
        "a",
    ],
)
def test_fragments_and_names_are_english(text):
    """Short texts are English unless they are clearly not."""
    assert not_english(text) == ""


def test_a_quotation_does_not_make_a_long_text_english():
    """A German review may quote an English title with "the" in it."""
    text = (FOREIGN["de"] + " ") * 8
    assert not_english(text + "Trotzdem haben wir über the dress gelacht.") == "de"


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_an_answer(text):
    """No text is an error, and the same text has the same answer."""
    assert not_english(text) == not_english(text)
