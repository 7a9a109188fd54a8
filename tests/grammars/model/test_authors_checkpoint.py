"""Checkpoints in the format of the paper's code, made here, against its formulas in plain loops."""

import json

import numpy as np
import pytest
import torch

from augkit.core.errors import ConfigError, DataError
from augkit.core.types import example
from augkit.grammars.charts.batches import make_batch
from augkit.grammars.model.authors_checkpoint import read_checkpoint
from augkit.grammars.model.grammar import Grammar, grammar_potentials
from augkit.shortcuts.grammar import GrammarFinder, GrammarFinderConfig

A, T, D = 2, 3, 4
WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "dog", "cat", "runs"]
CPU = torch.device("cpu")


def linear(tensors, name, out):
    rng = torch.Generator().manual_seed(len(tensors))
    tensors[f"{name}.weight"] = torch.randn(out, D, generator=rng)
    tensors[f"{name}.bias"] = torch.randn(out, generator=rng)


def network(tensors, name, out):
    linear(tensors, f"{name}.0", D)
    for block in (1, 2):
        for layer in ("u1", "u2", "v1", "v2", "w"):
            linear(tensors, f"{name}.{block}.{layer}", D)
    linear(tensors, f"{name}.3", out)


def checkpoint(folder, pairs, words=WORDS):
    """Write ``model.pt`` and ``tokenizer.json``; the tensors as float64 by their names."""
    rng = torch.Generator().manual_seed(1)
    tensors = {
        "t_emb": torch.randn(T, D, generator=rng),
        "nt_emb": torch.randn(A, D, generator=rng),
        "root_emb": torch.randn(1, D, generator=rng),
    }
    linear(tensors, "rule_mlp", (A + T) ** 2)
    network(tensors, "root_mlp", A)
    for name in ("src", "tgt", "we", "ew") if pairs else ("",):
        network(tensors, f"{name}_vocab_mlp" if name else "vocab_mlp", len(WORDS))
    if pairs:
        tensors["t_type_emb"] = torch.randn(T, D, generator=rng)
        tensors["src_enc_emb.weight"] = torch.randn(len(WORDS), D, generator=rng)
        linear(tensors, "emission_type_mlp.0", 4)
    torch.save({f"module.{name}": tensor for name, tensor in tensors.items()}, folder / "model.pt")
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = {
        "added_tokens": [{"id": n, "content": words[n], "special": True} for n in range(4)],
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return {name: tensor.numpy().astype(float) for name, tensor in tensors.items()}


def apply(tensors, name, value):
    return tensors[f"{name}.weight"] @ value + tensors[f"{name}.bias"]


def hidden(tensors, name, value):
    """The network of one vector, layer by layer."""
    value = apply(tensors, f"{name}.0", value)
    for block in (1, 2):
        value = apply(tensors, f"{name}.{block}.w", value)
        for n in (1, 2):
            inner = np.maximum(apply(tensors, f"{name}.{block}.u{n}", value), 0)
            value = value + np.maximum(apply(tensors, f"{name}.{block}.v{n}", inner), 0)
    return apply(tensors, f"{name}.3", value)


def softmax(scores):
    shares = np.exp(scores - scores.max())
    return shares / shares.sum()


def leaf_probability(tensors, t, a, b):
    """p(t -> a/b) of one leaf; None is the empty word."""
    state = tensors["t_emb"][t]
    copy, ww, we, ew = softmax(apply(tensors, "emission_type_mlp.0", tensors["t_type_emb"][t]))
    if b is None:
        return we * softmax(hidden(tensors, "we_vocab_mlp", state))[a]
    if a is None:
        return ew * softmax(hidden(tensors, "ew_vocab_mlp", state))[b]
    source = softmax(hidden(tensors, "src_vocab_mlp", state))[a]
    target = softmax(hidden(tensors, "tgt_vocab_mlp", state + tensors["src_enc_emb.weight"][a]))[b]
    return ww * source * target + (a == b) * copy * source


def rule_and_root(tensors):
    rules = [softmax(apply(tensors, "rule_mlp", state)) for state in tensors["nt_emb"]]
    root = softmax(hidden(tensors, "root_mlp", tensors["root_emb"][0]))
    return np.log(rules).reshape(A, A + T, A + T), np.log(root)


def test_a_pair_grammar_is_that_of_the_formulas(tmp_path, enumerated):
    """Every leaf, rule and root has its probability, whatever the words' new numbers."""
    tensors = checkpoint(tmp_path, pairs=True)
    shape, parameters, vocabulary = read_checkpoint(tmp_path, CPU)
    assert (shape.symbols, shape.leaves, shape.width, shape.words) == (A, T, D, len(WORDS))
    assert vocabulary.words == ("[UNK]", "[PAD]", "[CLS]", "[SEP]", "dog", "cat", "runs")
    texts = ["dog", "zebra", "runs"], ["dog", "cat"]
    pair = tuple(vocabulary.encode(words) for words in texts)
    batch = make_batch([pair], shape.words, published=True)
    double = {name: tensor.double() for name, tensor in parameters.items()}
    potentials = grammar_potentials(double, shape, batch)
    ids = [[WORDS.index(word) if word in WORDS else 3 for word in words] for words in texts]
    leaves = potentials.emissions.view(4, 3, T).exp()
    for i, a in enumerate([None, *ids[0]]):
        for j, b in enumerate([None, *ids[1]]):
            if a is not None or b is not None:
                expected = [leaf_probability(tensors, t, a, b) for t in range(T)]
                assert leaves[i, j].tolist() == pytest.approx(expected, rel=1e-6)
    rules, root = rule_and_root(tensors)
    assert np.abs(potentials.rules.numpy() - rules).max() < 1e-6
    assert np.abs(potentials.root.numpy() - root).max() < 1e-6
    grammar, _ = Grammar.load_authors(tmp_path, "cpu")
    expected = enumerated(potentials, 3, 2, published=True).log_likelihood
    assert grammar.log_likelihood([pair])[0] == pytest.approx(expected, abs=1e-4)


def test_a_sentence_grammar_is_that_of_the_formulas(tmp_path):
    """p(t -> w) by the network; it parses, and is the same when saved in our format."""
    tensors = checkpoint(tmp_path, pairs=False)
    grammar, vocabulary = Grammar.load_authors(tmp_path, "cpu")
    sentence = vocabulary.encode(["dog", "runs", "cat"])
    batch = make_batch([sentence], len(vocabulary), published=True)
    leaves = grammar_potentials(grammar.parameters, grammar.shape, batch).emissions[1:].exp()
    for number, word in enumerate(["dog", "runs", "cat"]):
        expected = [
            softmax(hidden(tensors, "vocab_mlp", tensors["t_emb"][t]))[WORDS.index(word)]
            for t in range(T)
        ]
        assert leaves[number].tolist() == pytest.approx(expected, rel=1e-4)
    trees = grammar.parse([sentence])
    assert trees.leaf_a[trees.leaf_a >= 0].tolist() == sentence.tolist()
    grammar.save(tmp_path / "ours")
    again = Grammar.load(tmp_path / "ours", "cpu")
    assert again.log_likelihood([sentence]) == pytest.approx(grammar.log_likelihood([sentence]))


def test_wrong_shapes_and_files(tmp_path):
    """A tensor of another shape, an absent one, other words and other files: a sentence each."""
    with pytest.raises(DataError, match=r"model\.pt"):
        read_checkpoint(tmp_path, CPU)
    checkpoint(tmp_path, pairs=True)
    tensors = torch.load(tmp_path / "model.pt", weights_only=True)

    def refused(changed, message):
        torch.save(changed, tmp_path / "model.pt")
        with pytest.raises(DataError, match=message):
            read_checkpoint(tmp_path, CPU)

    short = tensors | {"module.rule_mlp.bias": torch.zeros(7)}
    refused(short, r"'rule_mlp\.bias' is \(7,\), and .* 2\+3 symbols.* has \(25,\)")
    absent = {name: tensor for name, tensor in tensors.items() if "we_vocab_mlp.1.w." not in name}
    refused(absent, r"'we_vocab_mlp\.1\.w\.weight' is not there")
    refused({"weight": torch.zeros(2)}, "no matrix 'nt_emb'")
    checkpoint(tmp_path, pairs=True, words=WORDS[:-1])
    with pytest.raises(DataError, match="6 words and the checkpoint 7"):
        read_checkpoint(tmp_path, CPU)
    (tmp_path / "tokenizer.json").write_text("[]")
    with pytest.raises(DataError, match="word tokenizer"):
        read_checkpoint(tmp_path, CPU)


@pytest.mark.slow
def test_a_survey_without_training(tmp_path):
    """The published grammar parses; its folder then serves --find, and pairs are refused."""
    (tmp_path / "models").mkdir()
    checkpoint(tmp_path / "models", pairs=False)
    rows = [
        example(f"the {animal} runs", label, occurrence=n)
        for n in range(20)
        for animal, label in (("dog", "x"), ("cat", "y"))
    ]
    rows = [example(f"{row.fields['text']} {n}", row.label) for n, row in enumerate(rows)]
    config = GrammarFinderConfig(checkpoint=tmp_path / "models", device="cpu")
    survey = GrammarFinder.survey(rows, config, tmp_path)
    assert {"dog", "cat"} & {
        word for row in survey.rows for one in row["patterns"] for word in one["pattern"].split()
    }
    assert survey.about["words"] == len(WORDS)
    assert len(GrammarFinder.load(tmp_path).find(rows)) == len(rows)
    pairs = [example({"a": "dog runs", "b": f"cat {n}"}, "xy"[n % 2]) for n in range(20)]
    with pytest.raises(ConfigError, match="single texts"):
        GrammarFinder.survey(pairs, config, None)
