"""Learning from the corpus: the ensemble, the sides of the labels, and the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from augkit.attribution.ensemble import vote_words
from augkit.augmenters.base import keyed_random
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.editing.partners import ClassCounts
from augkit.augmenters.coba.editing.turn import turn
from augkit.augmenters.coba.learnt import Learnt, TextsLearnt
from augkit.augmenters.coba.sides import sides_of
from augkit.augmenters.coba.vocabulary import learnt_groups
from augkit.core.analysis import Analysis
from augkit.core.errors import DataError
from augkit.core.types import Edit, Example, digest
from augkit.language.parser import SpacyParser
from augkit.lexicons.evaluative import Side, bundled, other, read
from augkit.models.classifiers.labels import class_labels
from augkit.models.classifiers.linear import LinearConfig
from augkit.models.ensembles.config import LINEAR_FIVE, EnsembleConfig
from augkit.models.ensembles.crossfit import CrossFitted, train_crossfitted
from augkit.models.folds import content_key
from augkit.text.diff import apply
from augkit.text.tokens import words

MEMBERS = (
    *LINEAR_FIVE,
    LinearConfig(features="tfidf", ngrams=3, learner="ridge", strength=1.0),
    LinearConfig(features="counts", ngrams=2, learner="naive-bayes"),
    LinearConfig(features="binary", ngrams=1, learner="logistic", strength=1.0),
    LinearConfig(features="tfidf", ngrams=1, learner="logistic", strength=1.0),
    LinearConfig(features="tfidf", ngrams=2, learner="svm", strength=1.0),
    LinearConfig(features="binary", ngrams=2, learner="naive-bayes"),
)
"""The classifiers that vote, the first so many of them."""
_JUDGES = (LINEAR_FIVE[0], LINEAR_FIVE[1], LINEAR_FIVE[3])
_ASKED, _TOLD = 1000, 10
"""Rows whose important words are counted for the notes, and words told."""
_PAIR = "origin"
"""The column that keeps a row and its variants in one fold of the judge."""


def learn(examples: Sequence[Example], config: CobaConfig) -> Learnt:
    """Learn from the whole corpus; raises ``DataError`` where its labels cannot be learnt."""
    usable = [row for row in examples if row.label is not None and not row.fault]
    singles = [row for row in usable if len(row.fields) == 1]
    labels = tuple(sorted({str(row.label) for row in usable}))
    if len(labels) < 2:
        class_labels(usable)  # raises, and says why
    texts = _learn_texts(singles, config) if singles else None
    return Learnt(labels, texts)


def _learn_texts(rows: Sequence[Example], config: CobaConfig) -> TextsLearnt:
    field = next(iter(rows[0].fields))
    rows = [row for row in rows if field in row.fields and row.fields[field].strip()]
    ensemble = train_crossfitted(rows, _ensemble_config(config))
    sample = _sample(rows, config.judge_rows)
    analyses = SpacyParser().parse([row.fields[field] for row in sample])
    draft = _with_lexicon(ensemble, rows, list(zip(sample, analyses, strict=True)), config)
    judge = _train_judge(draft, sample, analyses, config)
    notes = (*draft.notes, *_told(ensemble), *_words_found(draft, sample, config))
    return replace(draft, judge=judge, notes=notes)


def _ensemble_config(config: CobaConfig) -> EnsembleConfig:
    if config.classifiers > len(MEMBERS):
        raise DataError(
            f"there are {len(MEMBERS)} classifiers to choose from, not {config.classifiers}"
        )
    return EnsembleConfig(
        members=MEMBERS[: config.classifiers], folds=config.folds, seed=config.seed
    )


def _sample(rows: Sequence[Example], most: int) -> list[Example]:
    """At most so many rows, drawn by their ids."""
    if len(rows) <= most:
        return list(rows)
    return sorted(rows, key=lambda row: digest("judge", row.id))[:most]


def _with_lexicon(
    ensemble: CrossFitted,
    rows: Sequence[Example],
    sample: Sequence[tuple[Example, Analysis]],
    config: CobaConfig,
) -> TextsLearnt:
    """The lexicon for these labels: a given one, the bundled one, or words learnt from the data."""
    source = "bundled" if config.lexicon == "auto" else config.lexicon
    sides: dict[str, Side] = {}
    if source != "none":
        lexicon = bundled() if source == "bundled" else read(Path(source))
        sides = sides_of(ensemble.labels, rows, lexicon)
    if sides:
        note = f"labels are edited with the {source} evaluative lexicon: {_listed(sides)}"
        return TextsLearnt(ensemble, ensemble, sides, source, None, _counts(rows, sides), (note,))
    groups, sides = learnt_groups(sample, ensemble.labels)
    note = (
        "no evaluative lexicon fits these labels: words learnt from the data are edited instead, "
        "which is weaker; read some variants before you use them"
    )
    return TextsLearnt(ensemble, ensemble, sides, "learnt", groups, _counts(rows, sides), (note,))


def _listed(sides: dict[str, Side]) -> str:
    return ", ".join(f"'{label}' is {side}" for label, side in sides.items())


def _counts(rows: Sequence[Example], sides: dict[str, Side]) -> ClassCounts:
    counts: dict[Side, Counter[str]] = {"positive": Counter(), "negative": Counter()}
    for row in rows:
        side = sides.get(str(row.label))
        if side is not None:
            text = next(iter(row.fields.values()))
            counts[side].update({word.lower() for word in words(text)})
    # Words that one document alone uses say nothing of a side.
    return ClassCounts(
        {side: {w: n for w, n in some.items() if n > 1} for side, some in counts.items()}
    )


def _train_judge(
    draft: TextsLearnt,
    sample: Sequence[Example],
    analyses: Sequence[Analysis],
    config: CobaConfig,
) -> CrossFitted:
    """Classifiers of the rows and their variants; a row's variants are in the row's fold.

    Trained on rows alone they would lean on the shortcuts that a variant keeps on purpose.
    """
    rows: list[Example] = []
    for row, analysis in zip(sample, analyses, strict=True):
        held = replace(row, columns={_PAIR: row.id})
        rows.append(held)
        if str(row.label) in draft.sides:
            draw = keyed_random(config.seed, row.id, "judge", 0)
            rows += _variants(held, analysis, draft, draw)
    settings = EnsembleConfig(
        members=_JUDGES, folds=config.folds, seed=config.seed, group_column=_PAIR
    )
    return train_crossfitted(_distinct(rows), settings)


def _variants(row: Example, analysis: Analysis, draft: TextsLearnt, draw: Random) -> list[Example]:
    """The whole text turned, and every turned sentence with its unturned twin."""
    side = draft.sides[str(row.label)]
    target = next(label for label, its in draft.sides.items() if its == other(side))
    turned = turn(analysis, side, draft.lexicon, draft.counts, draw)
    if not turned.changes:
        return []
    field, text = next(iter(row.fields)), analysis.text
    edits = [Edit(field, c.start, c.end, "", c.after) for c in turned.changes]
    found = [replace(row, fields=apply(row.fields, edits), label=target)]
    for sentence in analysis.sentences if len(analysis.sentences) > 1 else ():
        start, end = sentence[0].start, sentence[-1].end
        inside = [e for e in edits if start <= e.start and e.end <= end]
        if inside:
            cut = [Edit(field, e.start - start, e.end - start, "", e.after) for e in inside]
            original = {field: text[start:end]}
            found.append(replace(row, fields=original))
            found.append(replace(row, fields=apply(original, cut), label=target))
    return found


def _distinct(rows: Sequence[Example]) -> list[Example]:
    """Rows whose content is there once only: a text on both sides would be in two folds."""
    seen: dict[str, Example] = {}
    for row in rows:
        seen.setdefault(content_key(row), row)
    return list(seen.values())


def _words_found(
    draft: TextsLearnt, sample: Sequence[Example], config: CobaConfig
) -> Iterator[str]:
    """The words most often important: those that judge, and those that only go with a label."""
    votes = vote_words(draft.ensemble, sample[:_ASKED], config.top_k, config.vote)
    voted = Counter(word for found in votes for word in found.principal)
    known = draft.lexicon.words
    for name, some in (
        ("important and to be edited", [w for w in voted if w in known]),
        ("important and to be kept, as shortcuts", [w for w in voted if w not in known]),
    ):
        ranked = sorted(some, key=lambda word: (-voted[word], word))[:_TOLD]
        yield f"{name}: {', '.join(ranked) or 'none'}"


def _told(ensemble: CrossFitted) -> list[str]:
    found = ", ".join(f"{h.member} {h.accuracy:.0%}" for h in ensemble.held_out)
    chance = ensemble.held_out[0].chance
    return [
        f"held-out accuracy: {found} (always the commonest label: {chance:.1%})",
        *ensemble.warnings,
    ]
