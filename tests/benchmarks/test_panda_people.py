"""The benchmark of people's rewrites: its counts beside slow and obvious ones."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance as nltk_distance
from nltk.translate.bleu_score import corpus_bleu

from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.core.edits import Edit
from augkit.english.parser import SpacyParser
from benchmarks.release.panda_counts import Row, Tally, changed_words, edit_distance, table_2
from benchmarks.release.panda_names import Answer, name_checks
from benchmarks.release.panda_people import answer_all, measure, people, read_rows

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


@given(WORDS, WORDS)
@settings(deadline=None)
def test_changed_words_are_those_that_cannot_be_crossed_out(before, after):
    """Each word of the rewrite crosses out one equal word of the original; the rest changed."""
    left = list(before)
    for word in after:
        if word in left:
            left.remove(word)
    assert sorted(changed_words(" ".join(before), " ".join(after)).elements()) == sorted(left)


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
    found = tally.result(interval=True)
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
    found = tally.result(interval=True)["by_original"]
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


def test_a_name_that_is_left_somewhere_is_seen():
    """All mentions change, and to one name; a woman's name beside a man's is a stranger's."""
    text = "John saw Mary. John left."
    whole, half = row(text, "", "John"), row(text, "", "John", target="non-binary")
    edits = (Edit("0", 0, 4, "John", "Jane"), Edit("0", 15, 19, "John", "Jane"))
    answers = {
        whole.request: Answer("Jane saw Mary. Jane left.", "", "man", edits),
        half.request: Answer(
            "Jane saw Mark. John left.", "", "man", (edits[0], Edit("0", 9, 13, "Mary", "Mark"))
        ),
    }
    found = name_checks([whole, half], answers)
    assert (found["multi_mention"], found["agree"], found["half_changed"]) == (2, 1, 1)
    assert found["other_gender_renamed"] == 1


def write_rows(folder):
    rows = [
        {"text": "He lost his keys.", "rewrite": rewrite, "word": "He", "target": "woman"}
        for rewrite in ("She lost her keys.", "she lost her keys")
    ]
    rows.append({"text": "It rains.", "rewrite": "It rains.", "word": "Nobody", "target": "man"})
    (folder / "panda").mkdir()
    lines = "".join(json.dumps(r | {"axis": "gender", "source": "sst"}) + "\n" for r in rows)
    with gzip.open(folder / "panda" / "dev.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(lines)


def test_rows_are_measured_from_the_file_to_the_figures(tmp_path):
    """A word that is not in its text is a rejection; the outputs are written."""
    write_rows(tmp_path)
    options = Namespace(split="dev", peers=False, outputs=tmp_path / "out.jsonl")
    options.max_words, options.sources = 3, ["sst"]
    rows = read_rows(tmp_path / "panda" / "dev.jsonl.gz", 0, 0)
    found = measure(options, rows, RulePerturber(SpacyParser()), scorer())
    assert found["axis"]["gender"]["f1"] == 1
    assert found["axis"]["gender"]["exact"] == 1
    assert found["rejections"] == {"bad request": 1}
    assert found["short"]["axis"]["gender"]["rewrites"] == 1  # "It rains." has two words
    assert found["people"]["gender"]["people"]["f1"] == 1
    assert found["table_2"]["unchanged text"]["levenshtein"] == pytest.approx(5 / 3, abs=1e-3)
    assert found["table_2"]["another person"]["levenshtein"] == 2
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["output"] == "She lost her keys."


def test_a_limit_draws_originals(tmp_path):
    """With all their rewrites."""
    write_rows(tmp_path)
    path = tmp_path / "panda" / "dev.jsonl.gz"
    assert {len(read_rows(path, 1, seed)) for seed in range(9)} == {1, 2}
    rows = read_rows(path, 0, 0)
    assert len(answer_all(rows, RulePerturber(SpacyParser()))) == 2
