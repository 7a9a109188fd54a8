"""The values that travel through augkit."""

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.edits import Edit
from augkit.core.types import FREE, Cost, Example, digest, example, new_edit, new_example

PARTS = st.lists(st.text(st.characters()), max_size=5)


def test_an_id_names_the_content():
    """Fields, their names, the label, the dataset and the occurrence all count; columns do not."""
    row = example("Fine.", "good", dataset="d")
    assert row.id == example({"text": "Fine."}, "good", dataset="d", columns={"n": 1}).id
    others = [
        example("Fine!", "good", dataset="d"),
        example("Fine.", "bad", dataset="d"),
        example("Fine.", dataset="d"),
        example("Fine.", "good", dataset="e"),
        example("Fine.", "good", dataset="d", occurrence=1),
        example({"body": "Fine."}, "good", dataset="d"),
    ]
    assert len({row.id, *(other.id for other in others)}) == 7


def test_no_label_is_not_a_label():
    ids = {example("a", label).id for label in (None, "", "-", "None")}
    assert len(ids) == 4


def test_the_empty_mapping_that_values_share_stays_empty():
    with pytest.raises(TypeError, match="shared"):
        example("a").columns["n"] = 1
    assert example("b").columns == {}


@pytest.mark.slow
@given(st.lists(st.text(alphabet="a\0:1", max_size=4), max_size=4))
def test_digests_of_different_sequences_differ(parts):
    """Moving a boundary between parts, or a separator inside one, changes the digest."""
    rivals = [[*parts, ""], ["".join(parts)], ["\0".join(parts)], [*parts[:1], *parts]]
    for rival in rivals:
        assert (digest(*rival) == digest(*parts)) == (rival == parts)


def test_columns_are_not_compared():
    """Two rows that say the same are equal, whatever else their files held."""
    assert Example({"text": "a"}, columns={"n": 1}) == Example({"text": "a"}, columns={"n": 2})


@pytest.mark.slow
@given(st.lists(st.builds(Cost, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))))
def test_costs_add_up(costs):
    total = sum(costs, FREE)
    assert total.calls == sum(cost.calls for cost in costs)
    assert total.prompt_tokens == sum(cost.prompt_tokens for cost in costs)
    assert total.completion_tokens == sum(cost.completion_tokens for cost in costs)


def test_values_are_frozen():
    """Nothing can be assigned, whichever constructor made the value."""
    for edit in (Edit("text", 0, 1, "a", "b"), new_edit("text", 0, 1, "a", "b")):
        with pytest.raises(FrozenInstanceError):
            edit.start = 2


def test_the_fast_constructor_makes_the_same_value():
    """Class, defaults, equality, hash, copies and pickles are those of the plain constructor."""
    plain, fast = Example({"text": "Fine."}, id="1"), new_example({"text": "Fine."}, id="1")
    assert type(fast) is Example
    assert fast == plain
    assert repr(fast) == repr(plain)
    assert replace(fast, label="good") == replace(plain, label="good")
    assert pickle.loads(pickle.dumps(fast)) == plain
    edit = new_edit("text", 0, 1, "a", "b")
    assert hash(edit) == hash(Edit("text", 0, 1, "a", "b"))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'fields'"):
        new_example()
