from augkit.augmenters.panda.perturbability import perturbability


def test_perturbability_counts_names_twice_as_much_as_words():
    """Eq. 2: (m0·names + m1·listed words) / words."""
    assert perturbability({"text": "Anna saw her dog"}, ["gender"]) == (1 + 0.5) / 4
    assert perturbability({"text": "The sky"}, ["gender"]) == 0
    assert perturbability({"text": ""}, ["gender"]) == 0
