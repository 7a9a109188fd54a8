"""Train the bundled English pipeline on Universal Dependencies treebanks.

    python scripts/data/train_pipeline.py --treebanks DIR --work WORK
    python scripts/data/export_pipeline.py --treebanks DIR --trained WORK/best --to PIPELINE

DIR holds ``ewt_train.conllu.gz``, ``ewt_dev.conllu.gz`` and the same for ``gum``. The state that
does best on the dev parts is kept in ``WORK/best``; a line of JSON tells of every epoch.

The shipped weights are those after the 11th epoch of such a run: the dev scores stood still from
there, and it was stopped after the 13th. Eight more epochs from that state with more dropout (0.25)
and half the rate did not better it. The run's tokenizer did not yet know PREFIXES and ENDINGS.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import spacy
from spacy.attrs import ORTH
from spacy.lang.char_classes import HYPHENS
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import (
    compile_infix_regex,
    compile_prefix_regex,
    compile_suffix_regex,
    fix_random_seed,
)
from thinc.api import Adam, Config
from treebanks import Sentence, Word, read

from augkit.english.spacy_components import ESCAPES, register_components

TREEBANKS = ("ewt", "gum")
CONFIG = Path(__file__).with_name("pipeline.cfg")
LEARNING_RATE = 0.001
WARM_UP = 300
BATCH_WORDS = 800
DROPOUT = 0.15
# Reviews and captions come in lower case, without a final stop and one sentence at a time.
LOWER_CASE, UPPER_CASE, NO_FINAL_STOP, ALONE, SPACY_TOKENS = 0.15, 0.02, 0.12, 0.6, 0.5
MOST_TOGETHER = 5
RUNS = (r"(?:[!?]){2,}", r"(?:=){2,}", r"(?:\*){2,}", r"(?:_){2,}")
PREFIXES = ("anti", "co", "counter", "cross", "e", "ex", "mid", "mini", "multi", "non", "over")
PREFIXES += ("post", "pre", "pro", "psycho", "re", "semi", "socio", "sub")
ENDINGS = frozenset({"'ve", "'m", "\u2019ve", "\u2019m"})


def blank_pipeline() -> Language:
    """The untrained pipeline."""
    register_components()
    nlp = spacy.util.load_model_from_config(Config().from_disk(CONFIG), auto_fill=True)
    adapt_tokenizer(nlp)
    return nlp


def adapt_tokenizer(nlp: Language) -> None:
    """Bring spaCy's English tokenizer nearer to the treebanks and to corpora that come tokenised.

    Runs such as "!!!" and words such as "co-founder" stay whole, and so do the escapes and the
    verb endings that tokenised corpora write apart ("you 've").
    """
    defaults, tokenizer = nlp.Defaults, nlp.tokenizer
    whole = "".join(rf"(?<!(?i:\b{prefix}))" for prefix in PREFIXES)
    infixes = [whole + infix if f"(?:{HYPHENS})" in infix else infix for infix in defaults.infixes]
    tokenizer.infix_finditer = compile_infix_regex(infixes).finditer
    tokenizer.prefix_search = compile_prefix_regex([*RUNS, *defaults.prefixes]).search
    tokenizer.suffix_search = compile_suffix_regex([*RUNS, *defaults.suffixes]).search
    for written in sorted({*ESCAPES, *map(str.upper, ESCAPES), *ENDINGS}):
        tokenizer.add_special_case(written, [{ORTH: written}])


def groups(sentences: Sequence[Sentence], draw: random.Random) -> Iterator[list[Sentence]]:
    """Cut a treebank into runs of sentences, most of them alone; no run crosses documents."""
    run: list[Sentence] = []
    room = 0
    for sentence in sentences:
        if run and (len(run) >= room or sentence.new_document):
            yield run
            run = []
        if not run:
            room = 1 if draw.random() < ALONE else draw.randint(2, MOST_TOGETHER)
        run.append(sentence)
    if run:
        yield run


def varied(run: list[Sentence], draw: random.Random) -> list[Sentence]:
    """The same sentences, sometimes in lower case, in capitals or without their final stop."""
    roll = draw.random()
    if roll < LOWER_CASE:
        run = [recased(sentence, str.lower) for sentence in run]
    elif roll < LOWER_CASE + UPPER_CASE:
        run = [recased(sentence, str.upper) for sentence in run]
    if draw.random() < NO_FINAL_STOP:
        run = [*run[:-1], without_final_stop(run[-1])]
    return run


def recased(sentence: Sentence, change: Callable[[str], str]) -> Sentence:
    """The sentence with every word's case changed."""
    words = tuple(replace(word, form=change(word.form)) for word in sentence.words)
    return replace(sentence, words=words)


def without_final_stop(sentence: Sentence) -> Sentence:
    """The sentence less its last word, where that is punctuation nothing hangs on."""
    *rest, last = sentence.words
    place = len(rest)
    if not rest or last.upos != "PUNCT" or any(word.head == place for word in rest):
        return sentence
    return replace(sentence, words=tuple(rest))


def gold_doc(nlp: Language, run: Sequence[Sentence]) -> Doc:
    """A spaCy document that carries the treebank's words and analysis."""
    words: list[Word] = []
    heads: list[int] = []
    starts: list[bool] = []
    for sentence in run:
        heads += [len(words) + word.head for word in sentence.words]
        starts += [place == 0 for place in range(len(sentence.words))]
        words += sentence.words
    return Doc(
        nlp.vocab,
        words=[word.form for word in words],
        spaces=[word.space for word in words],
        tags=[word.xpos for word in words],
        pos=[word.upos for word in words],
        morphs=[word.feats for word in words],
        heads=heads,
        deps=["ROOT" if word.deprel == "root" else word.deprel for word in words],
        sent_starts=starts,
    )


def example(nlp: Language, run: Sequence[Sentence], *, own_tokens: bool) -> Example:
    """What the pipeline is given (treebank words or its own tokens) beside what is right."""
    gold = gold_doc(nlp, run)
    if own_tokens:
        return Example(nlp.make_doc(gold.text), gold)
    plain = Doc(nlp.vocab, words=[t.text for t in gold], spaces=[bool(t.whitespace_) for t in gold])
    return Example(plain, gold)


def epoch(
    nlp: Language, treebanks: Sequence[Sequence[Sentence]], draw: random.Random
) -> Iterator[list[Example]]:
    """Batches of about ``BATCH_WORDS`` words over all treebanks, shuffled."""
    runs = [run for sentences in treebanks for run in groups(sentences, draw)]
    draw.shuffle(runs)
    batch: list[Example] = []
    size = 0
    for run in runs:
        batch.append(example(nlp, varied(run, draw), own_tokens=draw.random() < SPACY_TOKENS))
        size += len(batch[-1].reference)
        if size >= BATCH_WORDS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def learning_rate(step: int, steps: int) -> float:
    """Up to the full rate over ``WARM_UP`` steps, then down to a hundredth in a straight line."""
    if step < WARM_UP:
        return LEARNING_RATE * (step + 1) / WARM_UP
    return LEARNING_RATE * max(0.01, 1 - (step - WARM_UP) / max(1, steps - WARM_UP))


def scores(nlp: Language, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Accuracy on treebank words, a sentence at a time: UPOS, XPOS, word_features, UAS, LAS."""
    examples = [example(nlp, [sentence], own_tokens=False) for sentence in sentences]
    docs = nlp.pipe([e.predicted for e in examples], batch_size=128)
    right = np.zeros(5)
    total = 0
    for doc, e in zip(docs, examples, strict=True):
        for mine, gold in zip(doc, e.reference, strict=True):
            head = mine.head.i == gold.head.i
            right += (
                mine.pos == gold.pos,
                mine.tag == gold.tag,
                mine.morph.key == gold.morph.key,
                head,
                head and mine.dep == gold.dep,
            )
        total += len(doc)
    names = ("upos", "xpos", "feats", "uas", "las")
    return dict(zip(names, (100 * right / total).round(2).tolist(), strict=True))


def train(treebanks: Path, work: Path, epochs: int, seed: int) -> None:
    """Train, and keep the state that does best on the dev parts."""
    fix_random_seed(seed)
    draw = random.Random(seed)
    parts = [read(treebanks / f"{name}_train.conllu.gz") for name in TREEBANKS]
    devs = {name: read(treebanks / f"{name}_dev.conllu.gz") for name in TREEBANKS}
    nlp = blank_pipeline()
    sample = [example(nlp, [s], own_tokens=False) for sentences in parts for s in sentences]
    nlp.initialize(lambda: sample)
    optimizer = Adam(
        LEARNING_RATE, L2=0.01, grad_clip=1.0, L2_is_weight_decay=True, use_averages=True
    )
    steps = epochs * sum(len(each.reference) for each in sample) // BATCH_WORDS
    best, step, began = 0.0, 0, time.time()
    for number in range(epochs):
        losses: dict[str, float] = {}
        for batch in epoch(nlp, parts, draw):
            optimizer.learn_rate = learning_rate(step, steps)
            nlp.update(batch, drop=DROPOUT, sgd=optimizer, losses=losses)
            step += 1
        with nlp.use_params(optimizer.averages):
            dev = {name: scores(nlp, sentences) for name, sentences in devs.items()}
            value = sum(part["upos"] + part["uas"] + part["las"] for part in dev.values())
            if value > best:
                best = value
                nlp.to_disk(work / "best")
        record = {"epoch": number, "step": step, "minutes": round((time.time() - began) / 60, 1)}
        record |= {"losses": {name: round(loss) for name, loss in losses.items()}}
        print(json.dumps(record | dev), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    train(args.treebanks, args.work, args.epochs, args.seed)
