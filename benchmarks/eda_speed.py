"""EDA's sentences per CPU-second beside the published way and beside nlpaug's synonyms.

    python benchmarks/eda_speed.py [--wordnet DIR] [--peer PYTHON] [--dataset reviews-demo]
        [--rows 380] [--copies 4] [--repeats 3]

The loop of the paper's authors is written out here as they describe it: text cleaned letter by
letter, WordNet looked up through NLTK for every word, a quarter of the variants and one more by
each of the four operations, shuffled and cut to the number asked. DIR holds WordNet's own files
(Debian's wordnet-base puts them in /usr/share/wordnet); without them the loop has our table of
synonyms, which is faster than WordNet. PYTHON is that of an environment with nlpaug and NLTK.
All are measured in turns, several times, and the best of each counts. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from augkit.augmenters.create import create
from augkit.corpora.load import load_dataset
from augkit.data import Pair
from augkit.lexicons.load import closed_classes, synonyms

Thesaurus = Callable[[str], Sequence[str]]
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
    for letter in text.replace("'", "").replace("-", " ").replace("\n", " ").lower():
        kept += letter if letter in LETTERS else " "
    return " ".join(kept.split())


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
                if others := self.thesaurus(self.draw.choice(new)):
                    new.insert(self.draw.randint(0, len(new) - 1), others[0])
                    break
        return new

    def swapped(self, words: list[str], count: int) -> list[str]:
        """Two words change places, ``count`` times."""
        new = words.copy()
        for _ in range(count):
            one, two = self.draw.randint(0, len(new) - 1), self.draw.randint(0, len(new) - 1)
            new[one], new[two] = new[two], new[one]
        return new

    def deleted(self, words: list[str], _: int) -> list[str]:
        """Each word goes with probability alpha."""
        kept = [word for word in words if self.draw.uniform(0, 1) > ALPHA]
        return kept or [self.draw.choice(words)]


def rate(work: Callable[[], int]) -> float:
    """Variants per CPU-second."""
    started = time.process_time()
    made = work()
    return made / (time.process_time() - started)


def peer_rates(python: str, texts: Sequence[str], asked: argparse.Namespace, nltk: Path) -> dict:
    """What nlpaug makes of the same texts in its own environment."""
    told = json.dumps({"texts": list(texts), "copies": asked.copies, "repeats": asked.repeats})
    script = Path(__file__).with_name("eda_peers.py")
    done = subprocess.run(
        [python, str(script)],
        input=told,
        env={"NLTK_DATA": str(nltk)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return {"error": done.stderr[-300:]}
    answer: dict = json.loads(done.stdout.splitlines()[-1])
    return answer


def main() -> None:
    """Measure in turns and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path)
    parser.add_argument("--peer")
    parser.add_argument("--dataset", default="reviews-demo")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rows", type=int, default=380)
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    rows = load_dataset(asked.dataset, data_folder=asked.data)[: asked.rows]
    texts = [" ".join(row.fields.values()) for row in rows]
    ours = create("eda", copies=asked.copies)
    list(ours(rows[:5]))  # the table of synonyms is read at the first use
    with TemporaryDirectory() as folder:
        told: dict[str, object] = {"benchmark": "eda_speed", "dataset": asked.dataset}
        table = synonyms()
        thesaurus: Thesaurus = lambda word: table.get(word, ())  # noqa: E731 - one line of two
        corpus = nltk_folder(asked.wordnet, Path(folder)) if asked.wordnet else None
        if corpus:
            thesaurus = from_wordnet(corpus)
        paper = PaperLoop(thesaurus, asked.copies)
        rates: dict[str, list[float]] = {"augkit": [], "published loop": []}
        for _ in range(asked.repeats):
            rates["augkit"].append(
                rate(lambda: sum(isinstance(one, Pair) for one in ours.outcomes(rows)))
            )
            rates["published loop"].append(
                rate(lambda: sum(len(paper.variants(text)) for text in texts))
            )
        best = {name: round(max(some), 1) for name, some in rates.items()}
        pairs = zip(rates["augkit"], rates["published loop"], strict=True)
        told["times as fast, median of the rounds"] = round(median(a / b for a, b in pairs), 1)
        if asked.peer:
            peer = peer_rates(asked.peer, texts, asked, Path(folder))
            told["nlpaug"] = peer
            best |= {name: value for name, value in peer.items() if isinstance(value, float)}
    told |= {"rows": len(rows), "words": sum(len(text.split()) for text in texts) // len(texts)}
    told["synonyms of the loop"] = "WordNet through NLTK" if asked.wordnet else "augkit's table"
    told["variants per CPU-second"] = best
    told["times as fast"] = {
        name: round(best["augkit"] / value, 1) for name, value in best.items() if name != "augkit"
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
