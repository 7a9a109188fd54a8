"""How good, big and quick the bundled pipeline is: one JSON line.

    python -m benchmarks.release.pipeline --data DIR [--pipeline NAME] [--beside PYTHON NAME]

DIR holds ``ud/ewt_test.conllu.gz`` and ``ud/gum_test.conllu.gz``. Figures are per cent, over all
words, punctuation too. ``gold`` gives the pipeline the treebank's words, a sentence at a time, and
counts accuracy; ``lower`` is the same in lower case and without the final stop; ``raw`` gives it
whole documents as text and counts F1 by character span, as the CoNLL 2018 shared task did. ``las``
compares full relations, ``las_universal`` leaves subtypes off ("nsubj:pass" is "nsubj").
``--beside`` scores a spaCy pipeline of another environment; heads of one that is not trained on
Universal Dependencies follow other rules, so only its UPOS compares.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from augkit.core.analysis import Analysis
from augkit.english import parser as bundled
from augkit.english.parser import BUNDLED, SpacyParser
from benchmarks.command_line import print_line

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "data"))

from treebanks import Sentence, Word, read

Span = tuple[int, int]
PARTS = ("ewt", "gum")
COLUMNS = ("upos", "xpos", "feats", "lemma", "uas", "las", "las_universal")
OTHER = """
import json, sys, warnings
warnings.simplefilter("ignore")
import spacy
from spacy.tokens import Doc
nlp = spacy.load(sys.argv[1])
for line in sys.stdin:
    words, spaces = json.loads(line)
    doc = Doc(nlp.vocab, words=words, spaces=spaces)
    for _, component in nlp.pipeline:
        doc = component(doc)
    print(json.dumps([[token.pos_, token.head.i] for token in doc]))
"""


def agreement(mine: Word, gold: Word, *, same_head: bool) -> tuple[bool, ...]:
    """Which of ``COLUMNS`` are right for one word."""
    universal = mine.deprel.partition(":")[0] == gold.deprel.partition(":")[0]
    return (
        mine.upos == gold.upos,
        mine.xpos == gold.xpos,
        mine.feats == gold.feats,
        mine.lemma == gold.lemma,
        same_head,
        same_head and mine.deprel == gold.deprel,
        same_head and universal,
    )


def percentages(rows: Iterable[tuple[bool, ...]], total: float) -> dict[str, float]:
    """Each column's share of right answers."""
    sums = [sum(column) for column in zip(*rows, strict=True)]
    return {name: round(100 * right / total, 2) for name, right in zip(COLUMNS, sums, strict=True)}


def on_words(analyser: SpacyParser, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Accuracy when the words and sentences are given."""
    from spacy.tokens import Doc

    docs = [
        Doc(
            analyser.nlp.vocab,
            words=[word.form for word in sentence.words],
            spaces=[word.space for word in sentence.words],
        )
        for sentence in sentences
    ]
    rows = []
    for sentence, doc in zip(sentences, analyser.nlp.pipe(docs, batch_size=128), strict=True):
        for token, gold in zip(doc, sentence.words, strict=True):
            deprel = "root" if token.head.i == token.i else token.dep_
            mine = replace(gold, lemma=token.lemma_, upos=token.pos_, xpos=token.tag_)
            mine = replace(mine, feats=str(token.morph), deprel=deprel)
            rows.append(agreement(mine, gold, same_head=token.head.i == gold.head))
    return percentages(rows, len(rows))


def plainer(sentence: Sentence) -> Sentence:
    """The sentence in lower case and without its final stop, as many datasets have it."""
    words = sentence.words
    if (
        len(words) > 1
        and words[-1].upos == "PUNCT"
        and all(w.head < len(words) - 1 for w in words[:-1])
    ):
        words = words[:-1]
    small = (replace(w, form=w.form.lower(), lemma=w.lemma.lower()) for w in words)
    return replace(sentence, words=tuple(small))


@dataclass(frozen=True)
class Laid:
    """A document as text; its words by span, each with its head's span; its sentences' spans."""

    text: str
    words: dict[Span, tuple[Word, Span]]
    sentences: set[Span]


def lay_out(document: Sequence[Sentence]) -> Laid:
    """The document as the shared task would have it: a blank line between paragraphs."""
    laid = Laid("", {}, set())
    for sentence in document:
        text = laid.text.rstrip() + "\n\n" if laid.text and sentence.new_paragraph else laid.text
        spans = []
        for word in sentence.words:
            spans.append((len(text), len(text) + len(word.form)))
            text += word.form + " " * word.space
        pairs = ((word, spans[word.head]) for word in sentence.words)
        words = laid.words | dict(zip(spans, pairs, strict=True))
        laid = Laid(text, words, laid.sentences | {(spans[0][0], spans[-1][1])})
    return laid


def matched(analysis: Analysis, laid: Laid) -> Iterator[tuple[bool, ...]]:
    """Which columns are right for every token that is a word of the treebank."""
    for token in analysis.tokens:
        if (token.start, token.end) in laid.words:
            gold, gold_head = laid.words[token.start, token.end]
            head = analysis.head(token)
            feats = "|".join(f"{name}={value}" for name, value in token.morph.items())
            mine = replace(gold, lemma=token.lemma, upos=token.upos, xpos=token.xpos)
            mine = replace(mine, feats=feats, deprel=token.deprel)
            yield agreement(mine, gold, same_head=(head.start, head.end) == gold_head)


def on_text(
    analyser: SpacyParser, documents: Sequence[Sequence[Sentence]]
) -> tuple[dict[str, float], float]:
    """F1 when only the text is given, and the CPU seconds it took."""
    laid = [lay_out(document) for document in documents]
    began = time.process_time()
    analyses = analyser.parse([document.text for document in laid])
    seconds = time.process_time() - began
    both = list(zip(analyses, laid, strict=True))
    rows = [row for analysis, document in both for row in matched(analysis, document)]
    words = sum(len(a.tokens) + len(document.words) for a, document in both)
    sentences = sum(len(a.sentences) + len(document.sentences) for a, document in both)
    right = sum(
        (sentence[0].start, sentence[-1].end) in document.sentences
        for analysis, document in both
        for sentence in analysis.sentences
    )
    scores = percentages(rows, words / 2)
    scores["words_f1"] = round(200 * len(rows) / words, 2)
    scores["sentences_f1"] = round(200 * right / sentences, 2)
    return scores, seconds


def documents_of(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """Sentences by document."""
    documents: list[list[Sentence]] = []
    for sentence in sentences:
        if sentence.new_document or not documents:
            documents.append([])
        documents[-1].append(sentence)
    return documents


def beside(python: str, name: str, sentences: Sequence[Sentence]) -> dict[str, float]:
    """UPOS and UAS of a pipeline in another environment, on the same words."""
    lines = "\n".join(
        json.dumps([[word.form for word in s.words], [word.space for word in s.words]])
        for s in sentences
    )
    done = subprocess.run(
        [python, "-c", OTHER, name], input=lines, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    pairs = [
        (answer, word)
        for sentence, row in zip(sentences, answers, strict=True)
        for word, answer in zip(sentence.words, row, strict=True)
    ]
    return {
        "upos": round(100 * sum(upos == word.upos for (upos, _), word in pairs) / len(pairs), 2),
        "uas": round(100 * sum(head == word.head for (_, head), word in pairs) / len(pairs), 2),
    }


def mean(scores: Sequence[dict[str, float]]) -> dict[str, float]:
    """Each figure averaged over the treebanks."""
    return {name: round(sum(s[name] for s in scores) / len(scores), 2) for name in scores[0]}


def measure(data: Path, name: str, other: Sequence[str] | None, split: str) -> dict[str, object]:
    """Every figure of the benchmark."""
    treebanks = [read(data / "ud" / f"{part}_{split}.conllu.gz") for part in PARTS]
    analyser = SpacyParser(name)
    analyser.parse(["A first call reads the dictionaries."])
    result: dict[str, object] = {"benchmark": "pipeline", "pipeline": name, "split": split}
    kinds = {
        "gold": [on_words(analyser, sentences) for sentences in treebanks],
        "lower": [on_words(analyser, [plainer(s) for s in sentences]) for sentences in treebanks],
    }
    timed = [on_text(analyser, documents_of(sentences)) for sentences in treebanks]
    kinds["raw"] = [scores for scores, _ in timed]
    if other:
        kinds["beside"] = [beside(other[0], other[1], sentences) for sentences in treebanks]
    for kind, scores in kinds.items():
        result[kind] = dict(zip(PARTS, scores, strict=True)) | {"mean": mean(scores)}
    seconds = sum(spent for _, spent in timed)
    words = sum(len(sentence.words) for sentences in treebanks for sentence in sentences)
    result["words_per_cpu_second"] = round(words / seconds)
    result["sentences_per_cpu_second"] = round(sum(map(len, treebanks)) / seconds)
    if name == BUNDLED:
        folder = Path(bundled.__file__).with_name("pipeline")
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        result["megabytes"] = round(size / 1e6, 2)
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA"))
    parser.add_argument("--pipeline", default=BUNDLED)
    parser.add_argument("--beside", nargs=2, metavar=("PYTHON", "NAME"))
    parser.add_argument("--split", choices=["dev", "test"], default="test")
    args = parser.parse_args()
    if args.data is None:
        parser.error("give --data or set AUGKIT_DATA")
    print_line(measure(Path(args.data), args.pipeline, args.beside, args.split))
