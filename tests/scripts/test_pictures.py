"""The pictures of the docs are what the script draws from their data."""

import xml.etree.ElementTree as ET

import pictures
from drawings.svg import Picture, text_width, wrapped

TAG = "{http://www.w3.org/2000/svg}"


def test_pictures_are_current_and_stay_on_their_cards():
    """The committed files are drawn from the data beside them, with all texts inside the card."""
    assert pictures.names()
    for name in pictures.names():
        assert pictures.drawn(name) == pictures.stored(name), "run scripts/pictures.py"
        root = ET.fromstring(pictures.stored(name))
        assert root.findtext(f"{TAG}title")
        assert root.findtext(f"{TAG}desc")
        for text in root.iter(f"{TAG}text"):
            assert 0 < float(text.get("y")) < int(root.get("height"))
            if text.get("text-anchor") is None:
                words = "".join(text.itertext())
                end = float(text.get("x")) + text_width(words, "faint")
                assert end < int(root.get("width")), words


def test_text_is_broken_at_spaces_and_escaped():
    """No line is wider than asked, nothing is lost, and text of a dataset is no markup."""
    lines = wrapped([("one two ", ""), ("three four five", "principal")], 100)
    texts = ["".join(text for text, _ in line) for line in lines]
    assert " ".join(texts) == "one two three four five"
    assert all(sum(text_width(*run) for run in line) <= 100 for line in lines)
    picture = Picture("a & b", "<i>")
    picture.paragraph([("<script>", "principal"), ("a < b", "")])
    assert "<script>" in "".join(ET.fromstring(picture.svg()).itertext())
