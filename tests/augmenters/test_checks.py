"""What a language model wrote must pass every gate, and each gate gives its reason."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.augmenters.checks import TextGates
from augkit.augmenters.create import create
from augkit.augmenters.llm_checks.dataset_rows import DatasetRows
from augkit.augmenters.llm_checks.written import TextGateSettings
from augkit.core.protocols import Tools
from augkit.core.types import Pair, Variant, example
from augkit.llm.scripted import Scripted
from augkit.prompts.load import PromptSet, active_prompts, parse_prompt

SOURCE = "The plot of the film is slow, but the two leads are a joy to watch."
PROMPT = """
id: paraphrase/rewrite
version: 1
inputs: [text, label, others]
messages:
  - {role: system, content: "Say the same thing in clearly different words."}
  - {role: user, content: "{{ text | data }}{{ label | data }}{{ others | data }}"}
examples:
  - {inputs: {text: "Nobody in town liked the new bridge.", label: a, others: {}},
     answer: {text: "The new bridge had no friends in town."}}
"""
ROWS = [
    example(SOURCE, "positive"),
    example("A different row of the data stands here.", "negative"),
    example("Good.", "negative"),
]


def reason(after, writing="paraphrase", before=SOURCE, **limits):
    """The reason why a text is rejected; None where it passes."""
    gates = TextGates(TextGateSettings(**limits), DatasetRows.of(ROWS))
    prompts = PromptSet({"paraphrase/rewrite": parse_prompt(PROMPT, "test")})
    with active_prompts(prompts):
        found = gates.rejection(
            example(before, "positive"), {"text": after}, "positive", writing, "paraphrase"
        )
    return found and found[0]


GOOD = "Watching both stars is a delight, though the story of this film moves slowly."


@pytest.mark.parametrize("writing", ["paraphrase", "edit", "new text"])
def test_a_good_text_passes(writing):
    """Whatever the method has the model write."""
    assert reason(GOOD, writing) is None


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("The leads say the same thing in clearly different words, a joy.", "prompt leak"),
        ("The new bridge had no friends in town.", "prompt leak"),
        ("Nobody in town liked the new bridge.", "prompt leak"),
        ("<data>The leads are a joy, but the plot is slow.</data>", "tags or JSON in the text"),
        ('{"text": "The leads are a joy, but the plot is slow."}', "tags or JSON in the text"),
        ("The plot is slow.\\nThe leads are a joy to see.", "tags or JSON in the text"),
        ("The film has a positive cast and a slow plot to watch.", "label name in the text"),
        ("The plot is slow: a reworded film about two leads.", "instruction words in the text"),
        ("Text: the film is slow, yet both leads are a joy.", "instruction words in the text"),
        ("The original text says the leads are a joy.", "instruction words in the text"),
        ("I'm sorry, I can't help with that film plot.", "assistant talk"),
        ("Here is the film: slow plot, joyful leads, watch.", "assistant talk"),
        ("the PLOT of the film is slow but the two leads are a joy to watch", "only spelling"),
        ("The two leads are a joy to watch, though the plot of the", "cut short"),
        ("The two leads are a joy to watch in this slow film,", "cut short"),
        ("The two leads are a joy to watch in this slow film", "final punctuation lost"),
        ("The leads are a joy, are a joy, are a joy, are a joy in the film.", "repeats itself"),
        ("Slow film.", "wrong length"),
        (
            "A joy. " + " ".join(f"film plot{n} lead{n} slow{n}" for n in range(15)) + ".",
            "wrong length",
        ),
        ("Die Handlung ist langsam, aber beide Hauptdarsteller machen Freude.", "other language"),
        ("A different row of the data stands here.", "row of the dataset"),
        ("Slow, but a joy. A different row of the data stands here.", "row of the dataset"),
        ("The plot of the movie is slow, but the two leads are a joy to watch.", "near copy"),
        ("A boat of green timber sailed across the northern sea at dawn.", "meaning changed"),
        ("The 3 leads are a joy to watch in this slow film plot.", "meaning changed"),
    ],
)
def test_a_bad_text_is_rejected_with_its_reason(after, expected):
    """The first gate that finds something names it."""
    assert reason(after).startswith(expected)


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("Nine in ten guests would return at 7:30 pm for $20.", "left out: 90%"),
        ("Ninety percent of the guests would come again for $20.", "left out: 7:30 pm"),
        ("Ninety percent of the guests would come again at 19:30 for $25.", "number $25"),
        ("Ninety percent of guests would come again at 19:30 for twenty dollars.", None),
    ],
)
def test_a_paraphrase_keeps_percentages_times_and_amounts(after, found):
    before = "90% of the guests would return at 7:30 pm and pay $20."
    row = example(before, "positive")
    verdict = TextGates().rejection(row, {"text": after}, "positive", "paraphrase", "paraphrase")
    assert (verdict is None) == (found is None)
    if found:
        assert verdict[0] == "meaning changed"
        assert found in verdict[1]


@pytest.mark.parametrize(
    "after",
    [
        "The plot of the film is slow, but the two leads are a bore to watch.",
        "The plot of the film is quick, and the two leads are a joy to watch.",
    ],
)
def test_an_edit_may_be_close_to_its_source(after):
    """Only paraphrases must differ clearly and mean the same."""
    assert reason(after, "edit") is None


def test_what_the_source_says_is_not_held_against_a_text():
    """Tags, talk and label names of the source may stay."""
    before = (
        "<b>Sorry</b>, the label of this positive rewrite reads: text 1. I'm sorry, I can't help."
    )
    after = "<b>Sorry</b>, I can't help: this positive rewrite has the label that reads text 1. Hm."
    assert reason(after, "edit", before=before) is None


def test_a_claim_must_not_quote_its_evidence():
    """A sentence of the other field, however it is spaced, is no new text; a part of one may be."""
    evidence = "Morse code is old. It sends text as a series of tones."
    parent = example({"evidence": evidence, "claim": "Morse code sends pictures."}, "REFUTES")

    def found(claim):
        verdict = TextGates().rejection(parent, {**parent.fields, "claim": claim}, None, "edit", "")
        return None if verdict is None else verdict[0]

    assert found("it sends text as a series of tones .") == "copy of another field"
    assert found("Morse code sends text.") is None


def test_a_pair_must_not_say_the_same_twice():
    """Where both texts are written anew, one must not equal the other."""
    parent = example({"premise": "A man plays.", "hypothesis": "He is at home."}, "neutral")
    twice = "A man plays his guitar on the street."
    verdict = TextGates().rejection(
        parent, {"premise": twice, "hypothesis": twice}, None, "edit", ""
    )
    assert verdict is not None
    assert verdict[0] == "copy of another field"


def test_limits_are_settings():
    close = "The plot of the film is slow, but both of the leads are a joy to see."
    assert reason(close, max_similarity=0.95) is None
    assert reason(close, max_similarity=0.5) == "near copy"
    assert reason(GOOD, shortest=0.99, length_slack=0) == "wrong length"


@given(st.text(), st.text())
def test_any_text_is_judged_without_a_crash(before, after):
    """And a source in place of its variant never passes."""
    gates = TextGates()
    gates.rejection(example(before), {"text": after}, None, "paraphrase", "paraphrase")
    again = before.upper() if before.upper() != before else before + " "
    found = gates.rejection(example(before), {"text": again}, None, "edit", "paraphrase")
    assert found is not None or not before.isascii()


def test_every_draft_of_a_method_passes_the_gates():
    """Rejections keep the cost of the call and name what was found; offline nothing is gated."""
    talk = "Here is a slow film with two fine leads."
    close = SOURCE.replace("film", "movie")
    for written, reason, found in (
        (talk, "assistant talk", f"Here is: {talk}"),
        (close, "near copy", f"alike: {close}"),
    ):
        answers = Scripted([json.dumps({"text": written})])
        aug = create("paraphrase", Tools(llm=answers, text_gates=TextGates()))
        (outcome,) = aug.outcomes([example(SOURCE, "positive")])
        assert isinstance(outcome, Variant)
        assert (outcome.reason, outcome.cost.calls) == (reason, 1)
        assert outcome.detail.endswith(found)
    assert all(isinstance(one, Pair) for one in create("eda").outcomes(ROWS[:2]))


def test_a_fitted_method_knows_the_rows_of_its_corpus():
    copy = Scripted(lambda _: json.dumps({"text": "A different row of the data stands here."}))
    aug = create("paraphrase", Tools(llm=copy, text_gates=TextGates())).fit(ROWS)
    (outcome,) = aug.outcomes([example("Another row of the data, different, stands here.", "x")])
    assert outcome.reason == "row of the dataset"


def test_rows_are_read_back_as_they_were(tmp_path):
    """Hashes and labels; a label that is a common word of the texts is no name."""
    rows = [example(f"The world number {n} is round.", "world") for n in range(300)]
    known = DatasetRows.of([*rows, example("A cup final.", "sports")])
    known.save(tmp_path)
    read = DatasetRows.load(tmp_path)
    assert (list(read.hashes), read.labels) == (list(known.hashes), ("sports",))
    assert len(known.hashes) == 300
    assert Counter(known.hashes.tolist()).most_common(1)[0][1] == 1
