"""The gallery of the site shows ten variants of every method that works offline."""

import gallery
from reference import own

from augkit.core.types import example

NEED_MORE = {"auggpt", "back-translation", "c-bert", "coba-style", "compose", "gpt3mix", "human"}
NEED_MORE |= {"paraphrase", "symmetric"}
NEED_MORE |= {"mirror", "normalise", "positions", "prune", "restyle"}  # choices
"""Methods that need a model, a file, other methods or other data."""


def test_every_offline_method_has_a_page_with_ten_examples():
    """The build of the site makes the pages; here one of them, of a method that takes no time."""
    assert {method for method, _ in gallery.PAGES.values()} == set(own("augmenters")) - NEED_MORE
    text = "\n".join(gallery.examples("typo"))
    shown = text.split("```diff\n")[1].split("\n```")[0].split("\n\n")
    assert len(shown) == gallery.SHOWN
    assert all("- [" in one and "+ [" in one for one in shown)


def test_a_pair_shows_the_text_that_stays_and_both_labels():
    """A text that stays comes first, without a sign; long texts are broken with their sign."""
    pair = example({"premise": "A man sits.", "hypothesis": "A man is up."}, "contradiction")
    changed = {
        "fields": {"premise": "A man sits.", "hypothesis": "A man " * 10},
        "label": "neutral",
    }
    lines = list(gallery.difference(pair, changed))
    assert lines[:2] == ["  premise: A man sits.", "- [contradiction] hypothesis: A man is up."]
    assert len(lines) > 3
    assert all(line.startswith("+ ") for line in lines[2:])
