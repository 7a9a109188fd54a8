"""Build augkit's antonym table from WordNet 3.0.

    apt-get install wordnet-base
    python scripts/build_antonyms.py [/usr/share/wordnet]

Direct antonyms come first; an adjective without one gets those of the adjectives it is similar to
("tedious" is similar to "uninteresting", whose antonym is "interesting").
"""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent.parent / "augkit" / "lexicons" / "data"
PARTS = {"adjective": "adj", "adverb": "adv", "verb": "verb", "noun": "noun"}
MOST = 4
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


def opposites(synsets: dict[str, Synset]) -> Iterator[tuple[str, str, bool]]:
    """Word, antonym, and whether the two are said to be direct antonyms."""
    for one in synsets.values():
        for source, targets in one.antonyms.items():
            for place, target in targets:
                yield one.words[source - 1], synsets[place].words[target - 1], True
        for near in (synsets[place] for place in one.similar):
            for targets in near.antonyms.values():
                for place, target in targets:
                    for word in one.words:
                        yield word, synsets[place].words[target - 1], False


def table(folder: Path) -> Iterator[str]:
    """Lines of the table: kind, word, antonyms."""
    for kind, name in PARTS.items():
        found: dict[str, dict[str, bool]] = {}
        for word, other, direct in opposites(read(folder / f"data.{name}")):
            if PLAIN.fullmatch(word) and PLAIN.fullmatch(other) and word != other:
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
