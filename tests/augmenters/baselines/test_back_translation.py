"""Back-translation: there and back, by local models or a language model."""

import json
import re

import pytest

from augkit.augmenters.baselines.back_translation import rejoin, sentence_spans
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.llm.scripted import Scripted
from augkit.models.language_models.seq2seq import Generation

FILM = example("A fine film. We laughed!", "positive")


def translating(request):
    """A model whose German is in capitals, and whose English comes back with other words."""
    shown = request.messages[-1].content
    _, target, text = re.findall(r"<(?:data[-\d]*)>(.*?)</", shown, re.DOTALL)
    german = target == "German"
    return json.dumps({"text": text.upper() if german else f"Back: {text.lower()}"})


def test_a_language_model_is_asked_twice_and_sees_the_original_once():
    """The second call has the translation alone; both are paid for, the label is kept."""
    asked = []

    def watching(request):
        asked.append(request.messages[-1].content)
        return translating(request)

    (pair,) = create("back-translation", Tools(llm=Scripted(watching)))([FILM])
    assert pair.variant.fields["text"] == "Back: a fine film. we laughed!"
    assert (pair.variant.label, pair.provenance.contract) == ("positive", "kept")
    assert pair.provenance.cost.calls == 2
    assert FILM.fields["text"] in asked[0]
    assert FILM.fields["text"] not in asked[1]
    assert FILM.fields["text"].upper() in asked[1]


@pytest.mark.parametrize(
    ("answers", "reason", "calls"),
    [
        (["A fine film, we really laughed!"], "not in German", 1),
        ([""], "not in German", 1),
        (["Ein guter Film, wir lachten!", "Ein guter Film, wir lachten."], "not in English", 2),
    ],
)
def test_a_text_that_stays_in_its_language_is_rejected(answers, reason, calls):
    """After the first call already, so that the second is not paid for nothing."""
    llm = Scripted([json.dumps({"text": answer}) for answer in answers])
    (rejection,) = create("back-translation", Tools(llm=llm)).outcomes([FILM])
    assert rejection.reason == "not translated"
    assert rejection.detail.startswith(reason)
    assert rejection.cost.calls == calls


def test_without_any_model_it_says_what_it_needs():
    with pytest.raises(ConfigError, match="give both 'forward' and 'backward'"):
        create("back-translation", forward="folder")


class Words:
    """A stand-in for a loaded translation model: a dictionary, and a fault for what it lacks."""

    def __init__(self, table):
        self.table = table

    def write(self, texts, beams, batch_size):
        return [
            Generation(self.table[t]) if t in self.table else Generation("", "cut") for t in texts
        ]


def test_local_models_translate_sentence_by_sentence():
    """What stands between the sentences stays; further copies are not made up."""
    step = create("back-translation", forward="to", backward="from", copies=3)
    step.__dict__["_models"] = (
        Words({"A fine film.": "Ein guter Film.", "We laughed!": "Wir lachten!"}),
        Words({"Ein guter Film.": "A good film.", "Wir lachten!": "We were laughing!"}),
    )
    (pair,) = step.outcomes([FILM])
    assert pair.variant.fields["text"] == "A good film. We were laughing!"


def test_a_sentence_that_cannot_be_translated_refuses_the_text():
    step = create("back-translation", forward="to", backward="from")
    step.__dict__["_models"] = (Words({}), Words({}))
    (rejection,) = step.outcomes([FILM])
    assert (rejection.reason, rejection.detail) == ("not translated", "cut")


@pytest.mark.slow
def test_real_models_from_folders(tiny_model):
    """Two saved sequence-to-sequence models are loaded and write; these know no language."""
    step = create("back-translation", forward=str(tiny_model), backward=str(tiny_model), beams=1)
    outcomes = list(step.outcomes([FILM, example("Fine.", "positive")]))
    assert len(outcomes) == 2
    assert outcomes == list(step.outcomes([FILM, example("Fine.", "positive")]))


def test_sentences_and_what_stands_between_them():
    """Cut apart and joined again, a text is itself."""
    for text in ["It rains.  We stay.", "One\n\nTwo", "?!", "Mr. Fox ran. He fell."]:
        spans = sentence_spans(text)
        assert rejoin(text, spans, [text[a:b] for a, b in spans]) == text
