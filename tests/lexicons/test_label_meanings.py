"""Labels and the relations they name."""

from __future__ import annotations

import pytest

from augkit.lexicons.label_meanings import labels_of, relation_of


@pytest.mark.parametrize(
    ("label", "relation"),
    [
        ("entailment", "entailment"),
        ("SUPPORTS", "entailment"),
        ("REFUTES", "contradiction"),
        (" support ", "entailment"),
        ("NOT ENOUGH INFO", "neutral"),
        ("not_entailment", None),
        ("1", None),
        (None, None),
    ],
)
def test_only_labels_that_say_it_name_a_relation(label, relation):
    """A label is read by its words; a number or a vague one names nothing."""
    assert relation_of(label) == relation


def test_a_dataset_has_the_relations_its_labels_name():
    """Two labels of fact verification give two relations, and a foreign label none."""
    assert labels_of(["REFUTES", "SUPPORTS", "odd"]) == {
        "contradiction": "REFUTES",
        "entailment": "SUPPORTS",
    }
