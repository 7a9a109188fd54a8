"""Which texts are English: sentences of other languages are not, fragments of English are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.english.english import OTHER_SCRIPT, not_english

GERMAN = "Das Essen war kalt, und die Bedienung hat uns lange warten lassen."
LANGUAGES = {
    GERMAN: "de",
    "Le service était lent et la nourriture ne valait pas le prix.": "fr",
    "La comida estaba fría y el camarero no nos hizo ningún caso.": "es",
    "Il cibo era freddo e il cameriere non ci ha mai guardato.": "it",
    "A comida estava fria e o empregado não nos deu atenção nenhuma.": "pt",
    "Jedzenie było zimne, a kelner w ogóle nie zwracał na nas uwagi.": "pl",
    "Это был хороший фильм.": OTHER_SCRIPT,
    "这部电影很好看": OTHER_SCRIPT,
    "とても良かった": OTHER_SCRIPT,
    # Short texts are English unless they are clearly not.
    "": "",
    "5/10 !!!": "",
    "Jean-Luc Godard": "",
    "gorgeous , witty , seductive": "",
    "A man sleeps.": "",
    "Lisa said: are often engaging": "",
    "You'll enjoy it even if you don't like opera.": "",
    "the café near Dvořák's house": "",
    "LOL": "",
    "a": "",
}


@pytest.mark.parametrize("text", LANGUAGES)
def test_sentences_of_other_languages_are_not_english(text):
    """The answer names the language, or the script; it is empty for English."""
    assert not_english(text) == LANGUAGES[text]


def test_a_quotation_does_not_make_a_long_text_english():
    """A German review may quote an English title with "the" in it."""
    text = (GERMAN + " ") * 8
    assert not_english(text + "Trotzdem haben wir über the dress gelacht.") == "de"


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_an_answer(text):
    """No text is an error, and the same text has the same answer."""
    assert not_english(text) == not_english(text)
