"""``augkit shortcuts --by grammar``: structures that give the label away.

A grammar is induced from the texts alone; the labels come in afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field
from typing_extensions import Self

from augkit.attribution.ensemble import explainer
from augkit.attribution.explanation import top_words
from augkit.attribution.integrated_gradients import Differentiable
from augkit.core.config import FinderConfig, load
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import Classifier, RegisteredFinder, Target, Tools
from augkit.core.results import Survey
from augkit.core.types import Example
from augkit.grammars.features.local_explanations import (
    RULE_COUNTS,
    RuleCounts,
    count_rules,
    explain_tree,
)
from augkit.grammars.features.subtrees import extract_subtrees
from augkit.grammars.features.survey import (
    GrammarSurvey,
    SignificantSubtrees,
    label_rows,
    significant_subtrees,
    survey_trees,
)
from augkit.grammars.model.corpus import (
    CorpusConfig,
    GrammarCorpus,
    LeftOut,
    WordVocabulary,
    read_corpus,
    split_corpus,
)
from augkit.grammars.model.induce import EncodedTexts, InduceConfig, induce_grammar
from augkit.grammars.trees import Trees, nltk_trees, yields
from augkit.shortcuts.grammar_report import (
    CORPUS_FILE,
    ExplainedRow,
    GrammarReportConfig,
    corpus_config,
    report_survey,
    write_corpus_config,
    write_lines,
)
from augkit.shortcuts.label_features import strongest_first
from augkit.text.screen import show_error

if TYPE_CHECKING:
    from augkit.grammars.model.grammar import Grammar

_VOCABULARY = "vocabulary.json"
_GRAMMAR = "grammar"
_SHOWN_ROWS = 20
_EXPLAINED = (
    "ratio: (1 + training rows of the predicted label that use the rule) / (1 + those of the row's "
    "label). It says what goes with the prediction in the data, not what the classifier looked at"
)


class GrammarFinderConfig(GrammarReportConfig, InduceConfig, FinderConfig):
    """The grammar, its training, what is selected and what is shown."""

    grammar: Literal["auto", "pcfg", "scfg"] = Field(
        "auto", description="pcfg for single texts, scfg for pairs; auto: what the rows need"
    )
    fitted: Path | None = Field(
        None,
        description="for --find: a folder of `augkit shortcuts --by grammar --out`; no training",
    )

    @property
    def loads_model(self) -> bool:
        """Always: a grammar parses in batches, on a GPU where there is one."""
        return True


@dataclass(frozen=True)
class GrammarFinder(RegisteredFinder):
    """Complete subtrees and rules of an induced grammar, tested on held-out rows.

    Texts are parsed and the significant subtrees of their label are marked; the strength of a
    target is the share of its label on the held-out rows.

    Args:
        grammar: Parses texts.
        vocabulary: Its words.
        subtrees: Those that are significant.
        corpus: How texts are read.
        rules: How often labels use rules; None for a folder of 0.1.0, which has no counts.
    """

    name = "grammar"
    Config = GrammarFinderConfig

    grammar: Grammar
    vocabulary: WordVocabulary
    subtrees: SignificantSubtrees
    corpus: CorpusConfig
    rules: RuleCounts | None = None

    @classmethod
    def fit(cls, examples: Sequence[Example], config: GrammarFinderConfig, tools: Tools) -> Self:  # noqa: ARG003 - it uses none
        """Induce a grammar and keep the subtrees that are significant on held-out rows."""
        if config.fitted is not None:
            return cls.load(config.fitted)
        surveyed = _surveyed(examples, config, None)
        if surveyed.grammar is None:
            raise ConfigError(
                "trees of the training rows cannot parse other texts: leave find.trees out, or "
                "name the folder that they come from as find.fitted"
            )
        return cls(
            surveyed.grammar,
            surveyed.survey.vocabulary,
            significant_subtrees(surveyed.survey, config.alpha),
            corpus_config(config),
            count_rules(surveyed.survey.trees, surveyed.survey.rows, surveyed.survey.labelled),
        )

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        """Where the subtrees occur; a text over the length limit has none."""
        targets_of_rows: list[list[Target]] = [[] for _ in examples]
        corpus = split_corpus(examples, self.corpus)
        if corpus.units:
            index = _places(corpus, examples)
            trees = self.grammar.parse(corpus.encoded(self.vocabulary))
            for row, target in self.subtrees.targets(corpus, trees):
                targets_of_rows[index[row]].append(target)
        return [strongest_first(targets) for targets in targets_of_rows]

    def trees(self, examples: Sequence[Example]) -> list[list[Any]]:
        """The trees of each row's sentences, as ``nltk.Tree``; a text over the limit has none.

        Of a pair a leaf has a word of each text, as ``man/woman``; ``ε`` stands for none.
        """
        trees_of_rows: list[list[Any]] = [[] for _ in examples]
        corpus = split_corpus(examples, self.corpus)
        if corpus.units:
            index = _places(corpus, examples)
            trees = self.grammar.parse(corpus.encoded(self.vocabulary))
            rows = corpus.rows()[trees.doc[trees.roots]].tolist()
            as_nltk = nltk_trees(trees, self.vocabulary, paired=corpus.is_pairs)
            for row, tree in zip(rows, as_nltk, strict=True):
                trees_of_rows[index[row]].append(tree)
        return trees_of_rows

    def explain(
        self, examples: Sequence[Example], classifier: Classifier, *, draw: bool = False
    ) -> Survey:
        """The rules of each wrongly predicted row that speak for the prediction, strongest first.

        Beside them the words that are most salient for it: by the length of their integrated
        gradients in a transformer, by their exact contributions in a linear model, else by LIME.

        Args:
            examples: Labelled rows, best new to the classifier.
            classifier: Any classifier of the same labels.
            draw: Whether the tables also have the trees, drawn by nltk.
        """
        if self.rules is None:
            raise DataError(
                "the folder of the grammar has no counts of rules, as it was written by augkit "
                "0.1.0. Make it again: augkit shortcuts --by grammar --out FOLDER"
            )
        for label in {*classifier.labels, *(str(row.label) for row in examples)}:
            if label not in self.rules.labels:
                known = ", ".join(self.rules.labels)
                raise DataError(f"no training tree has the label '{label}': they have {known}")
        answers = classifier.predict(examples).argmax(axis=1).tolist()
        predicted = {row.id: classifier.labels[n] for row, n in zip(examples, answers, strict=True)}
        wrong = [row for row in examples if predicted[row.id] != row.label]
        corpus = split_corpus(wrong, self.corpus)
        parsed = corpus.examples
        explained: list[ExplainedRow] = []
        if parsed:
            trees = self.grammar.parse(corpus.encoded(self.vocabulary))
            roots = trees.roots.astype("int64")
            rows = corpus.rows()[trees.doc[roots]]
            is_network = isinstance(classifier, Differentiable)
            is_pairs = corpus.is_pairs
            explain = explainer("integrated-gradients-l2" if is_network else "auto")
            labels = [predicted[row.id] for row in parsed]
            weights = explain(classifier, parsed, labels)
            for number, (row, label) in enumerate(zip(parsed, labels, strict=True)):
                row_trees = extract_subtrees(trees, roots[rows == number])
                rules = explain_tree(row_trees, self.rules, self.vocabulary, label, str(row.label))
                pictured = nltk_trees(row_trees, self.vocabulary, paired=is_pairs) if draw else ()
                salient = top_words(weights[number])
                explained.append(ExplainedRow(row, label, salient, rules, pictured))
        about = {
            "rows": len(examples),
            "predicted wrongly": len(wrong),
            "of these without a tree": len(wrong) - len(parsed),
        }
        return Survey(
            rows=[row.record() for row in explained],
            tables=[row.table() for row in explained[:_SHOWN_ROWS]],
            warnings=(_EXPLAINED,),
            about=about,
        )

    def save(self, folder: Path) -> None:
        """Write the grammar, its vocabulary, the subtrees, and how texts are read."""
        self.grammar.save(folder / _GRAMMAR)
        self.vocabulary.save(folder / _VOCABULARY)
        self.subtrees.save(folder)
        if self.rules is not None:
            self.rules.save(folder)
        write_corpus_config(self.corpus, folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote.

        Args:
            folder: A folder of ``augkit shortcuts --by grammar --out``.
        """
        from augkit.grammars.model.grammar import Grammar

        return cls(
            Grammar.load(folder / _GRAMMAR),
            WordVocabulary.load(folder / _VOCABULARY),
            SignificantSubtrees.load(folder),
            load(CorpusConfig, folder / CORPUS_FILE),
            RuleCounts.load(folder) if (folder / RULE_COUNTS).exists() else None,
        )

    @staticmethod
    def survey(
        examples: Sequence[Example], config: GrammarFinderConfig, folder: Path | None
    ) -> Survey:
        """The groups of structures that give a label away, the strongest first."""
        surveyed = _surveyed(examples, config, folder)
        return report_survey(surveyed.survey, config, folder, surveyed.notes)


@dataclass(frozen=True)
class _Surveyed:
    """The survey of the trees, the grammar that made them if it is at hand, and caveats."""

    survey: GrammarSurvey
    grammar: Grammar | None
    notes: list[str]


def _places(corpus: GrammarCorpus, examples: Sequence[Example]) -> list[int]:
    """The places among the examples of the corpus's rows: those with a sentence, in order."""
    numbered = iter(enumerate(examples))
    return [next(n for n, example in numbered if example is row) for row in corpus.examples]


def _surveyed(
    examples: Sequence[Example], config: GrammarFinderConfig, folder: Path | None
) -> _Surveyed:
    corpus = read_corpus(examples, config)
    _check_kind(corpus, config)
    vocabulary = corpus.vocabulary(config)
    labelled = label_rows(corpus.examples, config)
    if folder is not None:
        vocabulary.save(folder / _VOCABULARY)
        write_lines(folder / "left_out.jsonl", map(asdict, corpus.left_out))
    held_out = labelled.held_out[corpus.rows()]
    texts = EncodedTexts(corpus.encoded(vocabulary), held_out, len(vocabulary))
    notes = _left_out(corpus, len(examples))
    grammar = None
    if config.trees is not None:
        trees = checked_trees(config.trees, texts)
    else:
        settings = {key: getattr(config, key) for key in InduceConfig.model_fields}
        induced = induce_grammar(texts, InduceConfig(**settings), folder, show_error)
        grammar = induced.grammar
        trees = induced.trees
        if induced.is_small:
            size = induced.config
            notes.append(
                f"there is no GPU, so the grammar is small ({size.symbols}+{size.leaves} symbols, "
                f"{size.epochs} epochs at most); the paper's is 32+64: --set symbols=32 "
                "--set leaves=64 --set width=256 --set epochs=40, and patience"
            )
    survey = survey_trees(corpus, vocabulary, trees, labelled, config)
    return _Surveyed(survey, grammar, notes)


def _check_kind(corpus: GrammarCorpus, config: GrammarFinderConfig) -> None:
    needed = "scfg" if corpus.is_pairs else "pcfg"
    if config.grammar not in {"auto", needed}:
        rows = f"two texts ({', '.join(corpus.fields)})" if corpus.is_pairs else "one text"
        raise ConfigError(
            f"grammar={config.grammar} does not fit: the rows have {rows}, which takes {needed}. "
            "Choose the texts with --text-column, or leave grammar out"
        )


def checked_trees(path: Path, texts: EncodedTexts) -> Trees:
    """Trees from elsewhere, which must span exactly the words of these texts."""
    trees = Trees.load(path)
    sources = [text[0] if isinstance(text, tuple) else text for text in texts.encoded]
    words_of_trees = yields(trees)
    if len(words_of_trees) != len(sources) or any(
        len(words) != len(source) or (words != source).any()
        for words, source in zip(words_of_trees, sources, strict=True)
    ):
        raise DataError(
            f"{path}: these are {len(words_of_trees):,} trees of other texts than the "
            f"{len(sources):,} that are read here. Give the same dataset, limit, words, min_count, "
            "longest and largest"
        )
    return trees


def _left_out(corpus: GrammarCorpus, rows: int) -> list[str]:
    by_reason: dict[str, list[LeftOut]] = {}
    for left in corpus.left_out:
        by_reason.setdefault(left.reason, []).append(left)
    return [
        f"{texts[0].reason}: {len(texts):,} left out, in {len({left.id for left in texts}):,} of "
        f"{rows:,} rows (named in left_out.jsonl), for example {texts[0].id} ({texts[0].detail})"
        for texts in sorted(by_reason.values(), key=len, reverse=True)
    ]
