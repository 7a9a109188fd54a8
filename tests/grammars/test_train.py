import numpy as np
import pytest
import torch

from augkit.core.errors import BackendFailed, DataError, OutputExists
from augkit.grammars.model.grammar import Grammar, chunk_texts, memory_explained
from augkit.grammars.model.train import GrammarConfig, train_grammar


def draw_texts(count, seed):
    """Nouns 0-4 each followed by a verb 5-9, two to four times."""
    draw = np.random.default_rng(seed)
    return [
        np.array(
            [
                w
                for _ in range(draw.integers(2, 5))
                for w in (draw.integers(5), 5 + draw.integers(5))
            ]
        )
        for _ in range(count)
    ]


def draw_pairs(count, seed):
    """A text and itself with its last word changed."""
    return [(text, np.append(text[:-1], 10)) for text in draw_texts(count, seed)]


SMALL = {
    "words": 11,
    "symbols": 3,
    "leaves": 4,
    "width": 16,
    "device": "cpu",
    "learning_rate": 1e-2,
}


@pytest.fixture(params=[(False, None), (True, None), (True, 5)], ids=["texts", "pairs", "rank"])
def corpus(request):
    pairs, rank = request.param
    draw = draw_pairs if pairs else draw_texts
    config = GrammarConfig(pairs=pairs, rank=rank, epochs=2, **SMALL)
    return draw(20, 0), draw(5, 1), config


def test_training_helps(corpus):
    """The held-out likelihood rises over the epochs, and the best grammar has it."""
    train, heldout, config = corpus
    seen = []
    grammar = train_grammar(train, heldout, config, None, seen.append)
    assert seen[-1].heldout > seen[0].heldout
    assert grammar.log_likelihood(heldout).mean() == pytest.approx(seen[-1].heldout)
    for by in ("viterbi", "mbr"):
        trees = grammar.parse(heldout, by)
        assert (trees.doc[trees.roots] == np.arange(len(heldout))).all()


def test_a_killed_training_goes_on(corpus, tmp_path):
    """Stopped after an epoch and started again, training ends with the same grammar."""
    train, heldout, config = corpus
    whole = train_grammar(train, heldout, config, tmp_path / "whole")

    def kill(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_grammar(train, heldout, config, tmp_path / "cut", kill)
    seen = []
    again = train_grammar(train, heldout, config, tmp_path / "cut", seen.append)
    assert [one.epoch for one in seen] == [1]
    for name, one in whole.parameters.items():
        assert torch.equal(one, again.parameters[name]), name
    loaded = Grammar.load(tmp_path / "cut", "cpu")
    assert (loaded.log_likelihood(heldout) == whole.log_likelihood(heldout)).all()


def test_other_settings_are_refused(corpus, tmp_path):
    """A folder with another training in it is not taken over."""
    train, heldout, config = corpus
    train_grammar(train, heldout, config.model_copy(update={"epochs": 1}), tmp_path)
    with pytest.raises(OutputExists, match="other settings"):
        train_grammar(train, heldout, config.model_copy(update={"seed": 1}), tmp_path)


def test_stops_when_nothing_improves():
    """Where the held-out likelihood only falls, training stops after its patience."""
    config = GrammarConfig(**{**SMALL, "learning_rate": 5.0}, patience=1, epochs=30, clip=1e6)
    seen = []
    train_grammar(draw_texts(20, 0), draw_texts(5, 1), config, None, seen.append)
    assert len(seen) < 30
    assert not seen[-1].best


def test_bad_texts_are_named():
    """Texts that no tree spans are counted and named; so are ids beyond the vocabulary."""
    config = GrammarConfig(**SMALL)
    good = draw_texts(3, 0)
    with pytest.raises(DataError, match=r"2 of 5 texts .* numbers 3, 4"):
        train_grammar([*good, np.array([1]), np.zeros(300, int)], good, config)
    with pytest.raises(DataError, match="text 0 has a word id outside"):
        train_grammar([np.array([1, 11])], good, config)
    with pytest.raises(DataError, match="3 of the texts are not single"):
        train_grammar(draw_pairs(3, 0), good, config)
    with pytest.raises(DataError, match="got none"):
        train_grammar(good, [], config)


def test_no_memory_is_a_clear_error():
    """Where an allocation fails, the error says what to set."""
    with pytest.raises(BackendFailed, match="batch_size"), memory_explained(7):
        torch.empty(1 << 62, dtype=torch.uint8)


@pytest.mark.parametrize(
    "message",
    [
        "[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory",
        "DefaultCPUAllocator: not enough memory: you tried to allocate 4611686018427387904 bytes.",
        "CUDA error: out of memory",
        "MPS backend out of memory",
        "std::bad_alloc",
        "Unable to allocate 3.81 GiB",
    ],
)
def test_every_wording_of_no_memory_is_recognised(message):
    """Allocators say it differently on each kind of machine."""
    with pytest.raises(BackendFailed, match="batch_size"), memory_explained(7):
        raise RuntimeError(message)


def test_other_faults_are_not_disguised():
    """An error that is none of memory stays what it is."""
    with pytest.raises(RuntimeError, match="shape"), memory_explained(7):
        torch.zeros(2).view(3)


def test_chunks_hold_what_fits():
    """Texts are taken in order, together while their cells fit, alone where one is too large."""
    texts = [np.arange(n) for n in (4, 4, 30, 4)]
    assert [list(chunk) for chunk in chunk_texts(texts, 25)] == [[0, 1], [2], [3]]
    assert list(chunk_texts([], 25)) == []


def test_damaged_grammar(tmp_path):
    """A file that is no grammar is a clear error."""
    (tmp_path / "grammar.safetensors").write_bytes(b"\x00" * 40)
    with pytest.raises(DataError, match=r"grammar\.safetensors"):
        Grammar.load(tmp_path)
