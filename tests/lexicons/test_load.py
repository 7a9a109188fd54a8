"""The bundled word lists."""

from importlib.resources import files

from augkit.lexicons.load import antonyms, synonyms, valences

DATA = files("augkit.lexicons").joinpath("data")


def test_synonyms_are_plain_lower_case_words():
    """Letters only, no word its own synonym, no function words, none of two parts of speech."""
    lines = DATA.joinpath("stop_words.txt").read_text(encoding="utf-8").splitlines()
    stop_words = {word for line in lines if not line.startswith("#") for word in line.split()}
    assert not {*stop_words, "love", "kind", "need", "like"} & set(synonyms())
    for word, others in synonyms().items():
        assert others
        assert word not in others
        assert all(one.isalpha() and one.islower() for one in (word, *others))


def test_synonyms_keep_the_form():
    """An inflected word is answered in the same inflected form."""
    table = synonyms()
    assert "films" in table["movies"]
    assert "commenced" in table["started"]
    assert "began" not in table["started"]  # "started" may also be "begun"
    assert "larger" in table["bigger"]


def test_the_table_is_small_and_carries_its_licence():
    """Less than a megabyte, with WordNet's notice beside it."""
    assert len(DATA.joinpath("synonyms.tsv.gz").read_bytes()) < 1_000_000
    licence = DATA.joinpath("LICENSE.wordnet").read_text(encoding="utf-8")
    assert "Princeton University" in licence


def test_direct_and_indirect_antonyms():
    """A direct antonym is given; an adjective without one gets those of similar ones."""
    for (_, word), others in antonyms().items():
        assert word not in others
        assert word == word.lower()
    assert antonyms()["verb", "love"] == ("hate",)
    assert "interesting" in antonyms()["adjective", "tedious"]


def test_valences_have_signs():
    """Praise and blame have opposite signs; a neutral word is not listed."""
    assert valences()["wonderful"] > 0 > valences()["horrible"]
    assert "table" not in valences()


def test_antonyms_are_words_that_people_write():
    """No rare sense of a word, and no word that only says what something is not."""
    table = antonyms()
    assert table["adjective", "great"] == ("little", "small")
    assert ("adjective", "pregnant") not in table
    offered = {word for others in table.values() for word in others}
    assert not [word for word in offered if word.startswith("non")]
    assert not offered & {"lowercase", "uppercase"}
