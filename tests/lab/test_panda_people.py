"""The benchmark of people's rewrites: its counts beside slow and obvious ones."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance as nltk_distance
from nltk.translate.bleu_score import corpus_bleu

from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.english.parser import SpacyParser
from lab import panda_people
from lab.panda_counts import Row, Tally, changed_words, edit_distance, table_2
from lab.panda_names import Answer
from lab.panda_people import measure, people, read_rows

WORDS = st.lists(st.sampled_from("he she his her keys a the".split()), max_size=9)


def row(text, rewrite, word="He", axis="gender", target="woman"):
    return Row(text, rewrite, word, axis, target, "wiki")


def scorer():
    path = Path(__file__).parent.parent / "gold" / "score.py"
    spec = importlib.util.spec_from_file_location("gold_score_of_people", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@given(WORDS, WORDS)
@settings(deadline=None)
def test_changed_words_are_those_that_cannot_be_crossed_out(before, after):
    """Each word of the rewrite crosses out one equal word of the original; the rest changed."""
    left = list(before)
    for word in after:
        if word in left:
            left.remove(word)
    assert sorted(changed_words(" ".join(before), " ".join(after)).elements()) == sorted(left)


@pytest.mark.slow
@given(WORDS, WORDS)
@settings(deadline=None)
def test_the_distance_is_nltks(left, right):
    """Skipping what both begin and end with changes nothing."""
    assert edit_distance(left, right) == nltk_distance(left, right)


def test_table_2_is_nltks_bleu_and_the_mean_distance():
    """Corpus BLEU of four-grams, times 100."""
    pairs = [
        ("she lost her keys in the park today", "she lost his keys in the park today"),
        ("a man and his dog went home at night", "a woman and her dog went home at night"),
    ]
    found = table_2(pairs, scorer())
    expected = corpus_bleu([[b.split()] for _, b in pairs], [a.split() for a, _ in pairs])
    assert found["bleu"] == pytest.approx(100 * expected, abs=0.01)
    assert found["levenshtein"] == 1.5


def test_precision_recall_and_f1_are_those_counted_by_hand():
    """Two of three changed words are a person's, who changed four in all."""
    tally = Tally()
    tally.add(row("He saw him and his dog", "She saw her and the cat"), "She saw her and his hen")
    tally.add(row("A b", "A b"), "A b", rejected=True)
    found = tally.result()
    assert (found["precision"], found["recall"]) == (1.0, 0.75)
    assert found["f1"] == pytest.approx(6 / 7, abs=1e-3)
    assert found["mean_f1"] == pytest.approx((6 / 7 + 1) / 2, abs=1e-3)
    assert (found["exact"], found["rejected"], found["rewrites"]) == (0.5, 0.5, 2)
    low, high = found["interval"]
    assert low <= found["f1"] <= high


TEXTS = {
    "He saw him and his dog": ("She saw her and the cat", "She saw her and his hen", "He saw him"),
    "His keys": ("Her keys", "His keys", "Her key"),
    "It rains": ("It rains", "She rains"),
}


@pytest.mark.slow
@given(
    st.lists(
        st.sampled_from([(t, a, b) for t, some in TEXTS.items() for a in some for b in some]),
        min_size=1,
        max_size=12,
    )
)
@settings(deadline=None, max_examples=50)
def test_originals_alike_are_means_of_means(triples):
    """Against a slow count: each original once, without what has no changed word."""
    tally, shares = Tally(), ({}, {})
    for text, output, rewrite in triples:
        tally.add(row(text, rewrite), output)
        ours, theirs = changed_words(text, output), changed_words(text, rewrite)
        for own, found in zip((ours, theirs), shares, strict=True):
            if own:
                found.setdefault(text, []).append((ours & theirs).total() / own.total())
    precision, recall = (
        sum(sum(v) / len(v) for v in found.values()) / max(1, len(found)) for found in shares
    )
    found = tally.result()["by_original"]
    assert found["precision"] == pytest.approx(precision, abs=1e-3)
    assert found["recall"] == pytest.approx(recall, abs=1e-3)
    both = precision + recall
    assert found["f1"] == pytest.approx(2 * precision * recall / both if both else 0, abs=1e-3)
    assert 0 <= found["interval"][0] <= found["interval"][1] <= 1


def test_requests_count_alike_however_many_people_answered():
    """Three people who disagree weigh no more than two who agree."""
    agreeing = [row("He sat", "She sat"), row("He sat", "They sat")]
    other = [row("His dog", text, "His") for text in ("Her dog", "His cat", "His hen")]
    rows = [*agreeing, *other]
    answers = {r.request: Answer(r.text, "no reference") for r in rows}
    found = people(rows, answers)["gender"]
    # {he} twice; {his}, {dog}, {dog}: of six ordered pairs two agree.
    assert found["people"]["f1"] == pytest.approx((1 + 1 / 3) / 2, abs=1e-3)
    assert found["system_there"]["recall"] == 0
    assert found["pairs"]["mean_f1"] == pytest.approx((1 + 1) / 4, abs=1e-3)


def write_rows(folder):
    """Two rewrites of one request, and a request that cannot be met."""
    rows = [
        {"text": "He lost his keys.", "rewrite": rewrite, "word": "He", "target": "woman"}
        for rewrite in ("She lost her keys.", "she lost her keys")
    ]
    rows.append({"text": "It rains.", "rewrite": "It rains.", "word": "Nobody", "target": "man"})
    path = folder / "dev.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(r | {"axis": "gender", "source": "sst"}) + "\n" for r in rows)
    return path


def test_rows_are_measured_from_the_file_to_the_figures(tmp_path, monkeypatch):
    """A word that is not in its text is a rejection; a limit draws originals with all rewrites."""
    monkeypatch.setattr(panda_people, "SOURCES", ("sst",))
    monkeypatch.setattr(panda_people, "MOST_WORDS", 3)
    path = write_rows(tmp_path)
    rows = read_rows(path, 0)
    assert (len(rows), len(read_rows(path, 2))) == (3, 3)
    assert len(read_rows(path, 1)) < 3
    found = measure(rows, RulePerturber(SpacyParser()), scorer())
    assert found["axis"]["gender"]["f1"] == 1
    assert found["axis"]["gender"]["exact"] == 1
    assert found["rejections"] == {"bad request": 1}
    assert found["short"]["axis"]["gender"]["rewrites"] == 1  # "It rains." has two words
    assert found["people"]["gender"]["people"]["f1"] == 1
    assert found["table_2"]["unchanged text"]["levenshtein"] == pytest.approx(5 / 3, abs=1e-3)
    assert found["table_2"]["another person"]["levenshtein"] == 2
