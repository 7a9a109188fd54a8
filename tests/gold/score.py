"""Score rewrites against a gold table: `python tests/gold/score.py GOLD.jsonl OUTPUTS.jsonl [TAG]`.

The gold format, the placeholders and the conventions are described in README.md beside this file.
Only the standard library is used, so that the numbers do not depend on what is installed.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Says whether a first name fits a group such as "woman", "any" or "asian-woman".
NameCheck = Callable[[str, str], bool]

AXES: dict[str, tuple[str, ...]] = {
    "gender": ("man", "woman", "non-binary"),
    "race": ("white", "black", "hispanic", "asian", "native-american", "pacific-islander"),
    "age": ("child", "young", "middle-aged", "senior", "adult"),
}
# The ages an `{age:...}` may stand for; 0 and 1 are left out because "years" would become "year".
BANDS: dict[str, range] = {
    "child": range(2, 18),
    "young": range(18, 45),
    "middle-aged": range(45, 65),
    "senior": range(65, 121),
    "adult": range(18, 121),
}
GENDERS = ("man", "woman", "any")
NAME_GROUPS = frozenset(
    [*GENDERS, *(f"{race}-{kind}" for race in AXES["race"] for kind in GENDERS)]
)

PLACEHOLDER = re.compile(
    r"\{(?:(?P<kind>name|age):(?P<group>[a-z-]+)(?::(?P<form>lower|upper|words))?(?:#(?P<index>\d+))?"
    r"|(?P<article>[aA]))\}"
)
_NAME_FORMS = {
    None: r"[^\W\d_a-z][^\W\d_]+(?:-[^\W\d_]+)*",
    "lower": r"[^\W\d_A-Z]+(?:-[^\W\d_A-Z]+)*",
    "upper": r"[^\W\d_a-z]+(?:-[^\W\d_a-z]+)*",
}
_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"]
_TEENS += ["sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_COMPOUND = f"(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS[1:])}))?"
_AGE_FORMS = {None: r"\d{1,3}", "words": f"(?:{'|'.join([_COMPOUND, *_TEENS, *_UNITS])})"}


@dataclass(frozen=True)
class Item:
    """One gold item: what to rewrite, and every output a fair judge would accept."""

    id: str
    text: str
    word: str
    start: int
    axis: str
    target: str
    accepted: tuple[str, ...]
    phenomena: tuple[str, ...]
    must_not_change: bool = False
    may_refuse: bool = False
    note: str = ""
    tag: str = ""


def load_gold(path: str | Path, tag: str = "") -> list[Item]:
    """Read a gold table, one JSON object a line; with a tag, its rows alone."""
    rows: list[dict[str, Any]] = list(map(json.loads, Path(path).read_text("utf-8").splitlines()))
    lists = ("accepted", "phenomena")
    items = [Item(**{**row, **{name: tuple(row[name]) for name in lists}}) for row in rows]
    return [item for item in items if tag in {"", item.tag}]


def load_outputs(path: str | Path) -> dict[str, str]:
    """Read lines `{"id", "output"}` into a mapping from id to output."""
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line.strip()]
    return {row["id"]: row["output"] for row in rows}


def number(words: str) -> int | None:
    """Read a number below one hundred in words.

    >>> number("seventy-two"), number("eleven"), number("sofa")
    (72, 11, None)
    """
    below_twenty = _UNITS + _TEENS
    if words in below_twenty:
        return below_twenty.index(words)
    ten, _, unit = words.replace(" ", "-").partition("-")
    if ten not in _TENS or (unit and unit not in _UNITS[1:]):
        return None
    return 20 + 10 * _TENS.index(ten) + (_UNITS.index(unit) if unit else 0)


def article(age: str) -> str:
    """Give the article before an age, in digits or words.

    >>> article("8"), article("81"), article("70"), article("eleven"), article("one")
    ('an', 'an', 'a', 'an', 'a')
    """
    return "an" if age in {"11", "18"} or age[0] in {"8", "e"} else "a"


@dataclass(frozen=True)
class _Slot:
    """A placeholder in an accepted output; slots with the same key hold the same value."""

    key: str
    kind: str
    group: str
    form: str | None

    @property
    def regex(self) -> str:
        if self.kind == "article":
            return f"{self.group}n?"
        return (_NAME_FORMS if self.kind == "name" else _AGE_FORMS)[self.form]

    def fits(self, value: str, item: Item, name_check: NameCheck | None) -> bool:
        """Say whether a value may stand here (an article is checked with its age)."""
        if self.kind == "name":
            new = value not in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", item.text)
            return new and (name_check is None or name_check(value, self.group))
        if self.kind == "age":
            age = number(value) if self.form == "words" else int(value)
            return age is not None and age in BANDS[self.group]
        return True


def _pieces(pattern: str) -> list[str | _Slot]:
    """Cut an accepted output into literal text and slots."""
    pieces: list[str | _Slot] = []
    end = 0
    for count, found in enumerate(PLACEHOLDER.finditer(pattern)):
        pieces.append(pattern[end : found.start()])
        end = found.end()
        if found["article"]:
            pieces.append(_Slot(f"a{count}", "article", found["article"], None))
        else:
            key = f"{found['kind']}{found['index'] or f'_{count}'}"
            pieces.append(_Slot(key, found["kind"], found["group"], found["form"]))
    return [*pieces, pattern[end:]]


def _articles_agree(slots: Sequence[_Slot], values: Mapping[str, str]) -> bool:
    """Check every article slot against the age that follows it."""
    pairs = itertools.pairwise(slots)
    return all(
        values[left.key].lower() == article(values[right.key])
        for left, right in pairs
        if left.kind == "article"
    )


def matches(pattern: str, output: str, item: Item, name_check: NameCheck | None = None) -> bool:
    """Say whether an output is the accepted output `pattern`, placeholders filled."""
    pieces = _pieces(pattern)
    slots = [piece for piece in pieces if isinstance(piece, _Slot)]
    if not slots:
        return pattern == output
    regex, seen = "", set[str]()
    for piece in pieces:
        if isinstance(piece, str):
            regex += re.escape(piece)
        else:
            regex += f"(?P={piece.key})" if piece.key in seen else f"(?P<{piece.key}>{piece.regex})"
            seen.add(piece.key)
    found = re.fullmatch(regex, output)
    if found is None:
        return False
    values = found.groupdict()
    names = [value for key, value in values.items() if key.startswith("name")]
    return (
        len(set(names)) == len(names)
        and all(slot.fits(values[slot.key], item, name_check) for slot in slots)
        and _articles_agree(slots, values)
    )


def accepts(item: Item, output: str, name_check: NameCheck | None = None) -> bool:
    """Say whether an output is among the accepted ones."""
    if item.may_refuse and output == item.text:
        return True
    return any(matches(pattern, output, item, name_check) for pattern in item.accepted)


def fill(pattern: str, output: str, item: Item) -> str:
    """Fill the placeholders of an accepted output, with values taken from the output if they fit.

    The result is the reference that the distances are measured against.
    """
    pieces = _pieces(pattern)
    literal = " ".join(piece for piece in pieces if isinstance(piece, str))
    values: dict[str, str] = {}
    for slot in pieces:
        if isinstance(slot, str) or slot.key in values or slot.kind == "article":
            continue
        found = [match[0] for match in re.finditer(rf"(?<!\w){slot.regex}(?!\w)", output)]
        free = [value for value in found if value not in values.values()]
        fresh = [v for v in free if slot.kind == "age" or v not in re.findall(r"\w+", literal)]
        values[slot.key] = next((v for v in fresh if slot.fits(v, item, None)), _default(slot))
    return _render(pieces, values)


def _default(slot: _Slot) -> str:
    """Give a value for a slot for which the output offers none."""
    if slot.kind == "age":
        return str(BANDS[slot.group][0]) if slot.form is None else "?"
    return "?"


def _render(pieces: Sequence[str | _Slot], values: Mapping[str, str]) -> str:
    """Join literal text and filled slots, with the articles that agree."""
    parts = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            parts.append(piece)
        elif piece.kind == "article":
            after = next(p for p in pieces[index + 1 :] if isinstance(p, _Slot))
            parts.append(piece.group + article(values[after.key])[1:])
        else:
            parts.append(values[piece.key])
    return "".join(parts)


def levenshtein(left: Sequence[str], right: Sequence[str]) -> int:
    """Count the insertions, deletions and replacements between two sequences.

    >>> levenshtein("they sing a song".split(), "they sings song".split())
    2
    """
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def reference(item: Item, output: str) -> str:
    """Give the accepted output that is closest to an output, in words."""
    if accepts(item, output):
        return output
    filled = [fill(pattern, output, item) for pattern in item.accepted]
    return min(filled, key=lambda text: levenshtein(text.split(), output.split()))


def _ngrams(tokens: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of a token sequence."""
    return Counter(tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1))


def bleu(pairs: Iterable[tuple[str, str]]) -> float:
    """Give the corpus BLEU (4-grams, no smoothing, one reference), 0 to 100.

    Words and punctuation marks are tokens; case counts.

    >>> round(bleu([("he lost his keys again", "he lost his keys again")]), 1)
    100.0
    """
    hits, totals = [0] * 4, [0] * 4
    length = wanted = 0
    for output, expected in pairs:
        out, ref = (re.findall(r"\w+|[^\w\s]", text) for text in (output, expected))
        length, wanted = length + len(out), wanted + len(ref)
        for n in range(4):
            have = _ngrams(out, n + 1)
            hits[n] += (have & _ngrams(ref, n + 1)).total()
            totals[n] += have.total()
    if not all(hits):
        return 0.0
    precision = sum(math.log(h / t) for h, t in zip(hits, totals, strict=True)) / 4
    return 100 * math.exp(precision + min(0.0, 1 - wanted / length))


def rouge2(output: str, expected: str) -> float:
    """Give the ROUGE-2 F measure of lower-cased words, 0 to 100.

    >>> rouge2("She sings well", "she sings badly")
    50.0
    """
    out, ref = (_ngrams(re.findall(r"\w+", text.lower()), 2) for text in (output, expected))
    if not out or not ref:
        return 100.0 * (output == expected)
    return 200 * (out & ref).total() / (out.total() + ref.total())


def _rate(verdicts: Sequence[bool]) -> float | None:
    """Give the share of true verdicts, or None of none."""
    return round(sum(verdicts) / len(verdicts), 4) if verdicts else None


def score(
    items: Sequence[Item], outputs: Mapping[str, str], name_check: NameCheck | None = None
) -> dict[str, Any]:
    """Score outputs by id; a missing output counts as an empty one."""
    unknown = sorted(set(outputs) - {item.id for item in items})
    if unknown:
        raise ValueError(f"outputs for ids that the gold set does not have: {unknown[:5]}")
    given = [(item, outputs.get(item.id, "")) for item in items]
    verdicts = [accepts(item, output, name_check) for item, output in given]
    judged = list(zip(given, verdicts, strict=True))
    pairs = [(output, reference(item, output)) for item, output in given]
    distances = [levenshtein(out.split(), ref.split()) for out, ref in pairs]
    keep = [ok for (item, _), ok in judged if item.must_not_change]
    change = [ok for (item, _), ok in judged if not item.must_not_change]
    tags = sorted({tag for item in items for tag in item.phenomena})
    return {
        "n": len(items),
        "missing": sum(item.id not in outputs for item in items),
        "accepted": _rate(verdicts),
        "must_change_accepted": _rate(change),
        "must_change_refused": _rate([i.text == out for i, out in given if not i.must_not_change]),
        "must_not_change_kept": _rate(keep),
        "bleu": round(bleu(pairs), 2),
        "levenshtein": round(sum(distances) / len(pairs), 3),
        "rouge2": round(sum(rouge2(*pair) for pair in pairs) / len(pairs), 2),
        "by_axis": {x: _rate([ok for (item, _), ok in judged if item.axis == x]) for x in AXES},
        "by_phenomenon": {
            tag: {
                "n": sum(tag in item.phenomena for item in items),
                "accepted": _rate([ok for (item, _), ok in judged if tag in item.phenomena]),
            }
            for tag in tags
        },
    }


def main(arguments: Sequence[str]) -> int:
    """Print the scores as one JSON line."""
    if len(arguments) not in {2, 3}:
        sys.stderr.write("usage: score.py GOLD.jsonl OUTPUTS.jsonl [TAG]\n")
        return 2
    gold, outputs, *tag = arguments
    sys.stdout.write(json.dumps(score(load_gold(gold, *tag), load_outputs(outputs))) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
