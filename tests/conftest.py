"""Fixtures that many tests share."""

import gc
import io
import itertools
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings

from tests.data import write_jsonl

# A shared machine may be busy: no test depends on how fast it is.
settings.register_profile("augkit", deadline=None)
settings.load_profile("augkit")

ROOT = Path(__file__).parent.parent

# The workers share the processors: one thread for each, and for each process that it starts.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Otherwise every such process compiles the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection_modifyitems(items):
    """Leave out what takes over ten seconds and is shown in small by others, unless asked."""
    if not os.environ.get("AUGKIT_WHOLE"):
        reason = "takes long, and others show it in small: AUGKIT_WHOLE=1 runs it"
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish():
    """Have the garbage collector skip what lives to the end, and look less often: a tenth less."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def data_folder():
    """The folder with real datasets; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("AUGKIT_DATA") or ROOT.parent / "shared" / "data")
    if not (folder / "sst2").is_dir():
        pytest.skip("needs real datasets: set AUGKIT_DATA to a folder with sst2/train.jsonl.gz")
    return folder


_CACHES = itertools.count()


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch, tmp_path_factory):
    """No test sees the user's key, data folder or cache, or the cache of another test.

    Without ``tmp_path``: pytest reads the names of all folders before it makes one more.
    """
    cache = tmp_path_factory.getbasetemp() / "caches" / str(next(_CACHES))
    for name in ("AUGKIT_DATA", "AUGKIT_CACHE", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("AUGKIT_DEBUG", "1")  # an unexpected error shows itself


@pytest.fixture(scope="session")
def torchless(tmp_path_factory):
    """The PYTHONPATH of processes without torch, which spaCy imports where it can, for seconds."""
    folder = tmp_path_factory.mktemp("torchless")
    (folder / "torch.py").write_text("raise ImportError('hidden')\n", encoding="utf-8")
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture
def hide_torch(torchless, monkeypatch):
    """Processes that the test starts do not find torch."""
    monkeypatch.setenv("PYTHONPATH", torchless)


@dataclass
class Result:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def run_augkit():
    """Call ``augkit`` with arguments, in this process and folder."""
    from augkit.cli.app import main

    def call(*arguments):
        out, err, code = io.StringIO(), io.StringIO(), 0
        argv = mock.patch.object(sys, "argv", ["augkit", *map(str, arguments)])
        with argv, redirect_stdout(out), redirect_stderr(err):
            try:
                main()
            except SystemExit as stop:
                code = stop.code or 0
        return Result(code, out.getvalue(), err.getvalue())

    return call


@pytest.fixture(scope="session")
def faults():
    """The module of the server that misbehaves as asked, and counts its calls."""
    spec = spec_from_file_location("fault_server", Path(__file__).parent / "faults" / "server.py")
    module = module_from_spec(spec)
    sys.modules["fault_server"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def serve(faults):
    """Start servers that behave as asked, ``serve(latency=0.02)``, and end with the test."""
    servers = []

    def start(**behaviour):
        servers.append(faults.FaultServer(faults.Behaviour(**behaviour)).__enter__())
        return servers[-1]

    yield start
    for server in servers:
        server.__exit__()


@pytest.fixture
def augkit(run_augkit, monkeypatch, tmp_path):
    """Call ``augkit`` with arguments, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return run_augkit


@pytest.fixture
def write_rows(tmp_path):
    """Write rows as JSON Lines and return the path."""

    def write(rows, name="rows.jsonl"):
        return write_jsonl(tmp_path / name, rows)

    return write


@pytest.fixture(scope="session")
def eight_pairs():
    """Pairs in PANDA's format that differ in nothing but the references; one has two segments."""
    from augkit.models.language_models.perturber import PerturberPair

    rows = [
        ("He lost his keys.", "He", "woman", "She lost her keys."),
        ("She lost her keys.", "She", "man", "He lost his keys."),
        ("The king saw my aunt.", "king", "woman", "The queen saw my aunt."),
        ("The king saw my aunt.", "aunt", "man", "The king saw my uncle."),
        ("My mother is late.", "mother", "man", "My father is late."),
        ("She is late.", "She", "non-binary", "They are late."),
        ("A man sleeps. <SEP> He rests.", "man", "woman", "A woman sleeps. <SEP> She rests."),
        ("The actress sings well!", "actress", "man", "The actor sings well!"),
    ]
    columns = ("original", "selected_word", "target_attribute", "perturbed")
    return [PerturberPair(**dict(zip(columns, row, strict=True))) for row in rows]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory, eight_pairs):
    """A folder with a BART of one layer a side, random weights and a byte-level tokenizer."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.set_num_threads(1)  # so small a model spends its time waiting for other threads
    folder = tmp_path_factory.mktemp("tiny-bart")
    fast = _byte_level_tokenizer([pair.source + " " + pair.perturbed for pair in eight_pairs])
    config = transformers.BartConfig(
        vocab_size=len(fast),
        d_model=64,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
        max_position_embeddings=256,
        pad_token_id=fast.pad_token_id,
        bos_token_id=fast.bos_token_id,
        eos_token_id=fast.eos_token_id,
        decoder_start_token_id=fast.eos_token_id,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


def _byte_level_tokenizer(texts):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    signs = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=signs, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([text.replace("<", " ") for text in texts], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    named = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named)


@pytest.fixture(scope="session")
def quick_training():
    """Settings with which the tiny model learns the eight pairs by heart in seconds."""
    from augkit.models.language_models.perturber import PerturberSettings

    return PerturberSettings(
        learning_rate=5e-3,
        batch_size=8,
        warmup_updates=10,
        clip=1.0,
        epochs=120,
        patience=120,
        rate_patience=120,
        held_out=0.0,
    )


@pytest.fixture(scope="session")
def trained(tmp_path_factory, tiny_model, eight_pairs, quick_training):
    """The folder of the tiny model after training, and how that went."""
    from augkit.models.language_models.perturber import train_perturber

    folder = tmp_path_factory.mktemp("trained") / "perturber"
    return folder, train_perturber(eight_pairs, str(tiny_model), folder, quick_training)


LETTERS = "abcdefghijklmnopqrstuvwxyz!.,'-?0123456789"


def save_bert(folder, words, masked, **shape):
    """Save a BERT with random weights and a WordPiece tokenizer that knows letters and words."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.set_num_threads(1)
    signs = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*signs, *LETTERS, *(f"##{letter}" for letter in LETTERS), *words.split()]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = transformers.BertTokenizerFast(vocab=vocabulary, do_lower_case=True)
    settings = {
        "hidden_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 64,
        **shape,
    }
    config = transformers.BertConfig(vocab_size=len(vocabulary), **settings)
    kind = transformers.BertForMaskedLM if masked else transformers.BertModel
    with torch.random.fork_rng():
        torch.manual_seed(0)
        kind(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory):
    """A folder with an encoder of one layer that knows words of reviews."""
    words = "warm clever bright tender dull clumsy grim stale film the was"
    return save_bert(tmp_path_factory.mktemp("tiny-bert"), words, masked=False)


@pytest.fixture(scope="session")
def tiny_masked_model(tmp_path_factory):
    """A folder with a masked model of one layer that knows words of reviews."""
    words = "a an the and with movie film cast story kids great awful boring excellent funny it was"
    return save_bert(tmp_path_factory.mktemp("tiny-masked"), words, masked=True)


@pytest.fixture(scope="session")
def tiny_masked(tmp_path_factory):
    """A folder with a masked model of two layers and large weights that knows words of people."""
    words = (
        "the a he she his her they man woman nurse doctor old young was is are good bad rich poor "
        "black white cook went to home and said that it rained cats love hate people kind cruel "
        "##s ##er ##ly un ##like"
    )
    shape = {"num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 160}
    folder = tmp_path_factory.mktemp("tiny-masked-people")
    return save_bert(folder, words, masked=True, initializer_range=0.5, **shape)
