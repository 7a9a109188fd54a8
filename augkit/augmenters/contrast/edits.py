"""Contrast edits of NLI pairs: each inserts a shortcut and keeps track of the right label.

The inserted words are those that a grammar found to give labels away, or bundled ones.

Reference: friedman2022finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Edit, apply
from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import parse_json
from augkit.english.morphology import plural_of, singular_of
from augkit.lexicons.load import data_yaml
from augkit.lexicons.taxonomy import taxonomy
from augkit.text import tokens
from augkit.text.articles import article, refit
from augkit.text.casing import match_case


@dataclass
class ContrastWords:
    """Nouns with their hypernyms, adjectives with what excludes them, and adjectives to add."""

    hypernyms: dict[str, list[str]] = field(default_factory=dict)
    antonyms: dict[str, list[str]] = field(default_factory=dict)
    adjectives: list[str] = field(default_factory=list)


@cache
def _without_attributes() -> frozenset[str]:
    return frozenset(data_yaml("contrast.yaml")["without_attributes"])


@dataclass(frozen=True)
class CaptionPair:
    """A parsed pair of texts; ``label`` is entailment, neutral or contradiction."""

    fields: Mapping[str, str]
    premise: Analysis
    hypothesis: Analysis
    label: str

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two fields."""
        first, second = self.fields
        return first, second


@dataclass(frozen=True)
class Contrast:
    """A changed pair: its right label, and the label that the shortcut suggests."""

    fields: Mapping[str, str]
    label: str
    suggests: str
    role: str
    edits: tuple[Edit, ...] | None = None


def hypernym_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
    """man/man becomes man/person: the label stays neutral or contradiction, not entailment."""
    if pair.label == "entailment":
        return
    first, second = _subjects(pair)
    if first is None or second is None or first.name != second.name:
        return
    for name in words.hypernyms.get(second.name, ()):
        edits = replace_noun(pair.names[1], second, name)
        yield _edited(pair, edits, pair.label, "entailment", "hypernym")


def antonym_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
    """Black dogs and a ball become black dogs and a white ball: neutral, not contradiction."""
    first, second = _subjects(pair)
    if pair.label == "contradiction" or first is None or second is None:
        return
    present = {word.lower() for text in pair.fields.values() for word in tokens.words(text)}
    for adjective in first.adjectives:
        for antonym in words.antonyms.get(adjective.text.lower(), ()):
            for phrase in other_phrases(pair.hypothesis, second):
                if antonym not in present and _takes_adjective(phrase):
                    edits = add_adjective(pair.names[1], pair.hypothesis, phrase, antonym)
                    yield _edited(pair, edits, "neutral", "contradiction", "antonym")


def adjective_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
    """A man becomes a tall man in a hypothesis that is false anyway: contradiction, not neutral."""
    first, second = _subjects(pair)
    if pair.label != "contradiction" or second is None or second.adjectives:
        return
    present = [token.text.lower() for token in (first.adjectives if first else ())]
    for adjective in words.adjectives:
        # Beside a young man in the premise an old man would be evidence of contradiction.
        if adjective in present or any(
            taxonomy().excludes(adjective, word, "modifier") for word in present
        ):
            continue
        edits = add_adjective(pair.names[1], pair.hypothesis, second, adjective)
        yield _edited(pair, edits, pair.label, "neutral", "adjective")


def control_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
    """Four controls and a test of "adjectives that exclude one another mean contradiction".

    From a premise such as "a white dog running down a path":

    ====== ============================== ============================== ============= ========
    role   premise                        hypothesis                     label         shortcut
    ====== ============================== ============================== ============= ========
    plain  a white dog … a path           a black dog … a path           contradiction there
    drop   a white dog … a path           a dog … a path                 entailment    not there
    moved  a dog … a white path           a dog … a path                 entailment    not there
    added  a dog … a path                 a black dog … a path           neutral       not there
    test   a dog … a white path           a black dog … a path           neutral       there
    ====== ============================== ============================== ============= ========

    A model that is right on the controls and predicts contradiction in the test has learned the
    pair of adjectives and not what they modify (appendix D.3).
    """
    name = pair.names[0]
    analysis = pair.premise
    subject = subject_phrase(analysis)
    if subject is None or len(subject.adjectives) != 1:
        return
    phrases = [phrase for phrase in other_phrases(analysis, subject) if _takes_adjective(phrase)]
    (adjective,) = subject.adjectives
    for antonym in words.antonyms.get(adjective.text.lower(), ()):
        for phrase in phrases:
            less = remove_adjective(name, analysis, subject)
            more = add_adjective(name, analysis, phrase, adjective.text.lower())
            swapped = replace_word_of(subject, name, adjective, antonym)
            yield from _control_set(pair, less, more, swapped)


def _control_set(
    pair: CaptionPair, less: list[Edit], more: list[Edit], swapped: list[Edit]
) -> Iterator[Contrast]:
    first, second = pair.names
    premise = {first: pair.fields[first]}
    white = pair.fields[first]
    plain, black = (apply(premise, edits)[first] for edits in (less, swapped))
    moved = apply(premise, [*less, *more])[first]
    for role, premise_text, hypothesis_text, label in (
        ("plain", white, black, "contradiction"),
        ("drop", white, plain, "entailment"),
        ("moved", moved, plain, "entailment"),
        ("added", plain, black, "neutral"),
        ("test", moved, black, "neutral"),
    ):
        yield Contrast(
            {first: premise_text, second: hypothesis_text},
            label,
            "contradiction",
            f"control {role}",
        )


def _subjects(pair: CaptionPair) -> tuple[NounPhrase | None, NounPhrase | None]:
    return subject_phrase(pair.premise), subject_phrase(pair.hypothesis)


def _takes_adjective(phrase: NounPhrase) -> bool:
    """Whether a noun can take an adjective of colour or size and has none yet."""
    broader = taxonomy().broader.get(("noun", phrase.name), ())
    return bool(broader) and not phrase.adjectives and _without_attributes().isdisjoint(broader)


def _edited(pair: CaptionPair, edits: list[Edit], label: str, suggests: str, role: str) -> Contrast:
    return Contrast(apply(pair.fields, edits), label, suggests, role, tuple(edits))


def bundled_words() -> ContrastWords:
    """From the lexicon of scenes."""
    lexicon = taxonomy()
    words = ContrastWords(adjectives=list(data_yaml("contrast.yaml")["added_adjectives"]))
    for (part, word), broader in lexicon.broader.items():
        single = [name for name in broader if " " not in name]
        if part == "noun" and single:
            words.hypernyms[word] = single
        if part == "modifier":
            words.antonyms[word] = list(lexicon.instead_of(word, "modifier"))
    return words


def words_of_grammar(path: Path, labels: Mapping[str, str]) -> ContrastWords:
    """From the ``features.jsonl`` of ``augkit shortcuts --by grammar``.

    A pattern of one word on each side is used where the lexicon of scenes knows it: a noun beside
    its hypernym with the label entailment, an adjective beside one that excludes it with
    contradiction, an added adjective with neutral.
    """
    words = ContrastWords()
    lexicon = taxonomy()
    for label, pattern in _patterns(path):
        source, _, target = pattern.partition("/")
        if not source.isalpha() or not target.isalpha() or source == target:
            continue
        if label == labels["entailment"] and lexicon.holds_of(target, source, "noun"):
            words.hypernyms.setdefault(source, []).append(target)
        elif label == labels["contradiction"] and lexicon.excludes(source, target, "modifier"):
            words.antonyms.setdefault(source, []).append(target)
        elif (
            label == labels["neutral"] and source == "ε" and ("modifier", target) in lexicon.broader
        ):
            words.adjectives.append(target)
    if not (words.hypernyms or words.antonyms or words.adjectives):
        raise ConfigError(
            f"{path}: none of its patterns is a hypernym, an antonym or an added adjective that "
            "could be inserted into another row. Were they found in NLI pairs, with enough rows?"
        )
    return words


def _patterns(path: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            record: dict[str, Any] = parse_json(line, f"line {number}")
            for pattern in record["patterns"]:
                yield str(record["label"]), str(pattern["pattern"])
    except (DataError, OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{path}: not the features.jsonl that 'augkit shortcuts --by grammar --out' writes: "
            f"{repr(error)[:200]}"
        ) from error


@dataclass(frozen=True)
class NounPhrase:
    """A noun with its article and its adjectives, in order."""

    noun: Token
    article: Token | None
    adjectives: tuple[Token, ...]
    first: Token
    """The first word after the article: an adjective, a noun of a compound, or the noun."""

    @property
    def name(self) -> str:
        """The noun in lower case, singular."""
        word = self.noun.text.lower()
        return singular_of(word) if self.is_plural else word

    @property
    def is_plural(self) -> bool:
        """Whether the noun is marked as plural."""
        return self.noun.morph.get("Number") == "Plur"


def subject_phrase(analysis: Analysis) -> NounPhrase | None:
    """The subject of the first sentence, or in "A man smoking" the man."""
    for sentence in analysis.sentences[:1]:
        root = next(token for token in sentence if token.is_root)
        subjects = analysis.children(root, "nsubj")
        if subjects and subjects[0].upos == "NOUN":
            return _phrase(analysis, subjects[0])
        if root.upos == "NOUN" and not subjects:
            inner = [t for t in analysis.children(root, "compound") if t.upos == "NOUN"]
            return _phrase(analysis, inner[0] if inner and _is_verb(analysis, root) else root)
    return None


def other_phrases(analysis: Analysis, subject: NounPhrase) -> list[NounPhrase]:
    """The objects and places of the first sentence."""
    return [
        _phrase(analysis, token)
        for token in analysis.sentences[0]
        if token.upos == "NOUN" and token.index > subject.noun.index
        if token.is_relation("obj", "obl", "nmod") and not analysis.children(token, "compound")
    ]


def add_adjective(field: str, analysis: Analysis, phrase: NounPhrase, adjective: str) -> list[Edit]:
    """Edits that insert an adjective before all others; a/an is fitted."""
    first = phrase.first
    if phrase.article is not None:
        edits = _article_edits(field, phrase.article, first.text, adjective)
        return [*edits, Edit(field, first.start, first.start, "", f"{adjective} ")]
    opens = first.index == 0 or analysis.tokens[first.index - 1].sentence != first.sentence
    if not (opens and first.text[:1].isupper() and first.text[1:].islower()):
        return [Edit(field, first.start, first.start, "", f"{adjective} ")]
    letter = first.text[0]
    new = f"{adjective.capitalize()} {letter.lower()}"
    return [Edit(field, first.start, first.start + 1, letter, new)]


def remove_adjective(field: str, analysis: Analysis, phrase: NounPhrase) -> list[Edit]:
    """Edits that remove a phrase's only adjective; a/an is fitted."""
    (adjective,) = phrase.adjectives
    after = analysis.tokens[adjective.index + 1]
    gone = analysis.text[adjective.start : after.start]
    removal = Edit(field, adjective.start, after.start, gone, "")
    if phrase.article is not None:
        return [*_article_edits(field, phrase.article, adjective.text, after.text), removal]
    if adjective.text[:1].isupper() and after.text[:1].islower():
        gone = analysis.text[adjective.start : after.start + 1]
        new = after.text[0].upper()
        return [Edit(field, adjective.start, after.start + 1, gone, new)]
    return [removal]


def replace_noun(field: str, phrase: NounPhrase, name: str) -> list[Edit]:
    """Edits that replace the noun, in the same number."""
    new = plural_of(name) if phrase.is_plural else name
    return replace_word_of(phrase, field, phrase.noun, new)


def replace_word_of(phrase: NounPhrase, field: str, word: Token, replacement: str) -> list[Edit]:
    """Edits that replace the noun or an adjective; a/an is fitted."""
    new = match_case(replacement, word.text)
    changed = Edit(field, word.start, word.end, word.text, new)
    if phrase.article is not None and phrase.first is word:
        return [*_article_edits(field, phrase.article, word.text, new), changed]
    return [changed]


def _is_verb(analysis: Analysis, root: Token) -> bool:
    """Whether a noun is really a verb: the parser takes "A man smokes" for several smokes."""
    singular = any(t.text.lower() in {"a", "an"} for t in analysis.children(root, "det"))
    return root.text.lower().endswith("ing") or (singular and root.text.endswith("s"))


def _phrase(analysis: Analysis, noun: Token) -> NounPhrase:
    before = [t for t in analysis.tokens[: noun.index] if t.head == noun.index]
    adjectives = tuple(t for t in before if t.is_relation("amod"))
    modifiers = {t.index for t in before if t.is_relation("amod", "compound")}
    at = noun.index
    while at - 1 in modifiers:
        at -= 1
    # "A man smoking" is parsed as a kind of smoking, and the article hangs on that.
    previous = analysis.tokens[at - 1] if at else None
    has_article = previous is not None and previous.text.lower() in {"a", "an", "the"}
    return NounPhrase(noun, previous if has_article else None, adjectives, analysis.tokens[at])


def _article_edits(field: str, token: Token, before: str, after: str) -> list[Edit]:
    if token.text.lower() not in {"a", "an"}:
        return []
    new = refit(token.text, before, after)
    if new == token.text and token.text.lower() != article(after):
        new = match_case(article(after), token.text)
    return [] if new == token.text else [Edit(field, token.start, token.end, token.text, new)]
