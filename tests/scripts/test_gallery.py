"""The gallery of the docs shows ten variants of every method that works offline."""

import gallery
import pytest
from reference import own

from augkit.core.types import example

NEED_MORE = {"auggpt", "back-translation", "c-bert", "coba-style", "compose", "gpt3mix", "human"}
NEED_MORE |= {"paraphrase", "symmetric"}
NEED_MORE |= {"mirror", "normalise", "positions", "prune", "restyle"}  # choices


def test_every_offline_method_has_a_page_with_ten_examples():
    """Methods without a page need a model, a file, other methods or other data; all are listed."""
    assert {method for method, _ in gallery.PAGES.values()} == set(own("augmenters")) - NEED_MORE
    assert gallery.INDEX.read_text(encoding="utf-8") == gallery.index()
    assert set(gallery.path("coba").parent.iterdir()) == {gallery.path(it) for it in gallery.PAGES}
    for name in gallery.PAGES:
        text = gallery.path(name).read_text(encoding="utf-8")
        examples = text.split("```diff\n")[1].split("\n```")[0].split("\n\n")
        assert len(examples) == gallery.SHOWN
        assert all("- [" in one and "+ [" in one for one in examples)


@pytest.mark.parametrize("name", ["swap", "typo"])
def test_a_page_is_current(augkit, tmp_path, name):
    """The page is what a run gives today: else run scripts/gallery.py."""
    augkit(*gallery.command(name).split()[1:], "--out", "run")
    assert gallery.page(name, tmp_path / "run") == gallery.path(name).read_text(encoding="utf-8")


def test_a_pair_shows_the_text_that_stays_and_both_labels():
    """A text that stays comes first, without a sign."""
    pair = example({"premise": "A man sits.", "hypothesis": "A man is up."}, "contradiction")
    changed = {"fields": {"premise": "A man sits.", "hypothesis": "A man is."}, "label": "neutral"}
    assert list(gallery.difference(pair, changed)) == [
        "  premise: A man sits.",
        "- [contradiction] hypothesis: A man is up.",
        "+ [neutral] hypothesis: A man is.",
    ]


def test_long_texts_are_broken_with_their_sign():
    """Every line of a text has its sign."""
    text = "word " * 40
    lines = list(gallery.difference(example(text, "a"), {"fields": {"text": "x"}, "label": "b"}))
    assert all(line.startswith("- ") for line in lines[:-1])
    assert lines[-1] == "+ [b] x"
