import augkit

TEXT = "The quick actor reads a long and quiet poem to the old town on a cold day."


def test_an_epoch_draws_other_variants_and_the_same_when_repeated():
    """``copy`` is the number of a draw: 0 is the draw without it."""
    typo = augkit.create("typo")
    epochs = [typo.augment(TEXT, copy=epoch) for epoch in range(4)]
    assert epochs[0] == typo.augment(TEXT)
    assert len({tuple(texts) for texts in epochs}) == 4
    assert epochs[3] == typo.augment(TEXT, copy=3)


def test_a_composition_draws_too():
    """Every step of a chain draws anew."""
    chain = augkit.chain("eda", "typo")
    assert chain.augment(TEXT, copy=1) == chain.augment(TEXT, copy=1)
    assert chain.augment(TEXT, copy=1) != chain.augment(TEXT)
