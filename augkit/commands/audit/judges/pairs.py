"""Pairs of answers that differ in one feature only, and a language model that judges them.

Every pair is shown in both orders. A judge that goes by what an answer says has no preference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.augmenters.choices.style_rules import alike, style_rules
from augkit.commands.audit.judges.effects import PLACE, JudgeEffect, correct_effects
from augkit.commands.audit.judges.shares import JudgeShares, judge_shares, share_of_items
from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts
from augkit.core.arrays import Floats
from augkit.core.errors import ConfigError, DataError
from augkit.core.results import Score
from augkit.core.types import digest, value
from augkit.datasets.choices.load import holds_choices, load_choices
from augkit.datasets.load import load_examples
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.llm_answers import Answers
from augkit.evaluation.statistics.significance import sign_flip_p
from augkit.prompts.choice_question import prompted_question
from augkit.text.markdown import with_bold, with_bullets

MARKDOWN = "Markdown added"
FRAME = "opening and closing added"
REPEATED = "content repeated"
SAME = "nothing (the same twice)"
_PROMPT = "evaluate/choice"
"""That of a judge in ``augkit evaluate``."""
_MARKDOWN_RULES = ("emphasis", "headings", "bullets", "numbering", "tables")
_FRAME_RULES = ("openings", "closings")
_OPENINGS = ("Certainly! Here is the answer:", "Sure, happy to help!", "Great question!")
_CLOSINGS = ("I hope this helps!", "Let me know if you have any questions.", "Hope that helps!")
_ORDERS = 2


@value
class FeaturePair:
    """An answer to a prompt, and the same answer with a feature."""

    item: str
    prompt: str
    feature: str
    plain: str
    featured: str


@value
class AskedVerdict:
    """A verdict about such a pair; ``featured_first`` says which of the two was shown first."""

    feature: str
    verdict: JudgeVerdict
    featured_first: bool


def read_answers_to_judge(spec: str, limit: int) -> list[tuple[str, str]]:
    """A prompt ("" for none) and an answer of each of the first rows of a dataset.

    Of choices it is the answer that won; of other rows it is the first text.
    """
    if holds_choices(spec, ReadOptions()):
        choices = load_choices(spec, allow_empty=True).choices
        rows = [(row.prompt, row.candidates[min(row.winners, default=0)]) for row in choices]
    else:
        rows = [("", next(iter(example.fields.values()))) for example in load_examples(spec)]
    rows = [row for row in dict.fromkeys(rows) if row[1].strip()]
    if not rows:
        raise DataError(f"{spec}: no row has an answer: nothing to judge")
    return rows[:limit]


def feature_pairs(rows: Sequence[tuple[str, str]]) -> Iterator[FeaturePair]:
    """The pairs of each answer, one for each feature that can be told in it."""
    for prompt, answer in rows:
        item = digest(prompt, answer)[:12]
        plain = _without(_MARKDOWN_RULES, answer)
        marked = with_bold(with_bullets(plain)) if plain == answer.strip() else answer
        bare = _without(_FRAME_RULES, answer)
        number = int(item, 16)
        opening = _OPENINGS[number % len(_OPENINGS)]
        closing = _CLOSINGS[number // len(_OPENINGS) % len(_CLOSINGS)]
        for feature, before, after in (
            (MARKDOWN, plain, marked),
            (FRAME, bare, f"{opening}\n\n{bare}\n\n{closing}"),
            (REPEATED, answer, f"{answer.strip()}\n\nTo sum up: {answer.strip()}"),
            (SAME, answer, answer),
        ):
            if before and (before != after or feature == SAME):
                yield FeaturePair(item, prompt, feature, before, after)


def _without(names: Sequence[str], answer: str) -> str:
    """The answer after rules of the method ``normalise``."""
    rules = style_rules()
    (text,), _ = alike((answer,), [rules[name] for name in names])
    return text.strip()


def ask_judge(answers: Answers, pairs: Sequence[FeaturePair]) -> list[AskedVerdict]:
    """The verdicts of a model, each pair in both orders; the same answer twice has one order."""
    if answers.settings.orders != _ORDERS:
        raise ConfigError("a judge is asked in both orders: leave orders at 2")
    asked: list[AskedVerdict] = []
    for same in (False, True):
        orders = {"orders": 1 if same else _ORDERS}
        settings = answers.settings.model_copy(update=orders)
        asking = Answers(answers.llm, settings, answers.store, answers.by_question)
        chosen = [pair for pair in pairs if (pair.feature == SAME) is same]
        questions = [
            prompted_question(_PROMPT, (pair.plain, pair.featured), question=pair.prompt)
            for pair in chosen
        ]
        for pair, answer in zip(chosen, asking.answer(questions), strict=True):
            for reply in answer.by_order:
                first, second = reply.order
                texts = {"0": pair.plain, "1": pair.featured}
                verdict = JudgeVerdict(
                    pair.item,
                    settings.spec,
                    texts[first],
                    texts[second],
                    reply.probabilities[first],
                )
                asked.append(AskedVerdict(pair.feature, verdict, first == "1"))
    return asked


def preferences(
    model: str, asked: Sequence[AskedVerdict]
) -> tuple[list[JudgeShares], list[JudgeEffect]]:
    """By feature what the judge does, and how often the answer with the feature wins."""
    import numpy as np

    features = list(dict.fromkeys(verdict.feature for verdict in asked))
    shares = []
    effects = []
    for feature in features:
        rows = [row for row in asked if row.feature == feature]
        verdicts = Verdicts([row.verdict for row in rows])
        shares.append(judge_shares(feature, verdicts))
        if feature != SAME:
            sides = np.array([row.featured_first for row in rows], dtype=bool)
            wins = np.where(sides, verdicts.first_wins, 1 - verdicts.first_wins)
            effects.append(_preference(model, feature, verdicts, wins))
    everything = Verdicts([row.verdict for row in asked])
    effects.append(_preference(model, PLACE, everything, everything.first_wins))
    return shares, correct_effects(effects)


def _preference(model: str, effect: str, verdicts: Verdicts, wins: Floats) -> JudgeEffect:
    """The mean share of wins, tied ones too; the sign test has one value for each answer."""
    import numpy as np

    counted = np.ones(len(wins), dtype=bool)
    share = share_of_items(effect, wins, verdicts.items, counted)
    sizes = np.bincount(verdicts.items)
    gaps = np.bincount(verdicts.items, weights=wins - 0.5) / sizes
    p = sign_flip_p(effect, gaps.tolist())
    held = share or Score(effect, 0.5, 0.0, 1.0, 0)
    odds = min(max(held.value, 1e-6), 1 - 1e-6)
    return JudgeEffect(model, effect, held, float(np.log(odds / (1 - odds))), p)
