"""Shuffling and deleting: only normal triples, and never the whole text."""

from random import Random

from augkit.augmenters.coba.config import CobaConfig, StepsSettings
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.paper_steps import shuffle_triples
from augkit.core.types import example
from augkit.english.decompose import Element, Triple

TRIPLES = (
    Triple(1, Element("the plot"), Element("is"), Element("fine")),
    Triple(2, Element("Anna"), Element("sings")),
    Triple(3, Element("I"), Element("loved"), Element("it")),
)


def shuffled(triples, changed, free, seed=0, **settings):
    """The triples in their new order, where only the free ones are normal."""
    categories = {t.id: "normal" if t.id in free else "spurious" for t in triples}
    job = Job(example("A text."), triples, categories=categories, rng=Random(seed))
    return shuffle_triples(job, changed, StepsSettings.of(CobaConfig(**settings)))


def test_only_free_triples_move_or_are_deleted():
    """Principal triples keep their places, changed; the others are permuted."""
    settings = {"permute": True, "delete": 0.0}
    many = tuple(Triple(n, Element(f"s{n}"), Element("is")) for n in range(1, 9))
    changed = {1: Triple(1, Element("new"), Element("is"))}
    orders = {
        tuple(t.subject.text for t in shuffled(many, changed, {2, 3, 4, 5}, seed, **settings))
        for seed in range(30)
    }
    assert len(orders) > 5
    for order in orders:
        assert (order[0], *order[5:]) == ("new", "s6", "s7", "s8")
        assert sorted(order[1:5]) == ["s2", "s3", "s4", "s5"]


def test_a_text_never_loses_all_its_triples():
    """With certain deletion of everything, everything stays."""
    assert len(shuffled(TRIPLES, {}, {1, 2, 3}, delete=1.0)) == 3
    assert [t.id for t in shuffled(TRIPLES, {}, {2}, delete=1.0)] == [1, 3]
