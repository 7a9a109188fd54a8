"""The pictures of the docs are what the script draws from their data."""

import json
import xml.etree.ElementTree as ET

import pictures
import pytest
from drawings.svg import Picture, text_width, wrapped

NAMES = pytest.mark.parametrize("name", pictures.names())


@NAMES
def test_a_picture_is_current(name):
    """The committed file is what its stored data give: else run scripts/pictures.py."""
    assert pictures.drawn(name) == pictures.stored(name)


@NAMES
def test_a_picture_can_be_read_aloud_and_stays_on_its_card(name):
    """It has a title, a description, colours for dark screens, and nothing outside of its card."""
    root = ET.fromstring(pictures.stored(name))
    tag = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{tag}title")
    assert root.findtext(f"{tag}desc")
    assert "prefers-color-scheme: dark" in root.findtext(f"{tag}style")
    height = int(root.get("height"))
    for text in root.iter(f"{tag}text"):
        assert 0 < float(text.get("y")) < height
        if text.get("text-anchor") is None:
            words = "".join(text.itertext())
            assert float(text.get("x")) + text_width(words, "faint") < int(root.get("width")), words


def test_text_is_broken_at_spaces():
    """No line is wider than asked, nothing is lost, and a run that is broken keeps its class."""
    lines = wrapped([("one two ", ""), ("three four five", "principal")], 100)
    assert len(lines) > 1
    assert (
        " ".join("".join(text for text, _ in line) for line in lines) == "one two three four five"
    )
    assert all(sum(text_width(*run) for run in line) <= 100 for line in lines)


def test_markup_in_a_text_is_escaped():
    """Text of a dataset is shown, not interpreted."""
    picture = Picture("a & b", "<i>")
    picture.paragraph([("<script>", "principal"), ("a < b", "")])
    assert "<script>" in "".join(ET.fromstring(picture.svg()).itertext())


@pytest.mark.slow
def test_the_moving_picture_shows_what_fix_prints_today(augkit):
    """Every line of its terminal is a line of the command; else run pictures.py --collect fix."""
    data = json.loads((pictures.FOLDER / "fix.json").read_text(encoding="utf-8"))
    done = augkit(*data["command"].split()[1:], "--yes")
    printed = done.out.splitlines()
    result = len(data["found"]) + 1  # after the line that says which cues are fixed
    while printed[result : result + 1] != [""]:
        result += 1
    assert printed[: len(data["found"])] == data["found"]
    assert printed[result : result + len(data["result"])] == data["result"]


def test_the_moving_picture_is_small_and_stands_still_where_motion_is_not_wanted():
    """No script, under 150 kB, and every animation is within the media query for motion."""
    picture = pictures.stored("fix")
    assert len(picture.encode()) < 150_000
    assert "<script" not in picture
    still, _, moving = picture.partition("@media (prefers-reduced-motion: no-preference)")
    assert "animation" not in still
    assert moving.count("infinite") == moving.count("@keyframes") > 20
