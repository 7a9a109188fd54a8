"""Write the bundled preference pairs ``pairs-demo`` from the questions in ``pairs_demo.txt``.

    python scripts/data/build_pairs_demo.py

Every question has a right and a wrong answer, and its topic has facts that fit behind either. The
style of an answer is drawn apart from its content. In ``train`` the right one mostly has the facts,
the Markdown and the opening. In ``test`` every question comes three times: easy, normal and hard.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parent.parent / "augkit" / "datasets" / "demo" / "pairs-demo"
SEED = 2026
SHARES = {"easy": 0.66, "normal": 0.14, "hard": 0.20}
"""How the questions of ``train`` are divided: the right answer is fancier, alike, or plainer."""
OPENINGS = ("Sure! Here is what you need to know:\n\n", "Sure! Here is a quick answer:\n\n")
HEADINGS = ("", "", "### {topic}\n\n")
LISTS = ("- {0}\n- {1}", "1. {0}\n2. {1}", "**Good to know**\n\n- {0}\n- {1}")


@dataclass(frozen=True)
class Question:
    """A question with a right and a wrong answer; ``*`` encloses what Markdown makes bold."""

    topic: str
    number: int
    prompt: str
    right: str
    wrong: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Style:
    """How an answer looks: with two facts behind it, in Markdown, with an opening."""

    long: bool = False
    markdown: bool = False
    opening: bool = False


PLAIN = Style()
FANCY = (
    Style(long=True),
    *[Style(long=True, markdown=True)] * 2,
    Style(long=True, markdown=True, opening=True),
)
"""What the fancier of two answers looks like, one in four each."""
ALIKE = (PLAIN, Style(long=True), Style(long=True, markdown=True))


def read_questions(text: str) -> Iterator[Question]:
    """The questions of a file: a topic, its facts (``+``), then triples of ``?``, ``=``, ``!``."""
    for block in text.strip().split("\n\n"):
        topic, *lines = block.split("\n")
        facts = tuple(line[2:] for line in lines if line.startswith("+"))
        triples = [line[2:] for line in lines if not line.startswith("+")]
        for start in range(0, len(triples), 3):
            yield Question(topic, start // 3 + 1, *triples[start : start + 3], facts)


def answer(question: Question, sentence: str, style: Style, form: tuple[str, str, str]) -> str:
    """The sentence in a style. Both answers of a question have the same facts and form."""
    first = question.number % len(question.facts)
    facts = (question.facts[first], question.facts[first - 1])
    if not style.markdown:
        return " ".join([sentence.replace("*", ""), *(facts if style.long else ())])
    opening, heading, listed = form
    title = heading.format(topic=question.topic.capitalize())
    begin = opening if style.opening else ""
    return f"{begin}{title}{sentence.replace('*', '**')}\n\n{listed.format(*facts)}"


def row(question: Question, difficulty: str, draw: random.Random) -> dict[str, str]:
    """A question as a preference pair of a difficulty."""
    fancy, alike = draw.choice(FANCY), draw.choice(ALIKE)
    form = (draw.choice(OPENINGS), draw.choice(HEADINGS), draw.choice(LISTS))
    styles = {"easy": (fancy, PLAIN), "normal": (alike, alike), "hard": (PLAIN, fancy)}
    chosen, rejected = styles[difficulty]
    return {
        "prompt": question.prompt,
        "chosen": answer(question, question.right, chosen, form),
        "rejected": answer(question, question.wrong, rejected, form),
        "item": f"{question.topic.replace(' ', '-')}-{question.number}",
        "group": question.topic,
    }


def splits() -> dict[str, list[dict[str, str]]]:
    """The rows of ``train`` and ``test``; no topic is in both."""
    train, _, test = (HERE / "pairs_demo.txt").read_text("utf-8").partition("== test\n")
    draw = random.Random(SEED)
    questions = list(read_questions(train))
    draw.shuffle(questions)
    counts = [round(share * len(questions)) for share in SHARES.values()]
    difficulties = [name for name, count in zip(SHARES, counts, strict=True) for _ in range(count)]
    rows = [row(*pair, draw) for pair in zip(questions, difficulties, strict=True)]
    draw.shuffle(rows)
    return {
        "train": rows,
        "test": [
            {**row(question, difficulty, draw), "difficulty": difficulty}
            for question in read_questions(test)
            for difficulty in SHARES
        ],
    }


def main() -> None:
    """Write a file for each split."""
    TARGET.mkdir(exist_ok=True)
    for split, rows in splits().items():
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (TARGET / f"{split}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
