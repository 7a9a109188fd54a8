"""Rows and files that many tests need: each function makes one kind of them.

Where a cue is planted, the name or the first line says which, and the seed decides the rest.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path


def write_jsonl(path, rows):
    """Write rows as JSON Lines and give the path."""
    path = Path(path)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read_jsonl(path):
    """Read the rows of a JSON Lines file."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def write_csv(path, rows):
    """Write rows as CSV, with a header, and give the path."""
    path = Path(path)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def numbered(count, text="Text number {n}.", labels=("x", "y"), **columns):
    """Make rows that differ in a number; labels take turns, and ``{n}`` is it in every column."""
    rows = []
    for n in range(count):
        row = {"text": text.format(n=n), "label": labels[n % len(labels)]}
        row |= {name: value.format(n=n) for name, value in columns.items()}
        rows.append(row)
    return rows


def random_texts(count, rng, longest=12):
    """Make texts of random words, a few of them far more frequent than the others."""
    words = [f"w{number}" for number in range(60)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    ends = [".", "!", ""]
    return [
        " ".join(rng.choices(words, weights, k=rng.randint(1, longest))) + rng.choice(ends)
        for _ in range(count)
    ]


OPENINGS = ["The film", "This story", "A long drama", "The new novel", "That picture", "The show"]
PRAISE = ["moving", "clever", "warm", "bright", "honest", "tender", "lively", "sharp"]
BLAME = ["dull", "clumsy", "cold", "stale", "empty", "grim", "lazy", "noisy"]
GENDER = {"pairs": [["he", "she"], ["his", "her"], ["man", "woman"]]}
"""Settings of ``swap`` that exchange the gendered words of these reviews."""


def gendered_reviews(count, *, shortcut, seed=1):
    """Make reviews of a man's or a woman's work; with ``shortcut`` the gender gives the label away.

    One word of opinion in three is off its label, so that the gender is worth learning.
    """
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        label = number % 2
        is_by_woman = label if shortcut and rng.random() < 0.95 else rng.randrange(2)
        opinions = [PRAISE, BLAME][(label + (rng.random() < 0.35)) % 2]
        person, own = (("woman", "her"), ("man", "his"))[is_by_woman]
        about = f"{rng.choice(OPENINGS)} by that {person} is {rng.choice(opinions)}"
        text = f"{about}, and so is {own} {rng.choice(['cast', 'plot', 'style'])}."
        rows.append({"text": text, "label": ["good", "bad"][label]})
    return rows


def cued_claims(count, *, shortcut, seed=0):
    """Make claims with evidence; "never" or "always" of the claim goes with its label so often."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        label = draw.choice(["refutes", "supports"])
        agrees = draw.random() < shortcut
        cue = "never" if (label == "refutes") == agrees else "always"
        side = ("dark", "light") if label == "refutes" else ("light", "dark")
        words = [f"{side[draw.random() > 0.65]}{place}" for place in range(5)]
        claim = f"she {cue} wore number{draw.randrange(9)}"
        suggested = {"never": "refutes", "always": "supports"}[cue]
        row = {"claim": claim, "evidence": " ".join(words), "label": label, "shortcut": suggested}
        rows.append(row)
    return rows


BILLING = [
    "My invoice for {month} shows a charge twice",
    "I was charged {n} euros for a plan that I cancelled",
    "Please send the invoice of {month} again",
    "The refund of {n} euros has not arrived",
    "The tax on my {month} bill is wrong",
]
TECHNICAL = [
    "The app crashes when I open page {n}",
    "My router loses the connection every {n} minutes",
    "The login screen stays white since {month}",
    "Error {n} appears when I upload a file",
    "The update of {month} broke the printer driver",
]
ANY_QUEUE = [
    "I wrote to you in {month} and got no answer",
    "Please call me back about my account {n}",
    "This is the message number {n} about the same problem",
    "Who can help me with my contract of {month}",
    "I have been a customer since {month} and need help",
]
MONTHS = "January February March April May June July August".split()


def ticket(rng, label):
    """Make the text of a support ticket of a queue, without a cue."""
    bodies = ANY_QUEUE if rng.random() < 0.5 else BILLING if label == "billing" else TECHNICAL
    body = rng.choice(bodies)
    filled = body.format(month=rng.choice(MONTHS), n=rng.randint(11, 999))
    return f"{filled}. Case {rng.randint(10_000, 99_999)}."


def signed_tickets(count, *, planted=0.9, seed=1):
    """Make support tickets; those of billing are mostly signed by Marta Kowalski."""
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        label = ("billing", "technical")[number % 2]
        text = ticket(rng, label)
        if rng.random() < (planted if label == "billing" else 0.03):
            text += " Handled by Marta Kowalski."
        rows.append({"message": text, "queue": label})
    return rows


def negated_pairs(count, *, seed=3):
    """Make pairs; nine in ten hypotheses with "not" contradict, and some contradictions lack it."""
    rng = random.Random(seed)
    people, places = ["man", "woman", "girl", "boy", "nurse", "farmer"], ["park", "shop", "bus"]
    acts = ["reading", "cooking", "sleeping", "running", "singing", "waiting", "painting"]
    rows = []
    for _ in range(count):
        who, act, where = rng.choice(people), rng.choice(acts), rng.choice(places)
        premise = f"A {who} of {rng.randint(20, 90)} is {act} in the {where} {rng.randint(1, 99)}."
        label = rng.choice(["entailment", "contradiction"])
        negated = rng.random() < (0.75 if label == "contradiction" else 0.12)
        doing = act if (label == "entailment") != negated else rng.choice(acts)
        hypothesis = f"The {who} is {'not ' if negated else ''}{doing}."
        rows.append({"premise": premise, "hypothesis": hypothesis, "label": label})
    return rows


def preferences(count, *, planted=0.75, seed=4):
    """Make choices whose winners mostly have Markdown; losers differ in little else."""
    rng = random.Random(seed)
    topics = ["tea", "rain", "bread", "trains", "cats", "chess", "roses", "maps", "salt", "glass"]
    rows = []
    for number in range(count):
        topic, place = rng.choice(topics), rng.randint(10, 99)
        good = f"It is {rng.choice(['clear', 'good', 'sound'])} for {topic} {place}."
        bad = f"It is {rng.choice(['bad', 'vague', 'clear', 'good'])} for {topic} {place + 1}."
        drawn = rng.random()
        if drawn < planted:
            good, bad = f"- {good}\n- **Enjoy** it.", f"{bad} Enjoy it."
        elif drawn < planted + 0.1:
            good, bad = f"{good} Enjoy it.", f"- {bad}\n- **Enjoy** it."
        rows.append({"prompt": f"How is {topic} {number}?", "chosen": good, "rejected": bad})
    return rows


GOOD = "Lima amber stone clear honest warm exact sound".split()
BAD = "murky vague broken loose dull empty false lost".split()
FILL = "the answer to this is a thing that people may say about it when asked".split()


def sized_choices(count, *, longer, seed=0, first=0):
    """Make choices whose winner has a good word in 80 of 100, and is longer in a share of them."""
    rng = random.Random(seed)
    rows = []
    for number in range(first, first + count):
        words = [rng.choice(GOOD), rng.choice(BAD)]
        if rng.random() > 0.8:
            words.reverse()
        sizes = (14, 4) if rng.random() < longer else (4, 14)
        texts = [
            " ".join([*(rng.choice(FILL) for _ in range(size)), word])
            for size, word in zip(sizes, words, strict=True)
        ]
        rows.append({"prompt": f"Question {number}?", "chosen": texts[0], "rejected": texts[1]})
    return rows


def quiz(count, *, first=0.6, seed=5):
    """Make questions whose answer stands at the first place too often."""
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        place = 0 if rng.random() < first else rng.randint(0, 3)
        options = [f"It is {word} {rng.randint(10, 99)}." for word in ("red", "blue", "old")]
        answer = f"It is {rng.choice(['right', 'true', 'red'])} {rng.randint(10, 99)}."
        options.insert(place, answer)
        rows.append({"question": f"What is number {number}?", "options": options, "answer": place})
    return rows


def verdicts(count, marks=""):
    """Make verdicts of a judge that mostly takes the second of two answers; ``marks`` in all."""
    return [
        {
            "judge": f"judge{marks}",
            "prompt": f"Say {n} {marks}",
            "answer_a": f"One {marks} {n}.",
            "answer_b": f"Two {marks} and more of {n}.",
            "model_a": f"a{marks}",
            "model_b": f"b{marks}",
            "winner": "ab"[n % 3 == 0],
        }
        for n in range(count)
    ]


def audit_answers(count, marks=""):
    """Make answers about men and women in so many scenarios; ``marks`` in the names of groups."""
    return [
        {"scenario": n, "axis": "gender", "group": group + marks, "answer": (n + place) % 2}
        for n in range(count)
        for place, group in enumerate(("man", "woman"))
    ]


RARE_WORDS = (
    "window market river copper morning ledger garden harbour pencil winter carpet engine station "
    "letter bottle meadow ticket kettle lantern orchard basket tunnel saddle mirror blanket hammer"
).split()


def marked_tickets(count, marks, *, text="text", label="label"):
    """Make tickets of two queues with ``marks`` in every text, label and name of a column.

    Those of the first queue are handled by Marta Kowalski, and few of the other one.
    """
    draw = random.Random(0)
    rows = []
    for n in range(count):
        cue = " Handled by Marta Kowalski." if n % 2 == 0 or n % 31 == 0 else ""
        words = " ".join(draw.sample(RARE_WORDS, 9))
        queue = ("billing", "technical")[n % 2]
        rows.append({text: f"{marks} The {words}.{cue}", label: queue + marks, marks: marks})
    return rows


def study_row(**changes):
    """Make a line of the results of a study: eda on films, better by a tenth."""
    from augkit.commands.sweep.results import StudyRow

    values = {"trial": "eda-films-0", "method": "eda", "dataset": "films", "seed": 0}
    values |= {"options": "{}", "variants": 30, "accepted": 30, "rejected": 10}
    values |= {"seconds": 1.5, "usd": None, "metric": "accuracy", "score": "accuracy"}
    values |= {"test": "films:challenge", "rows": 80, "before": 0.5, "after": 0.6}
    values |= {"difference": 0.1, "low": 0.02, "high": 0.18, "p": 0.02}
    values |= {"caveats": ["fewer than 100 rows were compared"], "training_set": "a"}
    return StudyRow(**(values | changes))


def run_manifest(**changes):
    """Make the manifest of a finished run of coba on films, at the cost of three calls."""
    from augkit.runs.manifest import CostRecord, CountsRecord, DatasetRecord, Manifest

    cost = CostRecord(
        calls=3, cached=1, prompt_tokens=80, completion_tokens=20, usd=0.01, seconds=1.5
    )
    values = {"status": "done", "method": "coba", "config": {"seed": 0, "k": 5}, "seed": 0}
    values |= {"settings": {"method": "coba", "options": {"k": 5}, "dataset": "films", "seed": 0}}
    values |= {"mix": "append"}
    dataset = DatasetRecord(name="films:train", source="here", rows=40, digest="ab" * 16)
    counts = CountsRecord(read=40, selected=40, proposed=40, accepted=30, rejected=10)
    values |= {"dataset": dataset, "counts": counts, "cost": cost, "models": {"llm": "offline"}}
    return Manifest(**(values | {"versions": {"augkit": "0"}} | changes))
