"""The table of lemmas that ships with the pipeline."""

from export_pipeline import lemma_exceptions


def test_a_table_holds_only_what_the_rule_gets_wrong():
    """The most frequent lemma of a form and tag is kept where the rule gives another."""
    words = [("Ca", "MD", "can")] * 2 + [("ca", "MD", "ca"), ("dogs", "NNS", "dog")]
    assert lemma_exceptions(words) == {"ca MD": "can"}


def test_a_missing_lemma_is_left_out():
    """The underscore that stands for no lemma never enters the table."""
    assert lemma_exceptions([("self", "PRP", "_")]) == {}
