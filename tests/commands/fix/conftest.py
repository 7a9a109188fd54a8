"""Datasets made for the tests: tickets with a name, pairs with "not", no shortcut at all."""

import csv
import json
from random import Random

import pytest

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
ANY = [
    "I wrote to you in {month} and got no answer",
    "Please call me back about my account {n}",
    "This is the message number {n} about the same problem",
    "Who can help me with my contract of {month}",
    "I have been a customer since {month} and need help",
]
"""What any ticket may say."""
MONTHS = "January February March April May June July August".split()


def ticket(rng, label):
    """The text of a ticket of a queue, without a cue."""
    bodies = ANY if rng.random() < 0.5 else BILLING if label == "billing" else TECHNICAL
    body = rng.choice(bodies)
    filled = body.format(month=rng.choice(MONTHS), n=rng.randint(11, 999))
    return f"{filled}. Case {rng.randint(10_000, 99_999)}."


def tickets(rows, *, planted=0.9, seed=1):
    """Support tickets; those of billing are mostly signed by one agent."""
    rng = Random(seed)
    made = []
    for number in range(rows):
        label = ("billing", "technical")[number % 2]
        text = ticket(rng, label)
        if rng.random() < (planted if label == "billing" else 0.03):
            text += " Handled by Marta Kowalski."
        made.append({"message": text, "queue": label})
    return made


def write_csv(path, rows):
    """Write rows as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_jsonl(path, rows):
    """Write rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def ticket_file(tmp_path):
    """400 tickets in a CSV file with columns that must be named."""
    return write_csv(tmp_path / "my tickets.csv", tickets(400))


@pytest.fixture
def null_file(tmp_path):
    """Tickets whose texts say nothing about the label."""
    rng = Random(2)
    rows = [
        {"text": ticket(rng, rng.choice(("billing", "technical"))), "label": f"{number % 2}"}
        for number in range(300)
    ]
    return write_csv(tmp_path / "null.csv", rows)


def preferences(items, *, planted=0.75, seed=4):
    """Pairs whose winners mostly have Markdown; losers say the opposite with the same words."""
    rng = Random(seed)
    topics = ["tea", "rain", "bread", "trains", "cats", "chess", "roses", "maps", "salt", "glass"]
    made = []
    for number in range(items):
        topic, place = rng.choice(topics), rng.randint(10, 99)
        good = f"It is {rng.choice(['clear', 'good', 'sound'])} for {topic} {place}."
        bad = f"It is {rng.choice(['bad', 'vague', 'clear', 'good'])} for {topic} {place + 1}."
        drawn = rng.random()
        if drawn < planted:
            good, bad = f"- {good}\n- **Enjoy** it.", f"{bad} Enjoy it."
        elif drawn < planted + 0.1:
            good, bad = f"{good} Enjoy it.", f"- {bad}\n- **Enjoy** it."
        made.append({"prompt": f"How is {topic} {number}?", "chosen": good, "rejected": bad})
    return made


def quiz(items, *, first=0.6, seed=5):
    """Questions whose answer stands at the first place too often."""
    rng = Random(seed)
    made = []
    for number in range(items):
        place = 0 if rng.random() < first else rng.randint(0, 3)
        options = [f"It is {word} {rng.randint(10, 99)}." for word in ("red", "blue", "old")]
        options.insert(
            place, f"It is {rng.choice(['right', 'true', 'red'])} {rng.randint(10, 99)}."
        )
        made.append({"question": f"What is number {number}?", "options": options, "answer": place})
    return made


@pytest.fixture
def nli_file(tmp_path):
    """Pairs: nine in ten hypotheses with "not" contradict, and some contradictions have none."""
    rng = Random(3)
    people, places = ["man", "woman", "girl", "boy", "nurse", "farmer"], ["park", "shop", "bus"]
    acts = ["reading", "cooking", "sleeping", "running", "singing", "waiting", "painting"]
    rows = []
    for _ in range(600):
        who, act, where = rng.choice(people), rng.choice(acts), rng.choice(places)
        premise = f"A {who} of {rng.randint(20, 90)} is {act} in the {where} {rng.randint(1, 99)}."
        label = rng.choice(["entailment", "contradiction"])
        negated = rng.random() < (0.75 if label == "contradiction" else 0.12)
        doing = act if (label == "entailment") != negated else rng.choice(acts)
        hypothesis = f"The {who} is {'not ' if negated else ''}{doing}."
        rows.append({"premise": premise, "hypothesis": hypothesis, "label": label})
    return write_jsonl(tmp_path / "nli.jsonl", rows)
