"""Which of several persons a pronoun stands for, where more than one agrees with it."""

import pytest

from augkit.augmenters.panda.rules.antecedents import weights

BOUND = {
    "the subject of a clause owns what its object is": (
        "Daniel greeted Carl, and Carl took off his hat.",
        "Daniel",
        ("took off his hat",),
    ),
    "a relative clause is about its noun": (
        "The waiter ran past the boy, who had dropped his hat.",
        "waiter",
        ("his hat",),
    ),
    "a subject owns what its clause is about, whoever came before": (
        "A young boy waits while his uncle folds his newspaper.",
        "uncle",
        ("A young boy waits while his aunt folds her newspaper.",),
    ),
    "the head of a phrase is not a pronoun in it": (
        "The old man reads while the boy beside him plays.",
        "boy",
        ("the girl beside him",),
    ),
    "one of several": ("My nieces ski. The elder one hurt her knee.", "nieces", ("his knee",)),
}


@pytest.mark.parametrize("kind", BOUND)
def test_a_pronoun_goes_to_the_person_that_binds_it(rewrite, kind):
    """The pronouns of the chosen person change, and those of the other stay."""
    text, word, kept = BOUND[kind]
    answer = rewrite(text, word, "man" if word == "nieces" else "woman")
    assert answer != text
    assert all(part in answer for part in kept), answer


def test_the_weights_are_finite_and_few():
    """A table that can be read: some hundred rows, none of them extreme."""
    assert 100 < len(weights()) < 600
    assert all(abs(weight) < 10 for weight in weights().values())
