"""Names of worked examples do not get into the texts of a model."""

from augkit.augmenters.llm_checks.form import prompt_leak, whole_texts
from augkit.augmenters.llm_checks.written import WrittenText


def test_a_name_of_a_worked_example_is_a_leak():
    """Two words are enough, unless the source has them too."""
    whole = whole_texts(("The Glass Door came out in 1998.",))
    made = "He stars in The Glass Door."
    assert prompt_leak(WrittenText("He stars in it.", made, "He stars."), frozenset(), whole)
    source = "The Glass Door stars him."
    assert not prompt_leak(WrittenText("x", made, source), frozenset(), whole)
