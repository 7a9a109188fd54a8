"""The paper's own examples: a model that answers as its tables do gives its tables' texts.

Table 9 is a pair of SNLI, Table 13 a review of IMDb; both go through all steps and checks.
"""

import json

import pytest

from augkit.augmenters.create import create
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.llm.scripted import Scripted
from augkit.testing import label_letter

PREMISE = (
    "A woman talks on a cellphone while sitting in front of blue railings that are in front of "
    "the ocean."
)
SNLI = example(
    {"premise": PREMISE, "hypothesis": "She talks to her boyfriend about plans that night."},
    "neutral",
)
SNLI_TRIPLES = [
    (1, "A woman", "is sitting", "in front of blue railings"),
    (1, "A woman", "talks on", "a cellphone"),
    (1, "the railings", "are in front of", "the ocean"),
    (2, "She", "talks to", "her boyfriend"),
    (2, "She", "talks about", "plans that night"),
]
SNLI_EDITED = {5: ("She", "is in", "a new car")}
SNLI_TEXTS = {
    "part_1": "A man is sitting in front of blue railing while talking on a cellphone, with the "
    "railing positioned in front of the ocean.",
    "part_2": "A man talks to his boyfriend while he is in a new car.",
}

REVIEW = example(
    "Penn takes the time to develop his characters, and we almost care about them. However there "
    "are some real problems with the story here, we see no real motivation for the evil brother's "
    "behavior, and the time line is screwed up. Supposedly set in 1963, the music is late "
    "60s/early 70s. The references and dialogue is 70s/80s. The potential for a powerful climax "
    "presents itself, and Penn allows it to slip away. But even with all these difficulties it is "
    "worth the watch, but not great.",
    "negative",
)
REVIEW_TRIPLES = [
    (1, "Penn", "takes time to develop", "his characters"),
    (1, "we", "almost care about", "the characters"),
    (2, "the story", "has", "some real problems"),
    (2, "we", "see no motivation for", "the evil brother's behavior"),
    (2, "the time line", "is", "screwed up"),
    (3, "the story", "is supposedly set in", "1963"),
    (3, "the music", "is", "late 60s/early 70s"),
    (4, "the references and dialogue", "are", "70s/80s"),
    (5, "the potential for a powerful climax", "presents", "itself"),
    (5, "Penn", "allows it", "to slip away"),
    (6, "it", "is worth", "the watch"),
    (6, "it", "is", "not great"),
]
REVIEW_EDITED = {
    2: ("we", "genuinely care about", "the characters"),
    3: ("the story", "has", "some interesting elements"),
    10: ("Penn", "delivers it", "effectively"),
    12: ("it", "is", "great"),
}
REVIEW_TEXT = (
    "The timeline is screwed up, and the references and dialogue are 70s/80s, even though the "
    "story is supposedly set in 1963. Despite these issues, there are some interesting elements "
    "in the story. Penn takes time to develop his characters, and the potential for a powerful "
    "climax presents itself, which Penn delivers effectively. Overall, it is great, although the "
    "music is from the late 60s/early 70s. It is definitely worth the watch, even though we see "
    "no motivation for the evil brother's behavior. Nevertheless, we genuinely care about the "
    "characters."
)


class AsInThePaper:
    """A model that answers each step with what the paper's table shows."""

    def __init__(self, triples, edited, texts, target, words=None):
        self.triples, self.edited, self.texts = triples, edited, texts
        self.target, self.words = target, words
        self.asked = []

    def __call__(self, request):
        step = request.prompt.partition("@")[0]
        self.asked.append((step, request.messages[-1].content))
        if step == "coba/decompose":
            names = ("sentence", "subject", "predicate", "object")
            return json.dumps(
                {"triples": [dict(zip(names, triple, strict=True)) for triple in self.triples]}
            )
        if step == "coba/identify":
            return json.dumps(self.words)
        if step == "coba/edit":
            names = ("subject", "predicate", "object")
            return json.dumps(
                {
                    "triples": [
                        {"id": id_, **dict(zip(names, elements, strict=True))}
                        for id_, elements in self.edited.items()
                    ]
                }
            )
        if step == "coba/reconstruct":
            return json.dumps(self.texts)
        return label_letter(request, self.target)


@pytest.fixture
def reviews():
    return [
        REVIEW,
        *(example(f"A great film {n}, worth the watch.", "positive") for n in range(6)),
        *(example(f"A poor film {n} with real problems.", "negative") for n in range(6)),
    ]


def test_table_9_a_pair_of_snli():
    """A neutral pair becomes the paper's contradiction: one triple is edited, genders swapped."""
    model = AsInThePaper(SNLI_TRIPLES, SNLI_EDITED, SNLI_TEXTS, "contradiction")
    rows = [
        SNLI,
        example({"premise": "Anna sleeps.", "hypothesis": "She sleeps."}, "entailment"),
        example({"premise": "Bob works.", "hypothesis": "He sleeps."}, "contradiction"),
    ]
    method = create("coba", Tools(llm=Scripted(model)), delete=0.0).fit(rows)
    outcomes = list(method.outcomes([SNLI]))
    pairs = [outcome for outcome in outcomes if isinstance(outcome, Pair)]
    (variant,) = [pair.variant for pair in pairs if pair.variant.label == "contradiction"]
    assert list(variant.fields.values()) == list(SNLI_TEXTS.values()), outcomes
    written_from = next(content for step, content in model.asked if step == "coba/reconstruct")
    assert '"A man"' in written_from
    assert '"a new car"' in written_from
    assert "woman" not in written_from


@pytest.mark.slow
def test_table_13_a_review_of_imdb(reviews):
    words = {
        "principal": ["almost", "problems", "slip", "great"],
        "spurious": ["screwed", "70s", "motivation"],
    }
    texts = {"part_1": REVIEW_TEXT}
    model = AsInThePaper(REVIEW_TRIPLES, REVIEW_EDITED, texts, "positive", words)
    tools = Tools(llm=Scripted(model))
    method = create("coba", tools, identify="llm", delete=0.0, judge_by="llm").fit(reviews)
    (pair,) = method.outcomes([REVIEW])
    assert isinstance(pair, Pair), pair
    assert pair.variant.fields["text"] == REVIEW_TEXT
    assert pair.variant.label == "positive"
    shown = next(content for step, content in model.asked if step == "coba/edit")
    stays, may_change = shown.split("The triples that may change:")
    assert "not great" in may_change
    assert "screwed up" in stays
