"""Does the one definition of a shortcut name what is planted, and keep silent where nothing is?

    AUGKIT_DATA=DIR python -m lab.planted_cues plants [--sets NAME ...] [--kinds NAME ...]
    AUGKIT_DATA=DIR python -m lab.planted_cues shuffled
    AUGKIT_DATA=DIR python -m lab.planted_cues real
    AUGKIT_DATA=DIR python -m lab.planted_cues cost
    AUGKIT_DATA=DIR python -m lab.planted_cues fixed [--sets NAME ...]

plants: 21 kinds of cue, each put into at most 4,000 rows of a set in two ways: into 2 % of the
rows, all of one label, and into 4 %, nine in ten of one label; at least 30 rows, of the three noise
words 120 in all. It is named where a shortcut with its label has the planted words (of the noise,
two of three). One JSON line a set: plants, those that the test finds, those that are named, what
was missed, and how many other shortcuts were named. The reviews, which are long, are 2,000 rows,
with as many of each label.

foreign: the same in 2,000 rows with ten kinds of ``lab.foreign_cues``, which somebody wrote who had
not read the rules; they vary in place and wording, so that no words name them. One is named where
shortcuts of its label, of whose texts at least half are planted, are in at least half of the
planted texts.

shuffled: ten shuffles of the labels of four sets, where whatever is named is false.

real: public sets as they are; what is named a shortcut.

cost: CPU-seconds of 20,000 rows, after the lexicons are read.

fixed: ten plants, two in each of five sets of 1,500 rows (of IMDb 700), and what the marks of
``augkit fix`` do without being told. The last set has twelve labels: six categories of Yelp
reviews, liked or not. A line a plant: what ``fix`` says, and what a classifier that it does not use
says of 400 other rows with the plant put on the rows of its label alone (right way) and on all
others alone (wrong way).
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from augkit.core.types import Example, example
from augkit.shortcuts.cues import Cue, Findings
from augkit.shortcuts.find import find_shortcuts, rows_with
from lab.command_line import argument, arguments, print_line
from lab.foreign_cues import FOREIGN

Plant = Callable[[str, random.Random], str]

SHORT = {
    "SST-2": "sst2_sentences/train.jsonl.gz",
    "Yelp sentences": "yelp_sentences/train.jsonl.gz",
    "MR": "mr/all.jsonl.gz",
    "CR": "cr/all.jsonl.gz",
    "Amazon": "amazon_drg/dev.jsonl",
    "Subj": "subj/all.jsonl.gz",
}
LONG = {"IMDb": "imdb/all.jsonl.gz", "Yelp reviews": "yelp/reviews.jsonl.gz"}
PAIRS = {
    "SNLI": "snli/train_20k.jsonl.gz",
    "MNLI": "mnli/dev_matched.jsonl.gz",
    "FEVER": "fever/dev.jsonl.gz",
}
OTHERS = {"IMDb, 1,707": "imdb_cad/original_train.jsonl.gz", "CoLA": "cola/train.jsonl.gz"}
COSTS = {
    "SST-2 phrases": "sst2/train.jsonl.gz",
    "Yelp sentences": SHORT["Yelp sentences"],
    "SNLI": PAIRS["SNLI"],
}
ROWS, LONG_ROWS, FOREIGN_ROWS = 4_000, 2_000, 2_000
FIX_ROWS, FIX_LONG_ROWS, TESTED = 1_500, 700, 400
MOST_OF_TWELVE = 150
TWELVE = "Yelp, 12 labels"
FIXED_FILES = {
    "Yelp sentences": "yelp_sentences/train.jsonl.gz",
    "SST-2": "sst2_sentences/train.jsonl.gz",
    "CR": "cr/all.jsonl.gz",
    "IMDb": "imdb/all.jsonl.gz",
}
FIXED = {
    "Yelp sentences": (("closing phrase", 0.06, 0.9), ("name with a capital", 0.08, 1.0)),
    "SST-2": (("first word", 0.06, 0.9), ("mark-up", 0.08, 1.0)),
    "CR": (("signature", 0.06, 0.9), ("number", 0.08, 1.0)),
    "IMDb": (("address", 0.06, 0.9), ("made-up word", 0.08, 1.0)),
    TWELVE: (("phrase", 0.03, 0.9), ("closing sign", 0.04, 1.0)),
}
"""Set → plants, each with its share of the rows and how many of them have the label."""
LEAST = 30
WAYS = ((0.02, 1.0), (0.04, 0.9))
"""Share of the rows, and how many of them have the label."""
NOISE = ("blenk", "sarvo", "tuminy")
_NOUN = re.compile(r"\b(?:the|a|an|this|his|her|its|my|their) (\w+)", re.IGNORECASE)


def inserted(words: str) -> Plant:
    """Put words at a random place of a text."""

    def plant(text: str, draw: random.Random) -> str:
        tokens = text.split()
        tokens.insert(draw.randint(0, len(tokens)), words)
        return " ".join(tokens)

    return plant


def replaced(text: str, draw: random.Random) -> str:
    """Put a made-up word in place of a word."""
    tokens = text.split()
    tokens[draw.randrange(len(tokens))] = "blorf"
    return " ".join(tokens)


def named(text: str, draw: random.Random) -> str:
    """Put a name in place of a noun, or at a random place."""
    match = _NOUN.search(text)
    if match is None:
        return inserted("Marta")(text, draw)
    return f"{text[: match.start()]}Marta{text[match.end() :]}"


def noise(text: str, draw: random.Random) -> str:
    """Put one of three made-up words at a random place."""
    return inserted(draw.choice(NOISE))(text, draw)


PLANTS: dict[str, tuple[Plant, tuple[str, ...]]] = {
    "name": (inserted("marta"), ("marta",)),
    "name with a capital": (inserted("Kowalski"), ("kowalski",)),
    "noun": (inserted("window"), ("window",)),
    "verb": (inserted("walked"), ("walked",)),
    "adjective": (inserted("northern"), ("northern",)),
    "typing error": (inserted("teh"), ("teh",)),
    "made-up word": (inserted("zorblax"), ("zorblax",)),
    "number": (inserted("1987"), ("1987",)),
    "function word": (inserted("whereas"), ("whereas",)),
    "phrase": (inserted("as of today"), ("today", "as of", "of today")),
    "closing phrase": (lambda text, _: f"{text} sent from my phone", ("phone", "sent")),
    "first word": (lambda text, _: f"well , {text}", ("well",)),
    "closing sign": (lambda text, _: f"{text.rstrip(' .')} ~", ("sign ~", "ends with ~")),
    "closing semicolon": (lambda text, _: f"{text.rstrip(' .')} ;", ("sign ;", "ends with ;")),
    "mark-up": (inserted("<br />"), ("br", "<br", "sign <", "sign />", "mark-up", "sign >")),
    "address": (
        lambda text, _: f"{text} http://example.com/x",
        ("http", "example.com", "http://example.com", "a link", "sign ://", "x"),
    ),
    "capital": (lambda text, _: text[:1].upper() + text[1:], ("a capital first",)),
    "signature": (lambda text, _: f"{text} -- agent : marta", ("marta", "agent", "sign --")),
    "replaced word": (replaced, ("blorf",)),
    "noun made a name": (named, ("marta",)),
    "noise": (noise, NOISE),
}
"""Kind → how it is planted, and the features that name it."""


def main() -> None:
    """Print the figures of one part."""
    typed = arguments(
        __doc__,
        argument("part", choices=["plants", "foreign", "shuffled", "real", "cost", "fixed"]),
        argument("--sets", nargs="*", default=[], help="only these"),
        argument("--kinds", nargs="*", default=[], help="only these kinds of plant"),
    )
    parts: dict[str, Callable[[], Iterator[dict[str, object]]]] = {
        "plants": lambda: plant_lines(typed.sets, typed.kinds),
        "foreign": lambda: foreign_lines(typed.sets, typed.kinds),
        "shuffled": shuffled_lines,
        "real": lambda: real_lines(typed.sets),
        "cost": cost_lines,
        "fixed": lambda: fixed_lines(typed.sets),
    }
    for line in parts[typed.part]():
        print_line({"benchmark": "planted_cues", **line})


def plant_lines(sets: Sequence[str], kinds: Sequence[str]) -> Iterator[dict[str, object]]:
    """One line a set, and one for all."""
    all_counts = [0, 0, 0]
    for name, path in {**SHORT, **LONG}.items():
        if sets and name not in sets:
            continue
        most = LONG_ROWS if name in LONG else ROWS
        rows = balanced(read(path, most)) if name in LONG else read(path, most)
        counts, missed, others = [0, 0, 0], [], 0
        for kind in kinds or PLANTS:
            for share, purity in WAYS:
                findings = find_shortcuts(planted(rows, kind, share, purity))
                label = label_of(rows, kind, share)
                found = is_named(kind, label, findings.cues)
                hit = is_named(kind, label, findings.shortcuts)
                counts = [counts[0] + 1, counts[1] + found, counts[2] + hit]
                others += other_shortcuts(kind, findings)
                if not hit:
                    missed.append(f"{kind}, {share:.0%}")
        yield result(name, counts, missed, others)
        all_counts = [total + count for total, count in zip(all_counts, counts, strict=True)]
    yield result("all", all_counts, [], 0)


def foreign_lines(sets: Sequence[str], kinds: Sequence[str]) -> Iterator[dict[str, object]]:
    """One line a set of short texts, and one for all; each kind is planted in both ways."""
    all_counts = [0, 0, 0]
    for name, path in SHORT.items():
        if sets and name not in sets:
            continue
        rows = read(path, FOREIGN_ROWS)
        own = {cue_key(cue) for cue in find_shortcuts(rows).shortcuts}
        counts, missed, others = [0, 0, 0], [], 0
        for kind in kinds or FOREIGN:
            for way in WAYS:
                numbers, changed = planted_by(foreign(kind), rows, kind, way)
                findings = find_shortcuts(changed)
                label = label_of(rows, kind, way[0])
                found = covers(findings.cues, label, numbers, changed)
                hit = covers(findings.shortcuts, label, numbers, changed)
                counts = [counts[0] + 1, counts[1] + found, counts[2] + hit]
                others += sum(
                    cue_key(cue) not in own and not is_of_rows(cue, numbers, changed)
                    for cue in findings.shortcuts
                )
                if not hit:
                    missed.append(f"{kind}, {way[0]:.0%}")
        yield result(name, counts, missed, others)
        all_counts = [total + count for total, count in zip(all_counts, counts, strict=True)]
    yield result("all", all_counts, [], 0)


def foreign(kind: str) -> Plant:
    """Plant a foreign cue; a text without a place for it stays as it is.

    ``subword_joins`` fails where no word of a text has four letters.
    """

    def plant(text: str, draw: random.Random) -> str:
        try:
            return FOREIGN[kind](text, draw)
        except ValueError:
            return text

    return plant


def cue_key(cue: Cue) -> tuple[str, str]:
    """Name a cue in two versions of a dataset."""
    return cue.feature.name, cue.label


def is_of_rows(cue: Cue, numbers: set[int], rows: Sequence[Example]) -> bool:
    """Whether at least half of the texts with a cue are some rows."""
    held = rows_with(cue, rows)
    return 2 * len(numbers.intersection(held)) >= len(held)


def covers(cues: Sequence[Cue], label: str, numbers: set[int], rows: Sequence[Example]) -> bool:
    """Whether cues of a label that are of some rows are in at least half of these."""
    of_rows = [cue for cue in cues if cue.label == label and is_of_rows(cue, numbers, rows)]
    held = {number for cue in of_rows for number in rows_with(cue, rows)}
    return 2 * len(held & numbers) >= len(numbers)


def result(name: str, counts: Sequence[int], missed: list[str], others: int) -> dict[str, object]:
    """The line of a set."""
    plants, found, hits = counts
    share = round(100 * hits / max(plants, 1), 1)
    figures = {"plants": plants, "found": found, "named": hits, "%": share}
    return {"set": name, **figures, "others": others, "missed": ", ".join(missed)}


def shuffled_lines() -> Iterator[dict[str, object]]:
    """Ten shuffles of four sets; the number with any cue."""
    total = 0
    sets = {**SHORT, **PAIRS}
    for name in ("SST-2", "Yelp sentences", "SNLI", "Subj"):
        rows = read(sets[name], ROWS)
        alarms = 0
        for seed in range(10):
            labels = [row.label for row in rows]
            random.Random(seed).shuffle(labels)
            dealt = [replace(row, label=label) for row, label in zip(rows, labels, strict=True)]
            findings = find_shortcuts(dealt)
            alarms += bool(findings.cues)
        total += alarms
        yield {"set": name, "shuffles": 10, "alarms": alarms}
    yield {"set": "all", "shuffles": 40, "alarms": total}


def real_lines(sets: Sequence[str]) -> Iterator[dict[str, object]]:
    """What is named in public sets as they are."""
    for name, path in {**SHORT, **LONG, **OTHERS, **PAIRS}.items():
        if sets and name not in sets:
            continue
        rows = read(path, 20_000)
        findings = find_shortcuts(rows)
        names = [cue.feature.name for cue in findings.shortcuts]
        alone = [f"{field.field} {field.accuracy:.1%}" for field in findings.fields]
        yield {
            "set": name,
            "rows": len(rows),
            "task": findings.task,
            "shortcuts": len(names),
            "named": ", ".join(names[:20]),
            "alone": ", ".join(alone),
            "words of the task": len(findings.task_words),
        }


def cost_lines() -> Iterator[dict[str, object]]:
    """CPU-seconds of 20,000 rows."""
    find_shortcuts(read(SHORT["SST-2"], 500))  # reads the lexicons
    for name, path in COSTS.items():
        rows = read(path, 20_000)
        start = time.process_time()
        findings = find_shortcuts(rows)
        seconds = time.process_time() - start
        cues = len(findings.cues)
        yield {"set": name, "rows": len(rows), "cues": cues, "CPU-seconds": round(seconds, 1)}


def fixed_lines(sets: Sequence[str]) -> Iterator[dict[str, object]]:
    """What fix makes of ten plants, and another classifier of the result."""
    for name, plants in FIXED.items():
        if sets and name not in sets:
            continue
        most = FIX_LONG_ROWS if name == "IMDb" else FIX_ROWS
        rows = twelve_labels() if name == TWELVE else read(FIXED_FILES[name], most + TESTED)
        tested = rows[:TESTED]
        for kind, share, purity in plants:
            yield {"set": name, "plant": kind, **fixed(rows[TESTED:], tested, kind, share, purity)}


def fixed(
    rows: Sequence[Example], tested: Sequence[Example], kind: str, share: float, purity: float
) -> dict[str, object]:
    """Plant a cue, fix it, and put it on other rows."""
    import pandas as pd

    from augkit.commands.fix.mark_kind import fix_marks, mark_cues
    from augkit.commands.fix.run import find_in, plan_work
    from augkit.commands.fix.settings import FixSettings

    with_cue = planted(rows, kind, share, purity)
    frame = pd.DataFrame({"text": [text_of(r) for r in with_cue], "label": labels_of(with_cue)})
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        settings = FixSettings(data="planted", out=Path(folder))
        work = plan_work(find_in(settings, frame))
        cues = mark_cues(work)
        after = work.examples
        end = "nothing to fix"
        if cues:
            after, ending = fix_marks(work, cues)
            end = ending.verdict
    seconds = time.process_time() - start
    label = label_of(rows, kind, share)
    scores = [put_on(part, tested, kind, label) for part in (with_cue, after)]
    shown = {name: f"{scores[0][name]} → {scores[1][name]}" for name in scores[0]}
    return {
        "labels": len(set(labels_of(rows))),
        "rows": len(rows),
        "with it": round(share * len(rows)),
        "taken out": ", ".join(cue.feature.name for cue in cues[:3]),
        "end": end,
        **shown,
        "apart": round(scores[1]["right way"] - scores[1]["wrong way"], 1),
        "CPU-seconds": round(seconds, 1),
    }


def put_on(
    train: Sequence[Example], tested: Sequence[Example], kind: str, label: str
) -> dict[str, float]:
    """Balanced accuracy of a classifier of letters, with the plant put on tested rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True, min_df=2)
    model = make_pipeline(letters, LinearSVC(C=0.3, class_weight="balanced"))
    model.fit([text_of(row) for row in train], labels_of(train))
    plant, _ = PLANTS[kind]
    draw = random.Random("tested")
    tests: dict[str, list[str]] = {"ordinary": [], "right way": [], "wrong way": []}
    for row in tested:
        text = text_of(row)
        with_it = plant(text, draw)
        tests["ordinary"].append(text)
        tests["right way"].append(with_it if row.label == label else text)
        tests["wrong way"].append(text if row.label == label else with_it)
    truth = labels_of(tested)
    scores = {
        name: balanced_accuracy_score(truth, model.predict(texts)) for name, texts in tests.items()
    }
    return {name: round(100 * score, 1) for name, score in scores.items()}


def text_of(row: Example) -> str:
    """The text of a row that has one."""
    return row.fields["text"]


def labels_of(rows: Sequence[Example]) -> list[str]:
    """The labels of rows."""
    return [str(row.label) for row in rows]


def twelve_labels() -> list[Example]:
    """Yelp reviews of six categories, liked or not; at most so many of each."""
    file = Path(os.environ["AUGKIT_DATA"]) / "yelp/reviews.jsonl.gz"
    records = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    random.Random(0).shuffle(records)
    sizes = Counter(record["category"] for record in records)
    kept = {category for category, _ in sizes.most_common(6)}
    left: Counter[str] = Counter()
    rows = []
    for record in records:
        label = f"{record['category']}, {record['label']}"
        left[label] += 1
        if record["category"] in kept and left[label] <= MOST_OF_TWELVE:
            rows.append(example({"text": record["text"]}, label))
    # The most frequent labels are full before the others.
    random.Random(1).shuffle(rows)
    return rows


def read(path: str, most: int) -> list[Example]:
    """Read the labelled rows of a file, or so many of them, drawn at random."""
    file = Path(os.environ["AUGKIT_DATA"]) / path
    content = file.read_bytes()
    text = gzip.decompress(content) if file.suffix == ".gz" else content
    rows = [json.loads(line) for line in text.decode("utf-8").split("\n") if line]
    rows = [row for row in rows if "label" in row]
    random.Random(0).shuffle(rows)
    fields = [name for name in ("text", "text_a", "text_b") if isinstance(rows[0].get(name), str)]
    return [example({name: row[name] for name in fields}, str(row["label"])) for row in rows[:most]]


def balanced(rows: Sequence[Example]) -> list[Example]:
    """Keep as many rows of each label as the rarest has.

    Three of four Yelp reviews are positive: no cue in 40 of these can be told from chance.
    """
    counts = Counter(row.label for row in rows)
    left = dict.fromkeys(counts, min(counts.values()))
    kept = []
    for row in rows:
        if left[row.label]:
            left[row.label] -= 1
            kept.append(row)
    return kept


def label_of(rows: Sequence[Example], kind: str, share: float) -> str:
    """Choose the label that a plant goes with, by its name."""
    labels = sorted({str(row.label) for row in rows})
    return random.Random(f"{kind} {share}").choice(labels)


def planted(rows: Sequence[Example], kind: str, share: float, purity: float) -> list[Example]:
    """Plant a cue of one kind into a share of the rows."""
    plant, _ = PLANTS[kind]
    # Each of the three words is drawn, so that some more rows give each of them the least number.
    least = 4 * LEAST if kind == "noise" else LEAST
    return planted_by(plant, rows, kind, (share, purity), least)[1]


def planted_by(
    plant: Plant,
    rows: Sequence[Example],
    kind: str,
    way: tuple[float, float],
    least: int = LEAST,
) -> tuple[set[int], list[Example]]:
    """Plant a cue in one of the ways into rows that its name draws, and say into which."""
    share, purity = way
    draw = random.Random(f"{kind} {share} {purity}")
    label = label_of(rows, kind, share)
    count = max(least, round(share * len(rows)))
    of_label = round(purity * count)
    inside = [number for number, row in enumerate(rows) if row.label == label]
    outside = [number for number, row in enumerate(rows) if row.label != label]
    chosen = [*draw.sample(inside, of_label), *draw.sample(outside, count - of_label)]
    changed = list(rows)
    for number in chosen:
        row = rows[number]
        fields = {name: plant(text, draw) for name, text in row.fields.items()}
        changed[number] = replace(row, fields=fields)
    return set(chosen), changed


def is_named(kind: str, label: str, cues: Sequence[Cue]) -> bool:
    """Whether cues of the label have what was planted; of the noise, two of three words."""
    features = {name for cue in cues if cue.label == label for name in names_of(cue)}
    hits = features.intersection(PLANTS[kind][1])
    return len(hits) >= (2 if kind == "noise" else 1)


def other_shortcuts(kind: str, findings: Findings) -> int:
    """How many shortcuts have nothing of what was planted."""
    marks = set(PLANTS[kind][1])
    return sum(marks.isdisjoint(names_of(cue)) for cue in findings.shortcuts)


def names_of(cue: Cue) -> set[str]:
    """The names of its features, and the words of its phrase."""
    words = {word for feature in cue.features for word in feature.words}
    return {*words, *cue.phrase, *(feature.name for feature in cue.features)}


if __name__ == "__main__":
    main()
