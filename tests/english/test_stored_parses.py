"""Parses that are kept in a file."""

from augkit.english.parser import SpacyParser
from augkit.english.stored_parses import StoredFirst, StoredParses

TEXTS = ["She lost her keys. It\u2019s late!", "", "A dull, dull film<br /><br />Avoid it.", "Да."]


def test_a_stored_parse_is_the_parse(tmp_path):
    """Tokens, features and sentences come back from the file as they were."""
    analyses = SpacyParser().parse(TEXTS)
    StoredParses.of(analyses).save(tmp_path / "parses.jsonl")
    stored = StoredParses.load(tmp_path / "parses.jsonl")
    assert [stored.get(text) for text in TEXTS] == analyses
    assert stored.get("Another text.") is None
    assert StoredParses.load(tmp_path / "missing.jsonl").get(TEXTS[0]) is None


def test_only_new_texts_are_parsed():
    """The parser sees the texts that are not stored, and answers come in order."""
    analyses = SpacyParser().parse(TEXTS)

    seen = []

    class Asked:
        def parse(self, texts):
            seen.extend(texts)
            return SpacyParser().parse(texts)

    parser = StoredFirst(StoredParses.of(analyses[1:3]), Asked())
    assert parser.parse(TEXTS) == analyses
    assert seen == [TEXTS[0], TEXTS[3]]
