"""Fitting coba on the corpus: the ensemble, the polarity of the labels, and the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from augkit.attribution.ensemble import Voting, is_exact, vote_words
from augkit.augmenters.base import keyed_random
from augkit.augmenters.coba.artifact import CobaArtifact, TextsArtifact
from augkit.augmenters.coba.config import CobaConfig, TextRuleSettings, pairs_vote
from augkit.core.analysis import Analysis
from augkit.core.edits import Edit, apply
from augkit.core.errors import DataError
from augkit.core.progress import report_progress
from augkit.core.protocols import Parser
from augkit.core.types import Example
from augkit.english.clauses import written_sentences
from augkit.english.polarity.antonyms import ClassCounts
from augkit.english.polarity.close_choice import count_neighbours
from augkit.english.polarity.fitted_lexicon import dataset_shortcuts, fit_lexicon
from augkit.english.polarity.flip_polarity import flip_polarity
from augkit.english.polarity.label_polarity import cannot_flip, find_order, label_polarity
from augkit.english.stored_parses import StoredParses
from augkit.labels.fit import sampled_rows, train_judge
from augkit.labels.judge import AT_CHANCE, not_verified
from augkit.lexicons.evaluative import Polarity, bundled_lexicon, opposite, read_lexicon
from augkit.lexicons.label_meanings import labels_of
from augkit.lexicons.label_order import LabelOrder
from augkit.lexicons.opinions import is_of_opinions
from augkit.models.classifiers.labels import class_labels
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.ensembles.crossfit import (
    LINEAR_FIVE,
    CrossFitted,
    EnsembleConfig,
    load_ensemble,
    train_crossfitted,
)
from augkit.models.folds import content_key
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
_JUDGES = (LINEAR_FIVE[0],)
"""What judges labels: a logistic regression on words and pairs of words."""
_NOTED_ROWS = 1000
_NOTED_SAMPLED_ROWS = 20
_NOTED_WORDS = 10
"""For the notes: rows that vote, rows that do where words are sampled, and words listed."""
_PARSED_TOGETHER = 256
"""Rows after which progress is reported."""
_LEAST_OF_LABEL = 100
"""Rows of each label, if there are so many, in a sample of a large dataset."""
_GROUP = "origin"
"""The column that keeps a row and its variants in one fold of the judge."""


def fit_coba(
    examples: Sequence[Example], config: CobaConfig, parser: Parser, *, uses_llm: bool
) -> CobaArtifact:
    """Fit on the whole corpus; raises ``DataError`` where its labels cannot be flipped."""
    usable = [row for row in examples if row.label is not None and not row.fault]
    if usable and all(len(row.fields) > 2 for row in usable):
        raise DataError(
            f"coba takes rows with one text or two, and these have {len(usable[0].fields)}: "
            f"{', '.join(usable[0].fields)}. Name one or two of them with --text-column"
        )
    singles = [row for row in usable if len(row.fields) == 1]
    labels = tuple(sorted({str(row.label) for row in usable}))
    if len(labels) < 2:
        class_labels(usable)  # raises, and says why
    order = find_order(usable, config.label_order)
    if not uses_llm and not singles and len(labels_of(labels)) < 2:
        raise cannot_flip(labels, order, pairs=True)
    texts = _fit_texts(singles, config, parser, order, uses_llm) if singles else None
    pairs = [row for row in usable if len(row.fields) == 2]
    artifact = CobaArtifact(labels, texts, order)
    if pairs and pairs_vote(config, uses_llm=uses_llm):
        return _fit_pairs(artifact, pairs, config)
    return artifact


def fit_sample(rows: Sequence[Example], most: int) -> Sequence[Example]:
    """So many of the rows, the same in any order of the rows; of a rare label some more."""
    if len(rows) <= most:
        return rows
    ranked = sampled_rows(rows, len(rows), "ensemble")
    taken: Counter[str] = Counter()
    sample = []
    for number, row in enumerate(ranked):
        if number < most or taken[str(row.label)] < _LEAST_OF_LABEL:
            sample.append(row)
            taken[str(row.label)] += 1
    return sample


def _sample_notes(sample: Sequence[Example], rows: Sequence[Example]) -> Iterator[str]:
    if len(sample) < len(rows):
        yield (
            f"classifiers that vote are trained on {len(sample):,} of {len(rows):,} rows; more of "
            "them take longer (fit_rows)"
        )


def _fit_pairs(artifact: CobaArtifact, rows: Sequence[Example], config: CobaConfig) -> CobaArtifact:
    """The classifiers that vote on pairs; linear ones read both texts together too.

    Rows that are too few to vote on are an error, unless the vote is only the default.
    """
    fields = tuple(rows[0].fields)
    rows = [row for row in rows if tuple(row.fields) == fields and all(row.fields.values())]
    voters = fit_sample(rows, config.fit_rows)
    chosen = _members(config)
    crossed = tuple(
        member.model_copy(update={"cross": True}) if isinstance(member, LinearConfig) else member
        for member in chosen.members
    )
    try:
        ensemble = train_crossfitted(voters, chosen.model_copy(update={"members": crossed}))
    except DataError as error:
        if config.principal == "vote":
            raise
        return replace(artifact, pair_notes=(f"no classifiers vote on pairs: {error}",))
    by_member = ", ".join(f"{score.member} {score.accuracy:.0%}" for score in ensemble.held_out)
    chance = f"always the commonest label: {ensemble.held_out[0].chance:.1%}"
    accuracy = f"held-out accuracy on pairs: {by_member} ({chance})"
    notes = (*_sample_notes(voters, rows), accuracy, *ensemble.warnings)
    return replace(artifact, pairs=ensemble, pair_notes=notes)


def _members(config: CobaConfig) -> EnsembleConfig:
    """The classifiers that vote."""
    members = EnsembleConfig(members=MEMBERS[: config.classifiers])
    if config.ensemble != "auto":
        members = load_ensemble(config.ensemble)
    return members.model_copy(update={"folds": config.folds, "seed": config.seed})


_UNREAD = "some labels are doubtful: read some variants before you train on them"


def _fit_texts(
    rows: Sequence[Example],
    config: CobaConfig,
    parser: Parser,
    order: LabelOrder | None,
    uses_llm: bool,
) -> TextsArtifact:
    field = next(iter(rows[0].fields))
    rows = [row for row in rows if field in row.fields and row.fields[field].strip()]
    if config.classifiers > len(MEMBERS):
        raise DataError(
            f"there are {len(MEMBERS)} classifiers to choose from, not {config.classifiers}"
        )
    source, polarity = _choose_lexicon(rows, config, order, uses_llm)
    doubts = () if uses_llm or source != "bundled" else _opinion_notes(rows, config)
    voters = fit_sample(rows, config.fit_rows)
    ensemble = train_crossfitted(voters, _members(config))
    sample = rows
    if len(rows) > config.judge_rows:
        sample = sampled_rows(rows, config.judge_rows, "judge")
    analyses = _parsed([row.fields[field] for row in sample], parser)
    groups = None
    if source == "fitted":
        groups, polarity = fit_lexicon(list(zip(sample, analyses, strict=True)), order)
    notes = (*_lexicon_notes(source, polarity, order), *doubts, *_sample_notes(voters, rows))
    counts = _counts(rows, polarity)
    neighbours = count_neighbours(row.fields[field] for row in rows)
    draft = TextsArtifact(
        ensemble, ensemble, polarity, source, groups, counts, neighbours=neighbours
    )
    shortcuts = dataset_shortcuts(rows, analyses, polarity, draft.lexicon)
    draft = replace(draft, shortcuts=shortcuts, degrees=_degrees(rows, draft, order))
    judge = _train_judge(draft, sample, analyses, config, order)
    fitted = replace(draft, judge=judge)
    by_llm = uses_llm and config.judge_by != "offline"
    accuracy = _accuracy_notes(fitted, by_llm=by_llm)
    about_words = _word_notes(fitted, sample, config, uses_llm=uses_llm)
    measured = () if uses_llm else (_UNREAD,)
    parses = StoredParses.of(analyses)
    return replace(fitted, notes=(*notes, *accuracy, *about_words, *measured), parses=parses)


def _parsed(texts: Sequence[str], parser: Parser) -> list[Analysis]:
    analyses: list[Analysis] = []
    for start in range(0, len(texts), _PARSED_TOGETHER):
        report_progress("parsing rows for the judge of labels", start, len(texts))
        analyses += parser.parse(texts[start : start + _PARSED_TOGETHER])
    return analyses


def _choose_lexicon(
    rows: Sequence[Example], config: CobaConfig, order: LabelOrder | None, uses_llm: bool
) -> tuple[str, dict[str, Polarity]]:
    """Which lexicon edits these labels: a given one, the bundled one, or one to be fitted."""
    if config.principal == "data":
        return "fitted", {}
    source = "bundled" if config.lexicon == "auto" else config.lexicon
    lexicon = bundled_lexicon() if source == "bundled" else read_lexicon(Path(source))
    labels = sorted({str(row.label) for row in rows})
    polarity = label_polarity(labels, rows, lexicon, order)
    if not polarity and not uses_llm:
        raise cannot_flip(labels, order, pairs=False)
    return source, polarity


def _opinion_notes(rows: Sequence[Example], config: CobaConfig) -> tuple[str, ...]:
    """A warning where the words of opinion tell the labels apart only a little.

    Raises ``DataError`` where they do not tell them apart.
    """
    balance = is_of_opinions(rows)
    if balance.verdict == "opinions":
        return ()
    measured = (
        f"positive and negative words tell '{balance.label}' from the rest with an AUC of "
        f"{balance.auc:.2f} (.5 is chance, opinions have .70 and more)"
    )
    if balance.verdict == "none" and not config.any_labels:
        raise DataError(
            f"coba: the labels do not look like opinions: {measured}, and the rules only turn "
            "words of opinion. What works: coba with a language model (--llm openai:MODEL), or "
            "methods that keep the label (razor, mask-words, panda, eda). To go on all the same: "
            "--set any_labels=true"
        )
    return (f"labels that may be no opinions: {measured}: read some variants before you use them",)


def _lexicon_notes(
    source: str, polarity: dict[str, Polarity], order: LabelOrder | None
) -> Iterator[str]:
    if order is not None:
        listed = " < ".join(order.ranked)
        yield f"labels are ordered, {listed}: a flip goes to the other side of the middle"
    if source == "fitted":
        yield (
            "words fitted to the data are edited (principal=data), which is weak: read some "
            "variants before you use them"
        )
    elif polarity:
        listed = ", ".join(f"'{label}' is {side}" for label, side in polarity.items())
        yield f"labels are edited with the {source} evaluative lexicon: {listed}"


def _counts(rows: Sequence[Example], polarity: dict[str, Polarity]) -> ClassCounts:
    counts: dict[Polarity, Counter[str]] = {"positive": Counter(), "negative": Counter()}
    for row in rows:
        side = polarity.get(str(row.label))
        if side is not None:
            text = next(iter(row.fields.values()))
            counts[side].update({word.lower() for word in words(text)})
    # A word of a single document says nothing about a polarity.
    return ClassCounts(
        {
            side: {word: count for word, count in frequencies.items() if count > 1}
            for side, frequencies in counts.items()
        }
    )


def _degrees(
    rows: Sequence[Example], draft: TextsArtifact, order: LabelOrder | None
) -> dict[str, tuple[float, dict[str, int]]]:
    """Each label that is stronger or weaker than others of its polarity, with its words."""
    if order is None:
        return {}
    counts: dict[str, Counter[str]] = {label: Counter() for label in draft.polarity}
    evaluative = draft.lexicon.words
    for row in rows:
        if (label := str(row.label)) in counts:
            text = next(iter(row.fields.values()))
            counts[label].update({word.lower() for word in words(text)} & evaluative.keys())
    strengths = {label: order.strength(label) for label in counts}
    return {
        label: (strength, dict(counts[label]))
        for label, strength in strengths.items()
        if strength is not None
    }


def _train_judge(
    draft: TextsArtifact,
    sample: Sequence[Example],
    analyses: Sequence[Analysis],
    config: CobaConfig,
    order: LabelOrder | None,
) -> CrossFitted:
    """Classifiers of the rows and their flips; a row's flip is in the row's fold.

    Trained on rows alone they would lean on the shortcuts that a variant keeps on purpose.
    """
    rows: list[Example] = []
    for row, analysis in zip(sample, analyses, strict=True):
        held = replace(row, columns={_GROUP: row.id})
        rows.append(held)
        if str(row.label) in draft.polarity:
            rows += _flipped(held, analysis, draft, config, order)
    settings = EnsembleConfig(
        members=_JUDGES, folds=config.folds, seed=config.seed, group_column=_GROUP
    )
    # The same text with two labels would be in two folds.
    distinct: dict[str, Example] = {}
    for row in rows:
        distinct.setdefault(content_key(row), row)
    return train_judge(list(distinct.values()), members=settings).ensemble


def _flipped(
    row: Example,
    analysis: Analysis,
    draft: TextsArtifact,
    config: CobaConfig,
    order: LabelOrder | None,
) -> list[Example]:
    """The whole text flipped as a variant would be; none where nothing is edited."""
    side = draft.polarity[str(row.label)]
    target: str | None
    if order is None:
        target = next(name for name, pole in draft.polarity.items() if pole == opposite(side))
    elif (target := order.flipped(row.label)) is None:
        return []
    rng = keyed_random(config.seed, row.id, "judge", 0)
    broad = bool(TextRuleSettings.of(config).broad)
    choice = draft.choice_of_sentences(target, broad=broad)
    if len(written_sentences(analysis)) > 1:
        choice = draft.choice_of_texts(target)
    flip = flip_polarity(analysis, side, draft.lexicon, choice, rng)
    if not flip.changes:
        return []
    field = next(iter(row.fields))
    edits = [Edit(field, c.start, c.end, "", c.after) for c in flip.changes]
    return [replace(row, fields=apply(row.fields, edits), label=target)]


def _word_notes(
    fitted: TextsArtifact, sample: Sequence[Example], config: CobaConfig, *, uses_llm: bool
) -> Iterator[str]:
    """The words that most classifiers name and that are edited, and the shortcuts of the dataset.

    The rules, and a model that is asked once, edit evaluative words alone.
    """
    exact = is_exact(fitted.ensemble, sample, config.attribution)
    rows = sample[: _NOTED_ROWS if exact else _NOTED_SAMPLED_ROWS]
    voting = Voting(config.top_k, config.vote, config.attribution)
    votes = vote_words(fitted.ensemble, rows, voting)
    evaluative = fitted.lexicon.words
    by_vote = uses_llm and config.principal in {"auto", "vote"} and config.calls == "steps"
    spared = {word for words in fitted.shortcuts.values() for word in words}
    if config.preset is not None:
        spared = set()
    voted = Counter(
        word
        for vote in votes
        for word in vote.principal
        if (by_vote or word in evaluative) and word not in spared
    )
    ranked = sorted(voted, key=lambda word: (-voted[word], word))[:_NOTED_WORDS]
    yield f"important and to be edited: {', '.join(ranked) or 'none'}"
    use = "kept in the variants"
    if uses_llm and config.preset is not None:
        use = "not spared: preset=paper goes by the vote alone"
    elif uses_llm:
        use = "never offered for change: the model is asked to keep those that a text has"
    listed = "; ".join(
        f"{', '.join(words[:_NOTED_WORDS])} ({label})"
        for label, words in sorted(fitted.shortcuts.items())
        if words
    )
    yield f"likely shortcuts ({use}): {listed or 'none'}"


def _accuracy_notes(fitted: TextsArtifact, *, by_llm: bool) -> list[str]:
    held_out = fitted.ensemble.held_out
    by_member = ", ".join(f"{score.member} {score.accuracy:.0%}" for score in held_out)
    chance = f"always the commonest label: {held_out[0].chance:.1%}"
    accuracy = f"held-out accuracy: {by_member} ({chance})"
    if not fitted.at_chance:
        return [accuracy, *fitted.ensemble.warnings]
    return [accuracy, f"{AT_CHANCE}: it alone judges" if by_llm else not_verified(AT_CHANCE)]
