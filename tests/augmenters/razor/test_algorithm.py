"""``preset: paper`` against Algorithm 1 written plainly, with a scripted model."""

import json
import math
import re
from collections import Counter

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.razor.config import PRESETS
from augkit.core.errors import ConfigError
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.llm.scripted import Scripted
from augkit.testing import label_letter

WORDS = "the a film book not is was good long about in of new".split()
TOP, CANDIDATES, DIMENSIONS = 3, 2, 8


def documents(rows, seed):
    """Texts of a few words, each with a name of its own, and their labels."""
    texts = []
    for number in range(rows):
        length = 4 + (number * 7 + seed) % 4
        words = [WORDS[(number * 5 + place * (3 + seed)) % len(WORDS)] for place in range(length)]
        if number % 2:
            words[1] = "not"
        texts.append(f"{' '.join(words)} doc{number}".capitalize())
    return texts, [("no", "yes")[number % 2] for number in range(rows)]


def written(text, time):
    """What the model writes when it is asked for the ``time``-th rewrite of a text."""
    *words, name = text.lower().split()
    place = 1 + time % (len(words) - 1)
    turned = [*words[place:], *words[:place]]
    return f"{' '.join(turned[: 3 + (time + len(words)) % 4])} w{time % 5} {name}".capitalize()


def is_verified(text):
    """Whether the verifier finds the label in a text: Eq. 13."""
    return sum(map(ord, text)) % 4 > 0


class Model:
    """Writes and verifies; it counts how often it was asked to rewrite a text."""

    def __init__(self, texts, labels):
        names = [text.split()[-1] for text in texts]
        self.labels, self.asked = dict(zip(names, labels, strict=True)), Counter()

    def __call__(self, request):
        text = re.findall(r"<data>(.*?)</data>", request.messages[-1].content)[-1]
        if request.choices:
            label = self.labels[text.split()[-1]]
            other = {"no": "yes", "yes": "no"}[label]
            return label_letter(request, label if is_verified(text) else other)
        self.asked[text] += 1
        return json.dumps({"texts": [written(text, self.asked[text])]})


def features(words, corpus):
    """Eq. 7-10 for a document, with the document frequencies of a corpus."""
    total = [0.0] * DIMENSIONS
    for position, word in enumerate(words, start=1):
        holders = max(sum(word in document for document in corpus), 1)
        weight = words.count(word) / len(words) * math.log(len(corpus) / holders)
        for k in range(DIMENSIONS):
            wave = math.cos if k % 2 else math.sin
            total[k] += weight * wave(position / 10000 ** (2 * k / DIMENSIONS))
    return [value / (len(words) - 1) for value in total]


def cosine(first, second):
    lengths = math.hypot(*first) * math.hypot(*second)
    return sum(a * b for a, b in zip(first, second, strict=True)) / lengths


def gamma(vector, label, vectors, labels):
    """Eq. 11-12."""
    others = [v for v, name in zip(vectors, labels, strict=True) if name != label]
    return 1 - sum(cosine(vector, other) for other in others) / len(others)


def similarity(vectors, labels):
    """Eq. 14: the sum of cosines over all pairs with different labels."""
    pairs = zip(vectors, labels, strict=True)
    positive = [vector for vector, name in pairs if name == "yes"]
    negative = [v for v, name in zip(vectors, labels, strict=True) if name == "no"]
    return sum(cosine(v, w) for v in positive for w in negative)


def algorithm_1(texts, labels, rounds):
    """Line by line; the texts after it, and how many rounds there were."""
    texts, asked, number = list(texts), Counter(), 0
    while number < rounds:
        number += 1
        corpus = [text.lower().split() for text in texts]
        vectors = [features(words, corpus) for words in corpus]
        before = similarity(vectors, labels)
        scores = [gamma(v, y, vectors, labels) for v, y in zip(vectors, labels, strict=True)]
        order = sorted(range(len(texts)), key=lambda i: (-scores[i], i))
        replaced = list(texts)
        for i in order[:TOP]:
            candidates = []
            for _ in range(CANDIDATES):
                asked[texts[i]] += 1
                candidates.append(written(texts[i], asked[texts[i]]))
            verified = [text for text in candidates if is_verified(text)]
            if verified:
                replaced[i] = min(
                    verified,
                    key=lambda text: gamma(
                        features(text.lower().split(), corpus), labels[i], vectors, labels
                    ),
                )
        texts = replaced
        corpus = [text.lower().split() for text in texts]
        if similarity([features(words, corpus) for words in corpus], labels) <= before:
            break
    return texts, number


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_preset_is_algorithm_1(seed):
    """Score, rows of the whole dataset, candidates one by one, verifier, least score, stop."""
    texts, labels = documents(14, seed)
    rows = [example(text, label) for text, label in zip(texts, labels, strict=True)]
    model = Model(texts, labels)
    settings = {"preset": "paper", "top": TOP, "candidates": CANDIDATES, "rounds": 9}
    step = create("razor", Tools(llm=Scripted(model)), **settings).fit(rows)
    new = {
        outcome.original.id: outcome.variant.fields["text"]
        for outcome in step.outcomes(rows)
        if isinstance(outcome, Pair)
    }
    expected, rounds = algorithm_1(texts, labels, 9)
    assert [new.get(row.id, row.fields["text"]) for row in rows] == expected
    assert step.run_info["trajectory"][-1]["round"] == rounds
    assert expected != texts


def test_the_settings_of_the_preset_give_way_to_those_that_are_given():
    """``preset`` is short for its settings, and names no others."""
    config = create("razor", preset="paper", score="token", ceiling=3.0).config
    assert (config.score, config.ceiling, config.loop) == ("token", 3.0, "paper")
    spelled_out = create("razor", **PRESETS["paper"]).config
    assert create("razor", preset="paper").config.digest() == spelled_out.digest()
    for wrong in ({"preset": "arxiv"}, {"keeps": "words"}, {"avoid": "all"}, {"loop": "twice"}):
        with pytest.raises(ConfigError, match=next(iter(wrong))):
            create("razor", **wrong)


def test_the_rows_of_the_dataset_or_of_each_label():
    """``top`` rows in all, or of each label, those with the highest scores first."""
    texts, labels = documents(14, 1)
    rows = [example(text, label) for text, label in zip(texts, labels, strict=True)]
    asked = {}
    for top_of in ("dataset", "label"):
        model = Model(texts, labels)
        settings = {"score": "paper", "top": TOP, "top_of": top_of, "rounds": 1, "candidates": 1}
        step = create("razor", Tools(llm=Scripted(model)), **settings).fit(rows)
        list(step.outcomes(rows))
        asked[top_of] = list(model.asked)
    by_label = [[model.labels[text.split()[-1]] for text in chosen] for chosen in asked.values()]
    assert len(asked["dataset"]) == TOP
    assert Counter(by_label[1]) == {"no": TOP, "yes": TOP}
    assert asked["dataset"][0] == asked["label"][0]


def test_each_candidate_is_an_answer_of_its_own():
    """``requests: separate``: one text each, by seeds of their own; a fault costs one candidate."""
    asked = []

    def answer(request):
        asked.append(request)
        if request.choices:
            return label_letter(request, "yes")
        if len(asked) == 2:
            return Reply(fault="timeout")
        return json.dumps({"texts": [f"A new text {len(asked)}"]})

    rows = [example("An old text", "yes"), example("Another one", "no")]
    settings = {"requests": "separate", "candidates": 3, "rounds": 1}
    step = create("razor", Tools(llm=Scripted(answer)), **settings).fit(rows)
    (outcome,) = step.outcomes(rows[:1])
    written_now = [request for request in asked if not request.choices]
    assert len({request.seed for request in written_now}) == len(written_now) == 3
    assert all("New texts: <data>1</data>" in r.messages[-1].content for r in written_now)
    assert outcome.variant.fields["text"] in {"A new text 1", "A new text 3"}
    assert outcome.provenance.cost.calls == len(asked) - 1  # the fault cost nothing
