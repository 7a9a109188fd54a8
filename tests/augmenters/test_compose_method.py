"""``compose``: methods put together as one."""

from __future__ import annotations

import pytest

from augkit.augmenters.compose_method import ComposedArtifact
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import example

ROWS = [
    example(f"A fine film, number {n}, that the king saw.", "ab"[n % 2], occurrence=n)
    for n in range(20)
]
SWAP = {"method": "swap", "options": {"pairs": [["film", "movie"]]}}
MASK = {"method": "mask-words", "options": {}}


def composed(**settings):
    return create("compose", **settings).fit(ROWS)


def texts(step):
    return [pair.variant.fields["text"] for pair in step(ROWS)]


def test_a_chain_gives_what_the_steps_give_one_after_the_other():
    """The variant has the edits of both, leads to the original, and names the steps."""
    other = {"method": "swap", "options": {"pairs": [["king", "queen"]]}}
    pairs = list(composed(steps=[SWAP, other])(ROWS))
    assert len(pairs) == len(ROWS)
    assert pairs[0].variant.fields["text"] == "A fine movie, number 0, that the queen saw."
    assert pairs[0].provenance.method == "compose"
    assert pairs[0].provenance.about["steps"] == "swap+swap"
    assert pairs[0].provenance.parents == (ROWS[0].id,)


def test_a_union_has_the_variants_of_all():
    """One variant of each step."""
    assert len(texts(composed(how="union", steps=[SWAP, MASK]))) == 2 * len(ROWS)


def test_one_of_draws_by_weight_and_sometimes_by_share():
    """A weight of 0 is never drawn; a share of 0 leaves every row alone, with the reason."""
    drawn = composed(how="one_of", steps=[SWAP, MASK], weights=[1, 0])
    assert all("movie" in text for text in texts(drawn))
    never = composed(how="sometimes", steps=[SWAP], p=0)
    reasons = {rejection.reason for rejection in never.outcomes(ROWS)}
    assert reasons == {"sometimes: not sampled"}


def test_what_steps_learnt_survives_the_disk(tmp_path):
    """Saved and loaded, a composition gives the same variants."""
    settings = {"steps": ["random-edit", SWAP], "how": "union"}
    fitted = composed(**settings)
    fitted.artifact.save(tmp_path)
    again = create("compose", **settings).with_artifact(ComposedArtifact.load(tmp_path))
    assert texts(again) == texts(fitted)


def test_copies_are_asked_of_the_first_of_a_chain():
    """Three copies of a random edit, each changed further."""
    step = composed(steps=["random-edit", SWAP], copies=3)
    found = list(step(ROWS[:1]))
    assert 1 < len(found) <= 3
    assert len({pair.variant.id for pair in found}) == len(found)


def test_a_step_that_needs_labels_says_so():
    """Without labels a method that needs two is told, by its name."""
    with pytest.raises(DataError, match="'coba' needs at least 2"):
        create("compose", steps=["coba"]).fit([example("Fine."), example("Bad.")])


@pytest.mark.parametrize("steps", [[], ["razor"], ["nothing"], [{"method": "eda", "opt": 1}]])
def test_what_cannot_be_a_step_is_refused(steps):
    """No steps, one that needs the corpus, an unknown one, a wrong key."""
    with pytest.raises(ConfigError, match=r"steps|step 1"):
        create("compose", steps=steps)
