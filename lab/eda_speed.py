"""EDA's texts per CPU-second beside the published way.

    python -m lab.eda_speed [--wordnet DIR] [--dataset reviews-demo] [--rows 380]
        [--copies 4] [--repeats 3]

The loop of the paper's authors is written out here as their code does it: text cleaned letter by
letter, WordNet looked up through NLTK for every word, a quarter of the variants and one more by
each of the four operations, every variant cleaned again, shuffled and cut to the number asked.
(Its list of stop words is a set here, which is faster.) DIR holds WordNet's own files (Debian's
wordnet-base puts them in /usr/share/wordnet); without them the loop has our table of synonyms,
which is faster than WordNet.

Both work in turns on one block of texts after another, so that a busy machine is as busy for each;
ratios are of the CPU-seconds of a whole round, and the median of the rounds is given with the least
and the greatest. Both are asked for as many variants of the same texts. augkit refuses a variant
that repeats another, the loop gives it: the ratio of variants made, which counts that against
augkit, is given too. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from augkit.augmenters.create import create
from augkit.core.types import Example, Pair
from augkit.datasets.load import load_dataset
from augkit.lexicons.load import closed_classes, synonyms
from lab.command_line import argument, arguments, print_line

Thesaurus = Callable[[str], Sequence[str]]
Work = Callable[[Sequence[Example]], tuple[int, float]]
"""Rows → variants made, CPU-seconds."""
LOOP = "published loop"
BLOCK = 400
ALPHA = 0.1
LETTERS = "qwertyuiopasdfghjklzxcvbnm "
KINDS = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
LEXNAMES = """adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute
noun.body noun.cognition noun.communication noun.event noun.feeling noun.food noun.group
noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession
noun.process noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body
verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact
verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative
verb.weather adj.ppl"""


def nltk_folder(wordnet: Path, folder: Path) -> Path:
    """WordNet's files as NLTK wants them: with the names of its lexicographers' files."""
    corpus = folder / "corpora" / "wordnet"
    corpus.mkdir(parents=True)
    for file in [*wordnet.glob("data.*"), *wordnet.glob("index.*"), *wordnet.glob("*.exc")]:
        shutil.copy(file, corpus)
    shutil.copy(wordnet / "cntlist.rev", corpus)
    named = enumerate(LEXNAMES.split())
    lines = [f"{number:02d}\t{name}\t{KINDS[name.split('.')[0]]}\n" for number, name in named]
    (corpus / "lexnames").write_text("".join(lines), encoding="ascii")
    (corpus / "index.sense").touch()
    return corpus


def from_wordnet(corpus: Path) -> Thesaurus:
    """Synonyms through NLTK, looked up and cleaned for every word as the published code does."""
    import nltk

    nltk.data.path.insert(0, str(corpus.parent.parent))
    reader = nltk.corpus.wordnet

    def look_up(word: str) -> list[str]:
        found = set()
        for synset in reader.synsets(word):
            for lemma in synset.lemmas():
                name = lemma.name().replace("_", " ").replace("-", " ").lower()
                found.add("".join([letter for letter in name if letter in LETTERS]))
        found.discard(word)
        return list(found)

    look_up("film")  # the reader loads itself at the first question
    return look_up


def cleaned(text: str) -> str:
    """Small letters and single spaces, nothing else."""
    kept = ""
    for sign, other in {"\u2019": "", "'": "", "-": " ", "\t": " ", "\n": " "}.items():
        text = text.replace(sign, other)
    for letter in text.lower():
        if letter in LETTERS:
            kept += letter
        else:
            kept += " "
    return re.sub(" +", " ", kept).strip(" ")


class PaperLoop:
    """Easy data augmentation as its authors published it."""

    def __init__(self, thesaurus: Thesaurus, copies: int) -> None:
        """Use these synonyms, and give so many variants of a text."""
        self.thesaurus = thesaurus
        self.copies = copies
        self.stop_words = set(closed_classes())
        self.draw = random.Random(0)

    def variants(self, text: str) -> list[str]:
        """The variants of one text."""
        words = [word for word in cleaned(text).split(" ") if word]
        count = max(1, int(ALPHA * len(words)))
        made: list[str] = []
        for operation in (self.replaced, self.inserted, self.swapped, self.deleted):
            made += [" ".join(operation(words, count)) for _ in range(self.copies // 4 + 1)]
        made = [cleaned(one) for one in made]
        self.draw.shuffle(made)
        return made[: self.copies]

    def replaced(self, words: list[str], count: int) -> list[str]:
        """Words in the place of ``count`` different ones."""
        new, done = words.copy(), 0
        usable = list({word for word in words if word not in self.stop_words})
        self.draw.shuffle(usable)
        for word in usable:
            if others := self.thesaurus(word):
                other = self.draw.choice(others)
                new = [other if one == word else one for one in new]
                done += 1
            if done >= count:
                break
        return " ".join(new).split(" ")

    def inserted(self, words: list[str], count: int) -> list[str]:
        """Synonyms of words present, anywhere."""
        new = words.copy()
        for _ in range(count):
            for _ in range(10):
                if others := self.thesaurus(new[self.draw.randint(0, len(new) - 1)]):
                    new.insert(self.draw.randint(0, len(new) - 1), others[0])
                    break
        return new

    def swapped(self, words: list[str], count: int) -> list[str]:
        """Two words change places, ``count`` times."""
        new = words.copy()
        for _ in range(count):
            one = self.draw.randint(0, len(new) - 1)
            for _ in range(4):
                two = self.draw.randint(0, len(new) - 1)
                if two != one:
                    new[one], new[two] = new[two], new[one]
                    break
        return new

    def deleted(self, words: list[str], _: int) -> list[str]:
        """Each word goes with probability alpha."""
        if len(words) == 1:
            return words
        kept = [word for word in words if self.draw.uniform(0, 1) > ALPHA]
        return kept or [words[self.draw.randint(0, len(words) - 1)]]


def timed(work: Callable[[Sequence[Example]], int]) -> Work:
    """Count what a piece of work makes, and its CPU-seconds."""

    def run(rows: Sequence[Example]) -> tuple[int, float]:
        started = time.process_time()
        made = work(rows)
        return made, time.process_time() - started

    return run


def text_of(row: Example) -> str:
    """All fields of a row as one text."""
    return " ".join(row.fields.values())


def contestants(asked: argparse.Namespace, folder: Path) -> dict[str, Work]:
    """Name → what it does with a block of rows."""
    ours = create("eda", copies=asked.copies)
    table = synonyms()
    thesaurus: Thesaurus = lambda word: table.get(word, ())  # noqa: E731 - one line of two
    if asked.wordnet:
        thesaurus = from_wordnet(nltk_folder(asked.wordnet, folder))
    paper = PaperLoop(thesaurus, asked.copies)
    return {
        "augkit": timed(lambda rows: sum(isinstance(one, Pair) for one in ours.outcomes(rows))),
        LOOP: timed(lambda rows: sum(len(paper.variants(text_of(row))) for row in rows)),
    }


class Round:
    """What each contestant made of all texts, and in which time."""

    def __init__(self, found: dict[str, Work], rows: Sequence[Example]) -> None:
        """Let them work in turns."""
        self.texts = len(rows)
        self.made, self.seconds = dict.fromkeys(found, 0), dict.fromkeys(found, 0.0)
        for start in range(0, len(rows), BLOCK):
            for name, work in found.items():
                count, took = work(rows[start : start + BLOCK])
                self.made[name] += count
                self.seconds[name] += took

    def faster(self, name: str) -> float:
        """How many times the texts per CPU-second of this one augkit has."""
        return self.seconds[name] / self.seconds["augkit"]

    def more(self, name: str) -> float:
        """How many times its variants per CPU-second."""
        return self.faster(name) * self.made["augkit"] / self.made[name]


def spread(values: Iterable[float]) -> list[float]:
    """Median, least, greatest."""
    some = sorted(values)
    return [round(value, 2) for value in (median(some), some[0], some[-1])]


def main() -> None:
    """Measure in turns and print."""
    asked = arguments(
        __doc__,
        argument("--wordnet", type=Path),
        argument("--dataset", default="reviews-demo"),
        argument("--data", type=Path),
        argument("--rows", type=int, default=380),
        argument("--copies", type=int, default=4),
        argument("--repeats", type=int, default=3),
    )
    rows = [
        row
        for row in load_dataset(asked.dataset, data_folder=asked.data)[: asked.rows]
        if cleaned(text_of(row))  # the published code stops at a text without a letter
    ]
    with TemporaryDirectory() as folder:
        found = contestants(asked, Path(folder))
        Round(found, rows[:BLOCK])  # tables and readers are loaded at the first use
        gc.freeze()  # and nobody's collector walks through what another has loaded
        rounds = [Round(found, rows) for _ in range(asked.repeats)]
    words = sum(len(text_of(row).split()) for row in rows) // len(rows)
    record: dict[str, object] = {"benchmark": "eda_speed", "dataset": asked.dataset}
    record |= {"rows": len(rows), "words": words, "copies": asked.copies, "rounds": len(rounds)}
    record["synonyms of the loop"] = "WordNet through NLTK" if asked.wordnet else "augkit's table"
    record["texts per CPU-second"] = {
        name: round(median(one.texts / one.seconds[name] for one in rounds)) for name in found
    }
    record["times the texts: median, least, greatest"] = {
        LOOP: spread(one.faster(LOOP) for one in rounds)
    }
    record["times the variants"] = {LOOP: spread(one.more(LOOP) for one in rounds)}
    print_line(record)


if __name__ == "__main__":
    main()
