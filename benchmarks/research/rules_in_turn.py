"""How often each stock phrase and word of CoBA's offline editor is used, and what each rule earns.

    python -m benchmarks.research.rules_in_turn --data DIR [--texts 1200] [--rare 2000] [--fit 600]
        [--rules NAME ...]

The texts are reviews and sentences that the rules were not written for. A phrase fires where the
editor would take it: in a text of its polarity, not negated, and not where an earlier phrase fired.
A word of the lexicon counts once for each text that has one of its forms. Those that are used
in fewer than one text in ``--rare`` are switched off together: the sentences that have one are
edited with and without them by coba, fitted on ``--fit`` other texts, and a judge trained on SST-2
and Yelp sentences says how many variants have their label. Words that are also written as
antonyms are counted and never switched off. Then each rule named (all of ``RULES`` by default) is
switched off on the texts that coba was fitted on: how many variants are gained and lost, and what
share of these is clear. Prints one JSON line.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from augkit.augmenters.coba.artifact import CobaArtifact
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.english.morphology import inflections
from augkit.english.negation import with_apostrophes
from augkit.english.polarity.flip_polarity import found_phrases
from augkit.lexicons.evaluative import Entry, Evaluative, Phrase, bundled_lexicon
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.coba_imdb import (
    Labelled,
    StoredParses,
    Trained,
    labelled,
    read,
    texts_of,
)

SETS = (
    *("yelp_sentences/test", "cr/all", "mr/all", "amazon_drg/dev"),
    *("uci_sentences/imdb", "uci_sentences/yelp", "imdb/all", "yelp/reviews"),
)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_PARSES = StoredParses(None)
_FORMS = {"verb": ("VBD", "VBZ", "VBG", "VBN"), "noun": ("NNS",)}


def _nothing(*_: Any) -> tuple[()]:
    return ()


def _no(*_: Any) -> bool:
    return False


def _yes(*_: Any) -> bool:
    return True


def _none(*_: Any) -> None:
    return None


_TEXTS, _FLIP = "augkit.augmenters.coba.text_rules", "augkit.english.polarity.flip_polarity"
_JUDGEMENTS, _CONTEXTS = "augkit.english.polarity.judgements", "augkit.english.polarity.contexts"
RULES: dict[str, tuple[str, Any]] = {
    "strong words that stay": (f"{_TEXTS}.leftover_words", _nothing),
    "negations that stay": (f"{_TEXTS}.leftover_negations", _nothing),
    "coordinated words that stay": (f"{_TEXTS}.coordinated_words", _nothing),
    "words about persons": (f"{_FLIP}.describes_person", _no),
    "flipped by its verb": (f"{_FLIP}._is_flipped_above", _no),
    "ratings": (f"{_FLIP}.ratings", _nothing),
    "stock phrases": (f"{_FLIP}.found_phrases", _nothing),
    "negations removed": (f"{_FLIP}.remove_negation", _none),
    "what needs a negation": (f"{_FLIP}._NEEDS_NEGATION", re.compile("(?!)")),
    "doubts": (f"{_CONTEXTS}._doubts", _nothing),
    "a clause is evaluated": (f"{_CONTEXTS}._evaluates_clause", _no),
    "not factive": (f"{_CONTEXTS}._is_nonfactive", _no),
    "what reviews judge": (f"{_CONTEXTS}.is_judged", _yes),
    "who judges": (f"{_CONTEXTS}._is_experiencer", _yes),
    "titles": (f"{_JUDGEMENTS}._is_named", _no),
    "idioms": (f"{_JUDGEMENTS}._is_free", _yes),
    "compounds": (f"{_JUDGEMENTS}._compound", _none),
    "words in their context": (f"{_JUDGEMENTS}.is_evaluative_here", _yes),
    "no -er after more": ("augkit.english.polarity.antonyms._has_er_comparative", _no),
    "contrast in a text": (f"{_TEXTS}.has_contrast", _no),
    "clauses inside sentences": (f"{_TEXTS}.inner_clauses", _nothing),
}
"""Rule → where it is called, and what takes its place when it is off."""


def drawn(data: Path, most: int) -> list[Labelled]:
    """Texts with a polarity, at most so many of each set."""
    texts: list[Labelled] = []
    for name in SETS:
        rows = [row for row in read(data, name) if row["label"] in {"positive", "negative"}]
        texts += labelled(random.Random(2).sample(rows, min(most, len(rows))))
    return texts


def fired(text: str, label: str, lexicon: Evaluative) -> Iterator[tuple[Phrase, re.Match[str]]]:
    """The phrases that the editor would take, each with its place."""
    taken: list[tuple[int, int]] = []
    for phrase, match in found_phrases(text, lexicon.of_polarity(label)):  # type: ignore[arg-type]
        if not any(start < match.end() and match.start() < end for start, end in taken):
            taken.append(match.span())
            yield phrase, match


def forms(entry: Entry) -> set[str]:
    """The forms of a word that a text may have."""
    word = entry.word.replace("_", " ")
    return {word, *(form for tag in _FORMS.get(entry.kind, ()) for form in inflections(word, tag))}


def words_in(text: str) -> set[str]:
    """The words of a text in small letters, compounds whole and in their parts."""
    words = set(_WORD.findall(text.lower()))
    return words | {part for word in words for part in word.split("-")}


def sentence_at(text: str, place: int) -> str:
    """The sentence that a place of a text is in."""
    spans = (match.span() for match in _SENTENCE.finditer(text))
    return next((text[a:b].strip() for a, b in spans if a <= place < b), text)


def edited(rows: Sequence[Labelled], fitted: CobaArtifact, lexicon: Evaluative) -> list[Labelled]:
    """The variants of some rows with a lexicon in the place of the fitted one."""
    if fitted.texts is None:
        raise ValueError("coba was not fitted on single texts")
    texts = replace(fitted.texts)
    texts.__dict__["lexicon"] = lexicon
    method = Coba(CobaConfig(twins=False), Tools(parser=_PARSES))
    outcomes = method.with_artifact(replace(fitted, texts=texts)).outcomes(
        [example(text, label) for text, label in rows]
    )
    return texts_of([outcome for outcome in outcomes if isinstance(outcome, Pair)])


def earned(
    rows: Sequence[Labelled], fitted: CobaArtifact, without: Evaluative, judge: Trained
) -> dict[str, Any]:
    """How many variants some rows give with all rules and without some, and how many are clear."""
    record: dict[str, Any] = {"sentences": len(rows)}
    for name, lexicon in (("with", bundled_lexicon()), ("without", without)):
        variants = edited(rows, fitted, lexicon)
        clear = judge.accuracy(variants) if variants else None
        record[name] = {"variants": len(variants), "clear": clear}
    return record


def in_turn(
    names: Sequence[str], rows: Sequence[Labelled], fitted: CobaArtifact, judge: Trained
) -> dict[str, Any]:
    """For each rule, the variants that are gained and lost without it."""
    usual = set(edited(rows, fitted, bundled_lexicon()))
    record: dict[str, Any] = {"all": {"variants": len(usual), "clear": judge.accuracy([*usual])}}
    for name in names:
        found_phrases.cache_clear()
        with patch(*RULES[name]):
            variants = set(edited(rows, fitted, bundled_lexicon()))
        changes = {"gained": sorted(variants - usual), "lost": sorted(usual - variants)}
        record[name] = {
            side: {"variants": len(some), "clear": judge.accuracy(some) if some else None}
            for side, some in changes.items()
        }
    return record


def main() -> None:
    """Count, switch the rare ones and the rules off, print."""
    given = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--texts", type=int, default=1200, help="of each set, at most"),
        argument("--rare", type=int, default=2000, help="rare is under one in so many texts"),
        argument("--fit", type=int, default=600, help="texts to fit coba on; 0: count only"),
        argument("--rules", nargs="*", default=list(RULES), choices=list(RULES)),
    )
    lexicon = bundled_lexicon()
    texts = drawn(given.data, given.texts)
    phrases: Counter[Phrase] = Counter()
    documents: Counter[str] = Counter()
    for text, label in texts:
        phrases.update(phrase for phrase, _ in fired(text, label, lexicon))
        documents.update(words_in(with_apostrophes(text)))
    words = {key: sum(documents[form] for form in forms(e)) for key, e in lexicon.entries.items()}
    least = len(texts) / given.rare
    rare_phrases = {phrase for phrase in lexicon.phrases if phrases[phrase] < least}
    written = {word for entry in lexicon.entries.values() for word in entry.opposites}
    rare_words = {key for key, count in words.items() if count < least and key[1] not in written}
    record: dict[str, Any] = {
        "benchmark": "rules_in_turn",
        "texts": len(texts),
        "phrases": {
            "listed": len(lexicon.phrases),
            "never": [p.pattern.pattern for p in lexicon.phrases if not phrases[p]],
            "rare": len(rare_phrases),
            "firings": phrases.total(),
            "firings_of_rare": sum(phrases[phrase] for phrase in rare_phrases),
        },
        "words": {
            "listed": len(words),
            "never": [" ".join(key) for key, count in words.items() if not count],
            "rare": len(rare_words),
        },
    }
    if given.fit:
        rows = random.Random(0).sample([row for row in texts if len(row[0]) < 400], given.fit)
        method = Coba(CobaConfig(), Tools(parser=_PARSES))
        fitted = method.fit([example(*row) for row in rows]).artifact
        names = ("sst2_sentences/train", "yelp_sentences/train")
        judge = Trained([row for name in names for row in labelled(read(given.data, name))])
        with_phrase = [
            (sentence_at(text, match.start()), label)
            for text, label in texts
            for phrase, match in fired(text, label, lexicon)
            if phrase in rare_phrases
        ]
        kept = tuple(phrase for phrase in lexicon.phrases if phrase not in rare_phrases)
        without = replace(lexicon, phrases=kept)
        record["phrases"]["rare_off"] = earned(with_phrase, fitted, without, judge)
        rare_forms = {form for key in rare_words for form in forms(lexicon.entries[key])}
        with_word = [
            (sentence_at(text, text.lower().find(form)), label)
            for text, label in texts
            for form in sorted(words_in(text) & rare_forms)
        ]
        entries = {key: e for key, e in lexicon.entries.items() if key not in rare_words}
        record["words"]["rare_off"] = earned(
            with_word, fitted, replace(lexicon, entries=entries), judge
        )
        record["rules"] = in_turn(given.rules, rows, fitted, judge)
    print_line(record)


if __name__ == "__main__":
    main()
