"""SentenceDebias: a planted direction of gender is found and taken out."""

import numpy as np
import pytest

from augkit.core.errors import DataError
from augkit.evaluation.bias.association import associate
from augkit.models.language_models.sentence_debias import (
    counterparts,
    debias,
    directions,
    remove_directions,
)

MEN = "man men boy he him king father son husband".split()
WOMEN = "woman women girl she her queen mother daughter wife".split()
TEXTS = [f"Then {word} went home, number {n}." for n, word in enumerate([*MEN, *WOMEN])]
GENDER = np.array([1.0, 2.0, 0.0, 0.0, -1.0, 0.0])


class Planted:
    """Vectors of texts in which the gender of the words is one direction, the rest noise."""

    def sentences(self, texts):
        """Float[texts, 6]."""
        return np.stack([self._vector(text) for text in texts])

    words = sentences

    def _vector(self, text):
        words = text.lower().replace(",", " ").replace(".", " ").split()
        gender = sum((word in MEN) - (word in WOMEN) for word in words)
        leaning = 0.5 * ("engineer" in words) - 0.5 * ("nurse" in words)
        neutral = [w for w in words if w not in {*MEN, *WOMEN}]
        noise = np.random.default_rng(sum(map(ord, "".join(neutral)))).normal(size=6)
        return noise + (gender + leaning) * GENDER


def test_the_planted_direction_is_found():
    """The first component is the direction of gender, up to its sign."""
    found = debias(Planted(), TEXTS).of_sentences
    assert found.shape == (1, 6)
    assert abs(found[0] @ GENDER) / np.linalg.norm(GENDER) == pytest.approx(1.0)


def test_nothing_is_left_along_the_direction():
    """A sentence and its counterpart have one vector afterwards; the rest is as it was."""
    model = debias(Planted(), TEXTS, pairs=list(zip(MEN, WOMEN, strict=True)))
    he, she = model.sentences(["Then he left.", "Then she left."])
    assert he == pytest.approx(she)
    before = Planted().sentences(["Then he left."])[0]
    across = np.array([2.0, -1.0, 0.0, 0.0, 0.0, 0.0])
    assert he @ across == pytest.approx(before @ across)
    assert model.words(["he"]) == pytest.approx(model.words(["she"]))


def test_the_association_of_jobs_with_gender_shrinks():
    """The effect size of an association test is large before and gone after."""
    jobs = [[f"The {job} came {n}." for n in range(8)] for job in ("engineer", "nurse")]
    people = [[f"The {word} came." for word in words] for words in (MEN, WOMEN)]
    effects = []
    for model in (Planted(), debias(Planted(), TEXTS)):
        x, y, a, b = (model.sentences(texts) for texts in (*jobs, *people))
        effects.append(abs(associate("jobs", (x, y), (a, b)).effect.value))
    assert effects[0] > 0.5
    assert effects[1] < effects[0] / 2


def test_counterparts_keep_casing_and_leave_other_texts_out():
    """Both sides are written out, whichever stood there."""
    pairs = [("he", "she"), ("king", "queen")]
    assert counterparts(["SHE met the King!", "A theme."], pairs) == [
        ("HE met the King!", "SHE met the Queen!")
    ]


def test_no_more_directions_than_there_are():
    """Pairs that differ in one way have one direction, however many are asked for."""
    first, second = np.ones((4, 3)), np.zeros((4, 3))
    found = directions(first, second, 3)
    assert found.shape == (1, 3)
    assert remove_directions(first, found) == pytest.approx(np.zeros((4, 3)))


def test_too_few_texts_are_errors():
    """A direction of three sentences would be that of the sentences."""
    with pytest.raises(DataError, match="only 1 of 2 texts"):
        debias(Planted(), ["He left.", "It rains."])
