"""The spacing of what is put into a text, and the placeholders in it."""

import pytest

from augkit.text.placeholders import placeholder_spans
from augkit.text.spacing import is_tokenised, spaced_like


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dr. lee was kind , and quick .", True),
        ("it cost 3.50 !", True),
        ("no marks at all", False),
        ("Kind, and quick.", False),
        ("Kind , and quick. Really.", False),
    ],
)
def test_most_marks_decide(text, expected):
    """An abbreviation or one odd space does not."""
    assert is_tokenised(text) is expected


def test_what_is_inserted_has_the_spaces_of_the_text():
    """Also where it begins with a mark; an ellipsis and a decimal stay whole."""
    tokenised = "we came , we saw ."
    assert spaced_like("so, it was 3.5...", tokenised, 0) == "so , it was 3.5 ..."
    assert spaced_like("; we", tokenised, 7) == " ; we"
    assert spaced_like("; we", tokenised, 8) == "; we"
    assert spaced_like("so, it was", "We came, we saw.", 0) == "so, it was"


def test_placeholders_of_several_kinds():
    """A name in brackets or between underscores stands for what was taken out."""
    text = "_num_ stars from <user> , [NAME] and snake_case"
    found = [text[start:end] for start, end in placeholder_spans(text)]
    assert found == ["_num_", "<user>", "[NAME]"]
