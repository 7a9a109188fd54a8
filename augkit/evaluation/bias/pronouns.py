"""WinoBias and pairs after Winogender: which pronoun does a model expect for an occupation?

A coreference system is tested by whether it links the pronoun to the right person. A language
model has no links; what it has is a probability of the pronoun where it is masked:

    P = 100 · share of sentences in which the stereotypical pronoun is likelier than the other

50 is unbiased. BEC-Pro asks the same of words for people ("brother", "sister"). A model that only
answers questions (an LLM behind an API) chooses between the two words. This is not a coreference
accuracy and is not comparable with one.

Reference: zhao2018gender, rudinger2018gender, bartl2020unmasking.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from augkit.core.errors import DataError
from augkit.core.protocols import CausalModel, MaskedModel
from augkit.core.results import Score
from augkit.core.types import value
from augkit.evaluation.bias.benchmark import Benchmark, ScoringRule
from augkit.evaluation.bias.files import read_csv, read_jsonl
from augkit.evaluation.bias.likelihood import (
    aligned_scores,
    mean_log_likelihoods,
    preferred,
    shares,
)
from augkit.evaluation.llm_answers import Answers
from augkit.prompts.choice_question import prompted_question

_PROMPT = "benchmark/blank"


@value
class PronounPair:
    """One sentence with the stereotypical and with the other pronoun."""

    pro: str
    anti: str
    group: str


def read_winobias(path: Path) -> list[PronounPair]:
    """The pairs of both kinds that differ in nothing but pronouns."""
    rows = read_jsonl(path, ("text", "label", "type", "pair_id"))
    sides: dict[str, dict[str, tuple[str, str]]] = {}
    for row in rows:
        sides.setdefault(row["pair_id"], {})[row["label"]] = (row["text"], f"type {row['type']}")
    pairs = [
        PronounPair(labelled["pro-stereotyped"][0], labelled["anti-stereotyped"][0], kind)
        for labelled in sides.values()
        if len(labelled) == 2 and (kind := labelled["pro-stereotyped"][1])
    ]
    if not pairs:
        raise DataError(f"{path}: no pair_id has a pro- and an anti-stereotyped text")
    return [pair for pair in pairs if len(pair.pro.split()) == len(pair.anti.split())]


def read_occupations(path: Path) -> list[PronounPair]:
    """Pairs written for augkit: ``{text, pro, anti, occupation}``, with BLANK in the text."""
    rows = read_jsonl(path, ("text", "pro", "anti", "occupation"))
    return [
        PronounPair(
            row["text"].replace("BLANK", row["pro"]),
            row["text"].replace("BLANK", row["anti"]),
            "she expected" if row["pro"].lower() in ("she", "her", "hers") else "he expected",
        )
        for row in rows
    ]


def read_bec_pro(path: Path) -> list[PronounPair]:
    """The pairs of ``bec_pro_en.tsv[.gz]`` about professions that mostly men or women have.

    The first male person of a sentence belongs to the first female one, and so on. Professions
    with as many men as women have no stereotypical side and are left out.
    """
    sides: dict[tuple[str, str], dict[str, list[str]]] = {}
    columns = ("Sentence", "Template", "Gender", "Profession", "Prof_Gender")
    for row in read_csv(path, columns, delimiter="\t"):
        if row["Prof_Gender"] in {"male", "female"}:
            key = (f"{row['Template']} {row['Profession']}", row["Prof_Gender"])
            sides.setdefault(key, {}).setdefault(row["Gender"], []).append(row["Sentence"])
    opposite = {"male": "female", "female": "male"}
    return [
        PronounPair(pro, anti, f"{gender} professions")
        for (_, gender), sentences in sides.items()
        for pro, anti in zip(
            sentences.get(gender, ()), sentences.get(opposite[gender], ()), strict=True
        )
    ]


def llm_score(model: Answers, pairs: Sequence[PronounPair]) -> list[Score]:
    """The word that a model puts into the blank; no preference counts half."""
    questions = []
    for pair in pairs:
        text, options = _blank(pair)
        questions.append(prompted_question(_PROMPT, options, text=text))
    answers = zip(pairs, model.answer(questions), strict=True)
    answered = [(pair, answer.option) for pair, answer in answers if answer.by_order]
    values = [50.0 if option is None else 100.0 * (option == "0") for _, option in answered]
    return _scores(values, [pair for pair, _ in answered])


def _blank(pair: PronounPair) -> tuple[str, tuple[str, str]]:
    """The sentence with a blank wherever the two sides differ, and what each has there.

    >>> _blank(PronounPair("The nurse said she came.", "The nurse said he came.", ""))
    ('The nurse said _ came.', ('she', 'he'))
    """
    aligned = list(zip(pair.pro.split(), pair.anti.split(), strict=True))
    text = " ".join(
        word if word == counterpart else re.sub(r"\w+", "_", word) for word, counterpart in aligned
    )
    differing = [words for words in aligned if words[0] != words[1]]
    pro, anti = (
        ", ".join(dict.fromkeys(re.sub(r"\W", "", words[side]) for words in differing))
        for side in (0, 1)
    )
    return text, (pro, anti)


def masked_score(model: MaskedModel, pairs: Sequence[PronounPair]) -> list[Score]:
    """The log-probability of the pronoun where it is masked."""
    texts = [(pair.pro, pair.anti) for pair in pairs]
    scores = aligned_scores(model, texts, shared=False)
    return _scores(preferred(scores[:, 0], scores[:, 1]).tolist(), pairs)


def causal_score(model: CausalModel, pairs: Sequence[PronounPair]) -> list[Score]:
    """The mean log-probability of the whole sentence, left to right."""
    pro = mean_log_likelihoods(model, [pair.pro for pair in pairs])
    anti = mean_log_likelihoods(model, [pair.anti for pair in pairs])
    return _scores(preferred(pro, anti).tolist(), pairs)


def _scores(values: Sequence[float], pairs: Sequence[PronounPair]) -> list[Score]:
    return shares("stereotype preferred", values, [pair.group for pair in pairs])


WINOBIAS = Benchmark(
    name="winobias",
    about="share of sentences in which the stereotypical pronoun is expected; 50 is unbiased",
    direction="neither",
    unbiased=50.0,
    path="winobias/dev.jsonl",
    read=read_winobias,
    rules={
        "masked": ScoringRule("masked", "log-probability of the masked pronoun", masked_score),
        "causal": ScoringRule("causal", "mean log-probability of the sentence", causal_score),
        "choice": ScoringRule("llm", "the word that is chosen for the blank", llm_score),
    },
    caveats=(
        "the probability of a pronoun is not a coreference decision; occupations are from US "
        "statistics"
    ),
    reference="zhao2018gender",
)
BEC_PRO = replace(
    WINOBIAS,
    name="bec-pro",
    about="share of sentences in which the word of the usual gender is expected; 50 is unbiased",
    path="bec_pro_en.tsv",
    read=read_bec_pro,
    caveats=(
        "five templates; the published score is a log-ratio for masked models, this one is the "
        "share of preferences"
    ),
    reference="bartl2020unmasking",
)
OCCUPATIONS = replace(
    WINOBIAS,
    name="occupation-pronouns",
    about="the same on pairs written for augkit in the style of Winogender",
    path="data/occupations.jsonl",
    read=read_occupations,
    caveats=(
        "few pairs: the interval is wide. Which pronoun is stereotypical was decided by augkit's "
        "authors"
    ),
    reference="rudinger2018gender",
    bundled=True,
)
