"""Each method on each kind of data: every cell of the table in ``docs/reference/data-kinds.md``."""

import json
import random
import re
from pathlib import Path

import pytest

import augkit
from augkit.core.errors import UserError
from augkit.datasets.shapes.tags import entities, token_places
from augkit.testing import label_letter

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "data-kinds.md"
ROWS = 40


def table():
    """Method, kind of data, cell and whether with a language model, of all tables of the page."""
    found = []
    offline, _, with_llm = PAGE.read_text(encoding="utf-8").partition("## With a language model")
    for page, llm in ((offline, "offline"), (with_llm, "llm")):
        for part in re.findall(r"(?:^\| method.+\|\n)(?:^\|.+\|\n)+", page, re.MULTILINE):
            head, _, *rows = [line[2:-2].split(" | ") for line in part.splitlines()]
            for row in rows:
                found += [(row[0], *cell, llm) for cell in zip(head[1:], row[1:], strict=True)]
    return found


@pytest.fixture(scope="module")
def sentences(tagged):
    """Tokens, tags and label; one label has a word of its own, as a shortcut."""
    rng = random.Random(3)
    rows = []
    for _ in range(ROWS):
        tokens, tags, label = tagged(rng)
        if label == "positive":
            tokens, tags = ["Tonight", ",", *tokens], ["O", "O", *tags]
        rows.append((tokens, tags, label))
    return rows


def first_entity(tokens, tags):
    """The text of the first entity, and where it starts and ends."""
    first, last, label = entities(tags)[0]
    places = token_places(" ".join(tokens))
    start, end = places[first][0], places[last][1]
    return {"start": start, "end": end, "label": label}, " ".join(tokens)[start:end]


def several_texts(tokens, tags):
    del tags
    return {"prompt": "Write.", "chosen": "My wife saw the film .", "rejected": " ".join(tokens)}


def chat(tokens, tags):
    del tags
    answer = {"role": "assistant", "content": "Thanks."}
    return {"messages": [{"role": "user", "content": " ".join(tokens)}, answer]}


def offsets(tokens, tags):
    return {"text": " ".join(tokens), "entities": [first_entity(tokens, tags)[0]]}


def squad(tokens, tags):
    span, text = first_entity(tokens, tags)
    answers = {"text": [text], "answer_start": [span["start"]]}
    return {"question": "Who saw the film?", "context": " ".join(tokens), "answers": answers}


def token_tags(tokens, tags):
    return {"tokens": tokens, "ner_tags": tags}


def answer(tokens, tags):
    return {"text": " ".join(tokens), "answer": first_entity(tokens, tags)[1]}


def plain(tokens, tags):
    del tags
    return {"text": " ".join(tokens)}


def about_topics(tokens, tags):
    del tags
    return {"text": " ".join(NEUTRAL.get(token, token) for token in tokens)}


def pair(tokens, tags):
    del tags
    return {"first": "My wife saw the film .", "second": " ".join(tokens)}


def claims(tokens, tags):
    """Evidence with a claim about a place: the one that it names, or another."""
    (person, _, _), (place, end, _) = sorted(entities(tags), key=lambda one: one[2] == "location")
    true = "Tonight" in tokens
    named = " ".join(tokens[place : end + 1]) if true else "Madrid"
    return {"evidence": " ".join(tokens), "claim": f"{tokens[person]} saw the film in {named} ."}


NEUTRAL = {
    **dict.fromkeys(("wonderful", "great", "delightful", "excellent"), "northern"),
    **dict.fromkeys(("terrible", "awful", "boring", "dreadful"), "acoustic"),
}
_GERMAN = {"wonderful": "wunderbar", "great": "gut", "terrible": "schlecht", "awful": "furchtbar"}


def german(tokens, tags):
    del tags
    word = next((_GERMAN[token] for token in tokens if token in _GERMAN), "langweilig")
    names = " ".join(token for token in tokens if token.istitle())
    return {"text": f"Der Film hat {names} nicht gefallen, denn er war sehr {word} und zu lang."}


RELABELLED = {
    "stars": {"positive": "45", "negative": "12"},
    "topics": {"positive": ["travel"], "negative": ["music"]},
    "codes of pairs": {"positive": "1", "negative": "0"},
    "claims": {"positive": ["SUPPORTS"], "negative": ["REFUTES"]},
}
"""Kind of data → the labels in the place of positive and negative, in turns."""

KINDS = {
    "stars": (plain, {"label_order": "1,2,3,4,5"}),
    "topics": (about_topics, {}),
    "codes of pairs": (pair, {"text_columns": ["first", "second"]}),
    "claims": (claims, {}),
    "German": (german, {}),
    "several texts": (several_texts, {}),
    "chat": (chat, {}),
    "offsets": (offsets, {"span_columns": ["entities"]}),
    "SQuAD": (squad, {"span_columns": ["answers"]}),
    "token tags": (token_tags, {"span_columns": ["ner_tags"]}),
    "answer": (answer, {"answer_columns": ["answer"]}),
}

MESSAGES = {
    *("takes rows with one text or two", "name no relation of two texts", "are not polar"),
    *("only knows English", "reads pairs of texts", "name no relation"),
}
"""Cells that are errors before the run, and no reasons of rejections."""


SYNONYMS = {
    "film": "picture", "movie": "film", "picture": "movie", "husband": "spouse", "called": "found",
    "wife": "partner", "saw": "watched", "and": "while", "sehr": "recht", "denn": "weil",
    "nicht": "kaum", "gefallen,": "behagt,", "und": "sowie", "Film": "Streifen",
}  # fmt: skip


OPPOSITES = {
    "wonderful": "dreadful", "great": "awful", "delightful": "boring", "excellent": "terrible",
    "wunderbar": "furchtbar", "gut": "schlecht", "northern": "acoustic",
}  # fmt: skip
PEOPLE = {
    "wife": "husband",
    "husband": "wife",
    "her": "his",
    "his": "her",
    "he": "she",
    "she": "he",
}
PLACES = {"London": "Madrid", "Paris": "Madrid", "York": "Madrid", "Janeiro": "Madrid"}
PLACES |= {"Madrid": "London"}
ELSEWHERE = {"Madrid", "Lisbon"}
PRAISE = {*OPPOSITES}
OPPOSITES |= {new: old for old, new in OPPOSITES.items()} | {"langweilig": "wunderbar"}


class Writer:
    """A language model that replaces words by tables, and translates into numbers and back."""

    def __init__(self, kind):
        self.kind, self.translated = kind, {}
        self.opposites = PLACES if kind == "claims" else OPPOSITES

    def __call__(self, request):
        """The answer to a prompt, by its name."""
        if request.prompt.startswith("judge/"):
            return self.judge(request)
        pieces = re.findall(
            r"<data[-\d]*>\n?(.*?)\n?</data", request.messages[-1].content, re.DOTALL
        )
        answers = getattr(self, request.prompt.split("/")[0])
        return json.dumps(answers(pieces))

    def judge(self, request):
        """The label of the word with an opposite; of a claim, whether it names another place."""
        words = re.findall(r"\w+", request.messages[-1].content)
        side = "positive" if PRAISE & {*words} else "negative"
        if self.kind == "claims":
            side = "negative" if ELSEWHERE & {*words} else "positive"
        return label_letter(request, labelled(self.kind, side, words))

    def paraphrase(self, pieces):
        """The words that change, and the text with the others."""
        words = [
            {"old": word, "new": SYNONYMS[word]} for word in pieces[-1].split() if word in SYNONYMS
        ]
        return {"words": words, "text": reworded(pieces[-1])}

    def auggpt(self, pieces):
        """As many versions as are asked for."""
        return {"versions": [self.paraphrase(pieces)] * int(pieces[0])}

    def back_translation(self, pieces):
        """There as a number, back as a paraphrase."""
        text = pieces[-1]
        if text in self.translated:
            return {"text": reworded(self.translated[text])}
        self.translated[f"Nummer {len(self.translated)}"] = text
        return {"text": f"Nummer {len(self.translated) - 1}"}

    def razor(self, pieces):
        """The text in other words, as often as it is asked for."""
        return {"texts": [reworded(pieces[-1])] * int(pieces[-2])}

    def coba(self, pieces):
        """The text with opposite words; of a pair the second text."""
        changed = [old for old in pieces[0].split() if old in self.opposites]
        changes = [{"old": old, "new": self.opposites[old]} for old in changed]
        texts = [self.flipped(text) for text in pieces[:2]]
        return {"changes": changes, "texts": [texts[0]] * 3, "text": texts[1]}

    def autocad(self, pieces):
        """Opposite words in the brackets."""
        return {name: self.flipped(name.partition(" ")[2]) for name in bracketed(pieces[-3])}

    def panda(self, pieces):
        """Another person in the brackets of this one, wherever the name or word is."""
        person = pieces[1].partition(" ")[2]
        new = PEOPLE.get(person, "Robin")
        names = bracketed(pieces[0])
        return {
            name: new if name.endswith(f" {person}") else name.partition(" ")[2] for name in names
        }

    def crossaug(self, pieces):
        """Another thing than the one in brackets."""
        (old,) = re.findall(r"\[(.+?)\]", pieces[-1])
        return {"kind": "thing", "true": old, "false": "Lisbon"}

    def flipped(self, text):
        """The text with opposite words."""
        return " ".join(self.opposites.get(word, word) for word in text.split(" "))

    def gpt3mix(self, pieces):
        """A row about something else, with the texts that are asked for."""
        names = [name.strip() for name in pieces[-1].split(",")]
        ends = ("late", "too long", "until midnight", "for hours")
        texts = [f"The concert was loud and went on {end} ." for end in ends]
        return {"subject": "a concert", **dict(zip(names, texts, strict=False))}


def bracketed(text):
    """What stands in brackets, with its number."""
    return re.findall(r"\[(\d+ .+?)\]", text)


def reworded(text):
    """The text with words of the table."""
    return " ".join(SYNONYMS.get(word, word) for word in text.split(" "))


FAST = {"classifiers": 1, "folds": 2}
LLM_SETTINGS = {"coba": {"judge_by": "llm", "calls": "one"}, "panda": {"perturber": "llm"}}
"""Method → its settings with a language model."""


def labelled(kind, label, words):
    """The label of a row of this kind; how many stars a side has, its words say."""
    labels = RELABELLED.get(kind, {label: [label]})[label]
    strong = {"wonderful", "excellent", "terrible", "boring"} & {*words}
    return labels[-1 if strong else 0]


def is_true(row):
    """Whether all that a row says of its texts is so."""
    if "answers" in row:
        found = zip(*row["answers"].values(), strict=True)
        return all(row["context"].startswith(text, start) for text, start in found)
    if "ner_tags" in row:
        return len(row["tokens"]) == len(row["ner_tags"]) and bool(entities(row["ner_tags"]))
    if "entities" in row:
        (one,) = row["entities"]
        return bool(row["text"][one["start"] : one["end"]].strip())
    if "messages" in row:
        return [message["role"] for message in row["messages"]] == ["user", "assistant"]
    return row.get("answer", "") in row.get("text", "")


@pytest.mark.parametrize(("method", "kind", "cell", "writes"), table())
def test_the_cell_is_so(  # noqa: PLR0917 - the cell and fixtures
    tmp_path, monkeypatch, sentences, method, kind, cell, writes
):
    """It works, with all columns true; or the message or reason is the one that is shown."""
    make, settings = KINDS[kind]
    if method not in {"coba", "autocad"}:
        settings = {key: value for key, value in settings.items() if key != "label_order"}
    rows = [
        make(tokens, tags) | {"label": labelled(kind, label, tokens)}
        for tokens, tags, label in sentences[: 16 if writes == "llm" else ROWS]
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    given = {"dataset": path, "method": method, "out": tmp_path / "out", "workers": 1, **settings}
    given["limit"] = 10 if method == "panda" else None  # it is slow, and fits nothing
    if writes == "llm":
        writer = Writer(kind)
        monkeypatch.setattr("augkit.llm.scripted._matching", lambda _: writer)
        given |= {"llm": f"scripted:{path}", "limit": 6, "judge": {"by": "none"}}
        one_text = method == "coba" and kind not in {"SQuAD", "codes of pairs", "claims"}
        given["options"] = LLM_SETTINGS.get(method, {}) | (FAST if one_text else {})
    if cell.strip("`") in MESSAGES:
        with pytest.raises(UserError, match=cell.strip("`")):
            augkit.augment_dataset(**given)
        return
    out = augkit.augment_dataset(**given)
    lines = (out / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    made = [json.loads(line) for line in lines]
    variants = [row for row in made if row["augkit_origin"] == "variant"]
    reasons = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["rejected_by_reason"]
    if cell == "works":
        assert variants, reasons
        assert all(map(is_true, made))
    else:
        assert not variants
        assert cell.strip("`") in reasons


def test_every_kind_is_in_the_table():
    """And every cell has its data."""
    assert {kind for _, kind, *_ in table()} == set(KINDS)
