"""How well mentions of persons are linked, on gold mentions: one JSON line.

    python benchmarks/person_links.py --data DIR [--part dev|test]

DIR holds ``ud``, ``coref`` and ``bias/winobias``. Nothing of these parts was used in training.

- GUM and LitBank: precision, recall and F1 of pairs of mentions; MUC, B³, CEAFe and their mean
  (CoNLL); ``pronouns``: F1 of the link to the nearest earlier mention of the same person.
  ``gendered``: the same without the nouns that show no gender.
- GAP: F1 as its authors define it (each of the two names is a decision), by gender, and the share
  of questions with both decisions right. The two persons of a question have one gender.
- WinoBias: the share of pronouns linked to the right one of two occupations.
- ``nearest``: a pronoun joins the latest person that agrees, a name or noun the latest that agrees
  and has one of its words.
- ``sure``: of the pronouns of GUM and LitBank whose choice has at least that probability, the
  share that is right, and how many these are of all.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from augkit.language.person_links.linker import Linker, PersonCluster, Rows, decode
from augkit.language.person_links.readings import MentionReading, TextReader

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from coreference_data import Passage, gap, gendered_only, gum, litbank, winobias

Persons = Callable[[Passage], list[int]]
"""The person of each mention of a passage, as a number."""


def learned(passage: Passage) -> list[int]:
    """The persons by the linker."""
    return [one.person for one in Linker().link(passage.text, passage.mentions)]


def nearest(passage: Passage) -> list[int]:
    """The persons by distance and repeated words."""

    def choose(reading: MentionReading, found: Sequence[PersonCluster], _: Rows) -> int:
        for number, person in enumerate(found):
            words = {word for one in person.readings for word in one.words}
            if reading.mention.kind == "pronoun" or words & set(reading.words):
                return number
        return len(found)

    reader, numbers = TextReader(passage.text), dict[int, int]()
    persons = decode(reader, reader.read(passage.mentions), choose)
    return [numbers.setdefault(id(person), len(numbers)) for person in persons]


def f1(right: float, found: float, wanted: float) -> float:
    """F1 in per cent."""
    return round(200 * right / max(found + wanted, 1e-9), 1)


def clusters(numbers: Sequence[int]) -> list[set[int]]:
    """The mentions of each person."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for mention, number in enumerate(numbers):
        found[number].add(mention)
    return list(found.values())


def muc(some: Sequence[set[int]], others: Sequence[int]) -> tuple[int, int]:
    """Links of some clusters that the others have too, and links."""
    kept = sum(len(each) - len({others[m] for m in each}) for each in some)
    return kept, sum(len(each) - 1 for each in some)


def tally(found: Sequence[int], gold: Sequence[int]) -> Counter[str]:
    """What a passage adds to the counts of each measure."""
    mine, theirs, both = Counter(found), Counter(gold), Counter(zip(found, gold, strict=True))
    pairs = [sum(n * (n - 1) // 2 for n in some.values()) for some in (both, mine, theirs)]
    ours, right = clusters(found), clusters(gold)
    (kept, links), (had, wanted) = muc(ours, gold), muc(right, found)
    alike = np.array([[2 * len(a & b) / (len(a) + len(b)) for b in right] for a in ours])
    best = float(alike[linear_sum_assignment(-alike)].sum())
    shares = [both[pair] / mine[pair[0]] for pair in zip(found, gold, strict=True)]
    covers = [both[pair] / theirs[pair[1]] for pair in zip(found, gold, strict=True)]
    names = ("right", "pairs", "gold", "kept", "links", "had", "wanted")
    counts: Counter[str] = Counter(
        dict(zip(names, (*pairs, kept, links, had, wanted), strict=True))
    )
    counts.update({"precision": sum(shares), "recall": sum(covers), "mentions": len(found)})
    counts.update({"best": best, "ours": len(ours), "theirs": len(right)})
    return counts


def pronoun_links(found: Sequence[int], passage: Passage) -> Counter[str]:
    """The links of pronouns to the nearest earlier mention of their person."""
    counts, last, seen = Counter[str](), dict[int, int](), set[int]()
    for number, (person, chain) in enumerate(zip(found, passage.chains, strict=True)):
        if passage.mentions[number].kind == "pronoun":
            counts["later"] += chain in seen
            if person in last:
                counts["linked"] += 1
                counts["linked right"] += passage.chains[last[person]] == chain
        last[person] = number
        seen.add(chain)
    return counts


def annotated(passages: Sequence[Passage], persons: Persons) -> dict[str, float]:
    """The figures over annotated texts."""
    c = Counter[str]()
    for passage in passages:
        found = persons(passage)
        c += tally(found, passage.chains) + pronoun_links(found, passage)
    precision, recall = c["precision"] / c["mentions"], c["recall"] / c["mentions"]
    p, r = c["kept"] / max(c["links"], 1), c["had"] / max(c["wanted"], 1)
    three = {
        "muc": round(200 * p * r / max(p + r, 1e-9), 1),
        "b3": round(200 * precision * recall / (precision + recall), 1),
        "ceafe": f1(c["best"], c["ours"], c["theirs"]),
    }
    return {
        "pair_precision": round(100 * c["right"] / max(c["pairs"], 1), 1),
        "pair_recall": round(100 * c["right"] / max(c["gold"], 1), 1),
        "pair_f1": f1(c["right"], c["pairs"], c["gold"]),
        **three,
        "conll": round(sum(three.values()) / 3, 1),
        "pronouns": f1(c["linked right"], c["linked"], c["later"]),
    }


def questions(passages: Sequence[Passage], persons: Persons) -> dict[str, float]:
    """The figures over questions with two names."""
    c = Counter[str]()
    for passage in passages:
        found, choice = persons(passage), passage.choice
        assert choice is not None
        said = [found[name] == found[choice.pronoun] for name in choice.names]
        c["right"] += tuple(said) == choice.right
        for yes, true in zip(said, choice.right, strict=True):
            for group in ("all", passage.mentions[choice.pronoun].gender):
                c.update({f"{group} found": yes, f"{group} wanted": true})
                c[f"{group} right"] += yes and true
    groups = [g for g in ("all", "man", "woman") if c[f"{g} wanted"]]
    figures = {g: f1(*(c[f"{g} {n}"] for n in ("right", "found", "wanted"))) for g in groups}
    return {"accuracy": round(100 * c["right"] / len(passages), 1), **figures}


def sure(passages: Sequence[Passage]) -> dict[str, tuple[float, float]]:
    """How right the choices for pronouns are at several probabilities, and their share."""
    rows: list[tuple[float, bool]] = []
    for passage in passages:
        last: dict[int, int] = {}
        links = Linker().link(passage.text, passage.mentions)
        for number, one in enumerate(links):
            if passage.mentions[number].kind == "pronoun" and one.person in last:
                right = passage.chains[last[one.person]] == passage.chains[number]
                rows.append((one.probability, right))
            last[one.person] = number
    figures = {}
    for least in (0.0, 0.5, 0.6, 0.7, 0.8, 0.9):
        kept = [right for share, right in rows if share >= least]
        figures[str(least)] = round(sum(kept) / len(kept), 3), round(len(kept) / len(rows), 3)
    return figures


def speed(passages: Sequence[Passage]) -> int:
    """Mentions per CPU-second."""
    began = time.process_time()
    count = sum(len(learned(passage)) for passage in passages)
    return round(count / (time.process_time() - began))


def measure(data: Path, part: str) -> dict[str, Any]:
    """Every figure of the benchmark."""
    texts = {"gum": gum(data, part), "litbank": litbank(data, part)}
    asked = {"gap": gap(data, "validation" if part == "dev" else "test")}
    asked["winobias"] = winobias(data, part)
    result: dict[str, Any] = {"benchmark": "person_links", "part": part}
    for name, persons in (("linker", learned), ("nearest", nearest)):
        result[name] = {key: annotated(some, persons) for key, some in texts.items()}
        for key, some in texts.items():
            few = annotated([gendered_only(one) for one in some], persons)
            result[name][f"{key} gendered"] = {k: few[k] for k in ("pair_f1", "conll", "pronouns")}
        result[name] |= {key: questions(some, persons) for key, some in asked.items()}
    result["sure"] = sure([one for some in texts.values() for one in some])
    every = texts | asked
    result["mentions_per_cpu_second"] = {key: speed(some) for key, some in every.items()}
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA"))
    parser.add_argument("--part", choices=("dev", "test"), default="dev")
    args = parser.parse_args()
    if args.data is None:
        parser.error("give --data or set AUGKIT_DATA")
    print(json.dumps(measure(Path(args.data), args.part)))
