"""Benchmarks in which an LLM fills a blank, on models whose choices are known."""

from __future__ import annotations

import json

import numpy as np
import pytest

from augkit.core.model_types import Reply
from augkit.evaluation.bias.pronouns import BEC_PRO, PronounPair
from augkit.evaluation.bias.pronouns import llm_score as pronoun_score
from augkit.evaluation.bias.winogenerated import BENCHMARK, llm_score
from augkit.evaluation.llm_answers import Answers
from augkit.evaluation.statistics.intervals import correlations
from augkit.llm.scripted import Scripted
from augkit.llm.settings import LLMUnderTest


def asked(request):
    """The sentence and the options of a question, in the order shown."""
    parts = request.messages[-1].content.split("<data>")[1:]
    text, *options = [part.partition("</data>")[0] for part in parts]
    return text, options


def model(answer, orders=3):
    return Answers(Scripted(answer), LLMUnderTest(spec="scripted", orders=orders))


@pytest.fixture
def sentences(tmp_path):
    rows = [
        {
            "occupation": f"worker {number}",
            "pronoun_options": ["he", "she", "they"],
            "sentence_with_blank": f"The worker {number} said _ would come.",
            "BLS_percent_women_2019": float(10 * number),
        }
        for number in range(11)
    ]
    path = tmp_path / "winogenerated.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return BENCHMARK.read(path)


def following(sign):
    """A model whose P(she) rises or falls with the share of women; "they" has a fifth."""

    def answer(request):
        text, options = asked(request)
        women = int(text.split()[2]) / 10
        she = 0.8 * (women if sign > 0 else 1 - women)
        shares = {"he": 0.8 - she, "she": she, "they": 0.2}
        given = {"ABC"[n]: shares[one] for n, one in enumerate(options)}
        return Reply(max(given, key=given.get), probabilities=given)

    return answer


@pytest.mark.parametrize("sign", [1, -1])
def test_a_model_that_follows_the_shares(sentences, sign):
    """The correlation is 1 where it follows them and -1 where it does the opposite."""
    scores = {one.name: one for one in llm_score(model(following(sign)), sentences)}
    assert scores["correlation with share of women"].value == pytest.approx(sign)
    assert scores["neutral pronoun"].value == pytest.approx(0.2)
    assert scores["correlation with share of women"].n == 11


def test_a_neutral_model_has_no_correlation(sentences):
    """It never says he or she: shares of pronouns alone."""
    they = model(lambda request: "ABC"[asked(request)[1].index("they")])
    scores = {one.name: one.value for one in llm_score(they, sentences)}
    assert scores == {"male pronoun": 0.0, "female pronoun": 0.0, "neutral pronoun": 1.0}


def test_the_weighted_correlation_is_numpys():
    """With whole weights, that of the repeated rows."""
    rng = np.random.default_rng(0)
    values, shares = rng.random((2, 40))
    weights = rng.integers(0, 4, (5, 40))
    found = correlations(values, shares, weights.astype(float))
    expected = [
        np.corrcoef(np.repeat(values, one), np.repeat(shares, one))[0, 1] for one in weights
    ]
    assert found == pytest.approx(expected)
    assert correlations(np.ones(40), shares, np.ones((1, 40))).tolist() == [0.0]


PAIRS = [
    PronounPair("The nurse said she came.", "The nurse said he came.", "she expected"),
    PronounPair("The smith said he came.", "The smith said she came.", "he expected"),
]


def test_the_word_for_the_blank():
    """A model that always says "he" is at 50, 100 where expected; a stereotyped one at 100."""
    he = model(lambda request: "AB"[asked(request)[1].index("he")], orders=2)
    found = {one.name: one.value for one in pronoun_score(he, PAIRS)}
    assert found["stereotype preferred"] == 50.0
    assert found["stereotype preferred/he expected"] == 100.0
    expected = {"nurse": "she", "smith": "he"}

    def stereotyped(request):
        text, options = asked(request)
        return "AB"[options.index(expected[text.split()[1]])]

    assert pronoun_score(model(stereotyped, orders=2), PAIRS)[0].value == 100.0
    first = pronoun_score(model(lambda _: "A", orders=2), PAIRS)
    assert first[0].value == 50.0


def test_people_of_bec_pro_belong_together(tmp_path):
    """The first male person to the first female one; balanced professions are left out."""
    lines = ["\tSentence\tTemplate\tGender\tProfession\tProf_Gender"]
    for profession, usual in (("taper", "male"), ("nurse", "female"), ("cook", "balanced")):
        for gender, people in (("male", "He His-son"), ("female", "She His-daughter")):
            for person in people.split():
                sentence = f"{person.replace('-', ' ')} is a {profession}."
                lines.append(f"0\t{sentence}\t<person> is a\t{gender}\t{profession}\t{usual}")
    path = tmp_path / "bec_pro_en.tsv"
    path.write_text("\n".join(lines) + "\n")
    assert [(one.pro, one.anti, one.group) for one in BEC_PRO.read(path)] == [
        ("He is a taper.", "She is a taper.", "male professions"),
        ("His son is a taper.", "His daughter is a taper.", "male professions"),
        ("She is a nurse.", "He is a nurse.", "female professions"),
        ("His daughter is a nurse.", "His son is a nurse.", "female professions"),
    ]


def test_the_published_files(data_folder):
    """2,990 sentences, and 30 templates and people by 40 professions twice."""
    assert len(BENCHMARK.read(data_folder / "bias" / "winogenerated.jsonl")) == 2_990
    pairs = BEC_PRO.read(data_folder / "bias" / "bec_pro_en.tsv")
    assert len(pairs) == 1_800
    assert {one.group for one in pairs} == {"male professions", "female professions"}
