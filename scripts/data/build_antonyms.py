"""Build augkit's antonym table from WordNet 3.0.

    apt-get install wordnet-base
    pip install wordfreq
    python scripts/data/build_antonyms.py [/usr/share/wordnet]

Direct antonyms come first; an adjective without one gets those of the adjectives that its commonest
sense is similar to ("tedious" is similar to "uninteresting", whose antonym is "interesting"). Rare
words are left out, and those that only say what something is not ("nonclassical"): nobody would
write them in the place of the word. Only the choice depends on wordfreq, none of its data is kept.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wordfreq import zipf_frequency

DATA = Path(__file__).parents[2] / "augkit" / "lexicons" / "data"
PARTS = {"adjective": "adj", "adverb": "adv", "verb": "verb", "noun": "noun"}
MOST = 4
RAREST = 2.5
"""Least frequency of both words: 10 to this power in a billion words."""
PLAIN = re.compile(r"[a-z]+(?:-[a-z]+)*")


class Synset(NamedTuple):
    """Words of one meaning, their antonyms by word, and the meanings it is similar to."""

    words: list[str]
    antonyms: dict[int, list[tuple[str, int]]]
    similar: list[str]


def read(path: Path) -> dict[str, Synset]:
    """The meanings of a part of speech, by their place in the file."""
    lines = (line for line in path.read_text(encoding="ascii").splitlines() if line[0] != " ")
    return dict(map(parse, lines))


def parse(line: str) -> tuple[str, Synset]:
    """One line of WordNet's data files."""
    parts = line.split(" | ", maxsplit=1)[0].split()
    count = int(parts[3], 16)
    words = [parts[4 + 2 * n].split("(")[0].lower() for n in range(count)]
    at = 4 + 2 * count
    antonyms: dict[int, list[tuple[str, int]]] = {}
    similar = []
    for n in range(int(parts[at])):
        kind, place, _, ends = parts[at + 1 + 4 * n : at + 5 + 4 * n]
        source, target = int(ends[:2], 16), int(ends, 16) % 256
        if kind == "!":
            antonyms.setdefault(source, []).append((place, target))
        elif kind == "&":
            similar.append(place)
    return parts[0], Synset(words, antonyms, similar)


def first_senses(path: Path) -> dict[str, str]:
    """Word → the place of its commonest sense; the index lists senses by frequency."""
    found = {}
    for line in path.read_text(encoding="ascii").splitlines():
        if line[0] != " ":
            word, _, count, *rest = line.split()
            found[word] = rest[-int(count)]
    return found


def opposites(synsets: dict[str, Synset], first: dict[str, str]) -> Iterator[tuple[str, str, bool]]:
    """Word, antonym, and whether the two are said to be direct antonyms."""
    for here, one in synsets.items():
        for source, targets in one.antonyms.items():
            for place, target in targets:
                yield one.words[source - 1], synsets[place].words[target - 1], True
        for near in (synsets[place] for place in one.similar):
            for targets in near.antonyms.values():
                for place, target in targets:
                    for word in one.words:
                        if first[word] == here:
                            yield word, synsets[place].words[target - 1], False


def is_usable(word: str) -> bool:
    """Whether people write a word."""
    plain = PLAIN.fullmatch(word) is not None and not word.startswith("non")
    return plain and zipf_frequency(word, "en") >= RAREST


def table(folder: Path) -> Iterator[str]:
    """Lines of the table: kind, word, antonyms."""
    for kind, name in PARTS.items():
        found: dict[str, dict[str, bool]] = {}
        first = first_senses(folder / f"index.{name}")
        for word, other, direct in opposites(read(folder / f"data.{name}"), first):
            if word != other and is_usable(word) and is_usable(other):
                known = found.setdefault(word, {})
                known[other] = known.get(other, False) or direct
        for word, others in sorted(found.items()):
            ranked = sorted(others, key=lambda other: (not others[other], other))
            direct = [other for other in ranked if others[other]]
            yield f"{kind}\t{word}\t{' '.join((direct or ranked)[:MOST])}"


def main() -> None:
    """Write the table."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    lines = "\n".join(table(folder)) + "\n"
    (DATA / "antonyms.tsv.gz").write_bytes(gzip.compress(lines.encode("ascii"), mtime=0))
    print(f"{lines.count(chr(10))} words")


if __name__ == "__main__":
    main()
