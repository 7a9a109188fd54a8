"""LIME, integrated gradients and Shapley values, held against models whose answer is known.

All that needs captum, lime or shap stands here: the last compiles for seconds in every process.
"""

import builtins
import types
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augkit.attribution.ensemble import Voting, explainer, important_words, vote_words
from augkit.attribution.explanation import by_word
from augkit.attribution.integrated_gradients import explain_integrated_gradients
from augkit.attribution.lime import explain_lime
from augkit.attribution.linear import explain_linear
from augkit.attribution.shapley import explain_shapley
from augkit.core.errors import ConfigError, DataError, MissingExtra, UnknownName
from augkit.core.types import example
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.settings import LinearConfig, TransformersConfig
from augkit.models.classifiers.transformers_classifier import TransformersClassifier

pytestmark = pytest.mark.slow
"""The libraries alone take seconds to import."""

torch = pytest.importorskip("torch")
if absent := [name for name in ("captum", "lime", "shap") if find_spec(name) is None]:
    pytest.skip(f"needs {', '.join(absent)}", allow_module_level=True)

TEXT = "The warm film was bright, clever and well-made!"
LONG = "warm bright dull film the was clever stale grim tender clumsy the film"


class LinearInEmbeddings(torch.nn.Module):
    """Logits that are a sum over tokens of W·e, so that every token's part is known."""

    def __init__(self, size, padding):
        super().__init__()
        generator = torch.Generator().manual_seed(3)
        self.table = torch.nn.Embedding(size, 6)
        self.table.weight.data = torch.randn(size, 6, generator=generator) / 3
        self.head = torch.randn(6, 3, generator=generator) / 3
        self.padding = padding
        self.device = torch.device("cpu")

    def get_input_embeddings(self):
        return self.table

    def forward(self, input_ids, attention_mask, token_type_ids=None):
        there = attention_mask[..., None].float()
        return types.SimpleNamespace(logits=(self.table(input_ids) * there).sum(1) @ self.head)

    def part(self, token, label):
        """What a token adds to the score of a label, less the mean over all labels."""
        logits = self.table.weight[token].detach() @ self.head
        return float(logits[label] - logits.mean())


@pytest.fixture(scope="module", autouse=True)
def _interpreted():
    """Shap's functions as Python: compiling them takes longer than these small models."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")  # read when shap is first loaded
        yield


@pytest.fixture(scope="module")
def known(tiny_bert):
    """A classifier of one text that is linear in its embeddings."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny_bert)
    model = LinearInEmbeddings(len(tokenizer), tokenizer.pad_token_id)
    config = TransformersConfig(model=str(tiny_bert))
    return TransformersClassifier(config, ("a", "b", "c"), ("text",), model, tokenizer, 64)


def parts(known, text, label, blank=False):
    """Each word's part, by hand; less that of the padding sign where that takes its place."""
    tokenizer, model = known.tokenizer, known.model
    found = {}
    for word in ["the", "warm", "film", "was", "bright", "clever", "and", "well-made", "dull",
                 "stale", "grim", "tender", "clumsy"]:  # fmt: skip
        ids = tokenizer(word, add_special_tokens=False)["input_ids"]
        each = [
            model.part(token, label) - blank * model.part(model.padding, label) for token in ids
        ]
        count = sum(one == word for one in text.lower().replace(",", " ").replace("!", "").split())
        if count:
            found[word] = count * sum(each)
    return found


@pytest.mark.slow
def test_lime_finds_a_linear_model(known):
    """The local fit is the model itself, and says that it misses nothing."""
    (found,) = explain_lime(known, [example(TEXT)], ["b"])
    assert by_word(found) == pytest.approx(parts(known, TEXT, 1), abs=1e-3)
    assert found.measure == "unexplained share"
    assert found.error < 1e-4


@pytest.mark.slow
def test_shapley_values_of_a_linear_model(known):
    """Enumerated for few words and drawn for many, they are the parts of the words."""
    few, many = explain_shapley(known, [example(TEXT), example(LONG)], ["c", "a"])
    assert by_word(few) == pytest.approx(parts(known, TEXT, 2), abs=1e-5)
    assert (few.error, few.measure) == (0.0, "exact")
    assert by_word(many) == pytest.approx(parts(known, LONG, 0), abs=1e-5)
    assert many.measure == "standard error"
    assert many.error < 1e-5


@pytest.mark.slow
def test_integrated_gradients_of_a_linear_model(known):
    """Sub-tokens are added up, the padding sign is what a word is held against."""
    rows = [example(TEXT), example("dull"), example("")]
    first, second, none = explain_integrated_gradients(known, rows, ["b", "a", "c"])
    assert by_word(first) == pytest.approx(parts(known, TEXT, 1, blank=True), abs=1e-5)
    assert by_word(second) == pytest.approx(parts(known, "dull", 0, blank=True), abs=1e-5)
    assert none.words == ()
    assert first.measure == "completeness gap"
    assert max(one.error for one in (first, second, none)) < 1e-5


@pytest.mark.slow
def test_integrated_gradients_by_their_length(known):
    """By "l2" a token's weight is the length of (e - e') * ∂s/∂e, taken by hand; never negative."""
    model, label = known.model, 1
    (found,) = explainer("integrated-gradients-l2")(known, [example(TEXT)], ["b"])
    gradient = model.head[:, label] - model.head.mean(dim=1)  # of s_y: the same everywhere
    table = model.table.weight.detach()
    expected = {}
    for word in {*TEXT.lower().replace(",", "").rstrip("!").split()}:
        ids = known.tokenizer(word, add_special_tokens=False)["input_ids"]
        lengths = [float(((table[n] - table[model.padding]) * gradient).norm()) for n in ids]
        expected[word] = sum(lengths)
    assert by_word(found) == pytest.approx(expected, abs=1e-5)
    assert min(expected.values()) > 0
    assert found.measure == "completeness gap"


@pytest.mark.slow
def test_more_steps_make_integrated_gradients_complete(tiny_bert):
    """On a real transformer the gap falls with the number of steps."""
    from augkit.models.classifiers.transformers_classifier import open_backbone

    with torch.random.fork_rng():
        torch.manual_seed(1)
        model, tokenizer = open_backbone(str(tiny_bert), 2)
    model.classifier.weight.data *= 40
    config = TransformersConfig(model=str(tiny_bert))
    fields = ("premise", "hypothesis")
    classifier = TransformersClassifier(config, ("no", "yes"), fields, model, tokenizer, 64)
    row = [example({"premise": TEXT, "hypothesis": "A dull film."})]
    gaps = [
        explain_integrated_gradients(classifier, row, ["yes"], steps)[0].error
        for steps in (2, 8, 64)
    ]
    assert gaps[0] > gaps[1] > gaps[2]
    (found,) = explain_integrated_gradients(classifier, row, ["yes"])
    assert [word.field for word in found.words] == ["premise"] * 8 + ["hypothesis"] * 3


@pytest.fixture(scope="module")
def counted():
    """A linear classifier of counted words, which taking words out describes exactly."""
    rows = [example(f"warm film {n}", "pos") for n in range(6)]
    rows += [example(f"dull film {n}", "neg") for n in range(6)]
    config = LinearConfig(features="counts", ngrams=1, min_df=1, strength=1.0)
    return train_linear(rows, config)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.sampled_from(["warm", "dull", "film", "unknown", "!", "warm", "Dull", "x"]), max_size=7
    ).map(" ".join)
)
def test_odd_texts_are_explained_too(counted, text):
    """Empty, one-word, repeated and unknown words: Shapley values are the exact contributions."""
    (exact,) = explain_linear(counted, [example(text)], ["pos"])
    (found,) = explain_shapley(counted, [example(text)], ["pos"])
    (near,) = explain_lime(counted, [example(text)], ["pos"], samples=60)
    assert by_word(found) == pytest.approx(by_word(exact), abs=1e-6)
    assert [word.word for word in near.words] == [word.word for word in exact.words]
    assert by_word(near) == pytest.approx(by_word(exact), abs=0.05)


@pytest.mark.slow
def test_what_is_drawn_depends_on_seed_and_text_alone(counted):
    """The same text gives the same weights whatever stands beside it; numpy's state is kept."""
    rows = [example(LONG), example(TEXT)]
    np.random.seed(5)  # noqa: NPY002 - the global state is what is looked at
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - likewise
    for method, limit in ((explain_lime, {"samples": 40}), (explain_shapley, {"evaluations": 40})):
        together = method(counted, rows, ["pos", "neg"], **limit)
        alone = method(counted, rows[1:], ["neg"], **limit)
        assert together[1] == alone[0]
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002 - likewise


def test_wrong_models_and_labels_are_refused(counted):
    with pytest.raises(ConfigError, match="need a transformer, and this is a LinearClassifier"):
        explain_integrated_gradients(counted, [example("warm")], ["pos"])
    for method in (explain_lime, explain_shapley):
        with pytest.raises(DataError, match="not trained on the label 'mild'"):
            method(counted, [example("warm film")], ["mild"])


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["captum", "lime", "shap"])
def test_a_missing_package_names_the_command(monkeypatch, known, counted, missing):
    method, classifier = {
        "captum": (explain_integrated_gradients, known),
        "lime": (explain_lime, counted),
        "shap": (explain_shapley, counted),
    }[missing]
    real = builtins.__import__

    def no_such(name, *rest, **more):
        if name.partition(".")[0] == missing:
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", no_such)
    with pytest.raises(MissingExtra, match=r"pip install 'augkit\[explain\]'"):
        method(classifier, [example("warm film")], [classifier.labels[0]])


class Same:
    """Classifiers that are the same for every example, behind the face of an ensemble."""

    def __init__(self, *members):
        self.members = members
        self.held_out_accuracy = {str(number): 0.9 for number in range(len(members))}

    def classifiers_for(self, example):
        return self.members


@pytest.mark.slow
def test_each_classifier_is_explained_by_what_fits_it(known, counted):
    """Linear ones exactly, transformers by integrated gradients, all others by LIME."""
    unknown = types.SimpleNamespace(labels=counted.labels, predict=counted.predict)
    found = {
        name: explainer("auto")(classifier, [example("warm film")], [classifier.labels[0]])[0]
        for name, classifier in (("linear", counted), ("net", known), ("other", unknown))
    }
    assert {name: one.measure for name, one in found.items()} == {
        "linear": "exact", "net": "completeness gap", "other": "unexplained share",
    }  # fmt: skip
    with pytest.raises(UnknownName, match="Did you mean 'shapley'"):
        explainer("shaply")


def test_members_of_several_kinds_vote(counted):
    """Where not all are linear, each is explained by itself, and the words are those of each."""
    unknown = types.SimpleNamespace(labels=counted.labels, predict=counted.predict)
    rows = [example("a warm film", "pos"), example("one dull film", "neg")]
    lists = important_words(Same(counted, unknown, counted), rows, 1)
    assert lists == [[["warm"]] * 3, [["dull"]] * 3]
    votes = vote_words(Same(counted, unknown, counted), rows, Voting(1))
    assert [one.principal for one in votes] == [("warm",), ("dull",)]
