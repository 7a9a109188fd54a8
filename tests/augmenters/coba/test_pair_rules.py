"""Pairs through the method, offline."""

from collections import Counter

import pytest

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.augmenters.create import create
from augkit.core.errors import DataError
from augkit.core.types import Pair, example
from augkit.datasets.load import load_dataset
from augkit.testing import CHECKS, kit_of, no_network
from augkit.text.tokens import words


@pytest.fixture(scope="module")
def rows():
    return list(load_dataset("nli-demo"))[:60]


@pytest.fixture(scope="module")
def outcomes(rows):
    return list(create("coba").fit(rows).outcomes(rows))


@pytest.mark.slow
def test_every_row_is_flipped_into_every_other_label_and_once_keeps_its_own(rows, outcomes):
    """Three answers for a row of three labels: two flipped, one kept, or a reason."""
    answers = Counter((o.original if isinstance(o, Pair) else o.parent).id for o in outcomes)
    assert set(answers.values()) == {3}
    kept = [o for o in outcomes if isinstance(o, Pair) and o.provenance.contract == "kept"]
    assert kept
    assert all(pair.original.label == pair.variant.label for pair in kept)


@pytest.mark.slow
def test_most_rows_have_variants_of_both_texts_and_all_labels(rows, outcomes):
    """The demo's pairs are in reach of the lexicon."""
    flipped = [o for o in outcomes if isinstance(o, Pair) and o.provenance.contract == "flipped"]
    assert len({pair.original.id for pair in flipped}) >= 0.8 * len(rows)
    assert {pair.variant.label for pair in flipped} == {row.label for row in rows}
    assert {"premise", "hypothesis"} <= {pair.provenance.about["changed"] for pair in flipped}


def losing(outcomes, word):
    """Variants without a word that their row has."""
    pairs = [outcome for outcome in outcomes if isinstance(outcome, Pair)]
    return [
        pair
        for pair in pairs
        if word in words(" ".join(pair.original.fields.values()).lower())
        and word not in words(" ".join(pair.variant.fields.values()).lower())
    ]


@pytest.mark.slow
def test_a_word_of_the_user_survives(rows, outcomes):
    """A change that would lose a given spurious word is not made; without the setting it is."""
    found = list(create("coba", spurious_words=["girl"]).fit(rows).outcomes(rows))
    assert losing(outcomes, "girl")
    assert not losing(found, "girl")


def test_two_labels_of_fact_verification_are_enough():
    claims = [
        example({"evidence": "The red barn stood in a field.", "claim": claim}, label)
        for claim, label in [
            ("The barn was red.", "SUPPORTS"),
            ("The barn was blue.", "REFUTES"),
        ]
    ]
    pairs = list(create("coba", twins=False).fit(claims)(claims))
    assert {(p.original.label, p.variant.label) for p in pairs} == {
        ("SUPPORTS", "REFUTES"),
        ("REFUTES", "SUPPORTS"),
    }


def test_labels_that_name_no_relation_are_refused_before_any_work():
    """Paraphrase labels 0 and 1 say nothing that the rules know; the error says what works."""
    rows = [
        example({"first": "A dog runs.", "second": text}, label)
        for text, label in [("A dog is running.", "1"), ("A cat runs.", "0")]
    ]
    with pytest.raises(DataError, match=r"'0', '1' name no relation .* language model .*razor"):
        create("coba").fit(rows)


def test_a_row_whose_label_names_no_relation_is_rejected_with_the_reason():
    fields = {"premise": "A dog runs.", "hypothesis": "A dog is running."}
    rows = [example(fields, label) for label in ("entailment", "contradiction", "other")]
    found = list(create("coba").fit(rows).outcomes(rows[2:]))
    assert [one.reason for one in found] == ["label names no relation"]


class _OfflineConfig(CobaConfig):
    edit_by: str = "offline"


class _Offline(Coba):
    Config = _OfflineConfig


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_contract_holds_without_a_model_too(check):
    with no_network():
        check(kit_of(_Offline))
