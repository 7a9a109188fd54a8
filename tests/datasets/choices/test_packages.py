"""Files of TRL and lm-eval with the packages themselves; skipped where they are not installed.

pip install trl lm-eval && pytest tests/datasets/choices/test_packages.py
"""

import json

import pytest
from typer.testing import CliRunner

from augkit.cli.app import app
from augkit.commands.check.run import check_data
from augkit.datasets.choices.load import load_choices


def say(role, text):
    return {"role": role, "content": text}


def conversations(size, *, prompt):
    """Pairs as TRL has them: the prompt in a column of its own, or as the first message of both."""
    rows = []
    for number in range(size):
        asked = [say("user", f"What is {number}?")]
        chosen, rejected = (
            [say("assistant", f"**It is {number}.**\n- so")],
            [say("assistant", "No.")],
        )
        if prompt:
            rows.append({"prompt": asked, "chosen": chosen, "rejected": rejected})
        else:
            rows.append({"chosen": asked + chosen, "rejected": asked + rejected})
    return rows


@pytest.mark.parametrize("prompt", [True, False])
def test_conversations_of_trl_are_read_checked_and_written_back(prompt):
    pytest.importorskip("trl")
    from datasets import Dataset
    from trl.data_utils import extract_prompt, is_conversational

    data = Dataset.from_list(conversations(12, prompt=prompt))
    loaded = load_choices(data)
    assert loaded.choices[3].candidates == ("**It is 3.**\n- so", "No.")
    report = check_data(data)
    assert "length" in {check.name for check in report.checks if check.failed}
    written = [loaded.shape.write(choice) for choice in loaded.choices]
    again = Dataset.from_list(written)
    assert again.to_list() == data.to_list()
    assert is_conversational(again[0])
    if not prompt:
        assert extract_prompt(again[0])["prompt"] == [say("user", "What is 0?")]


def tiny_model():
    """A model of random weights, and its tokenizer of whole words."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    words = {word: number for number, word in enumerate(["<pad>", "<eos>", "<unk>", "It", "is"])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    sizes = {"n_layer": 1, "n_head": 2, "n_embd": 16, "n_positions": 128}
    tokens = {"bos_token_id": 1, "eos_token_id": 1, "pad_token_id": 0}
    return GPT2LMHeadModel(GPT2Config(vocab_size=len(words), **sizes, **tokens)), fast


@pytest.mark.slow
def test_the_result_of_a_run_trains_in_trl(tmp_path):
    """Two steps of DPO on what ``augkit run --method normalise`` wrote."""
    trl = pytest.importorskip("trl")
    from datasets import load_dataset

    rows = [
        {"prompt": f"What is {n}?", "chosen": f"**It is {n}.** ", "rejected": "It is not."}
        for n in range(16)
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    arguments = ["--dataset", str(path), "--method", "normalise", "--out", str(tmp_path / "run")]
    answer = CliRunner().invoke(app, ["run", *arguments])
    assert answer.exit_code == 0, answer.output
    data = load_dataset(
        "json", data_files=str(tmp_path / "run" / "dataset.jsonl"), cache_dir=str(tmp_path)
    )["train"].select_columns(["prompt", "chosen", "rejected"])
    assert not any("**" in text for text in data["chosen"])
    model, tokenizer = tiny_model()
    model.save_pretrained(tmp_path / "model")  # the trainer reads it again as the reference
    config = trl.DPOConfig(
        str(tmp_path / "dpo"),
        max_steps=2,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        bf16=False,
        logging_steps=1,
    )
    trainer = trl.DPOTrainer(
        model=str(tmp_path / "model"),
        args=config,
        train_dataset=data,
        processing_class=tokenizer,
    )
    trainer.train()
    assert trainer.state.global_step == 2


def test_questions_of_lm_eval_are_read_checked_and_written_back(tmp_path):
    """A task of the package reads the file before and after, with the same documents."""
    pytest.importorskip("lm_eval")
    from lm_eval.api.task import ConfigurableTask

    rows = [
        {"question": f"Is {n} even?", "choices": ["yes, it is even", "no"], "answer": n % 2}
        for n in range(40)
    ]
    documents = []
    for name in ("before", "after"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        config = {
            "task": "even",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": str(path)}, "cache_dir": str(tmp_path)},
            "test_split": "test",
            "output_type": "multiple_choice",
            "doc_to_text": "{{question}}",
            "doc_to_choice": "choices",
            "doc_to_target": "answer",
        }
        task = ConfigurableTask(config=config)
        documents.append([dict(document) for document in task.test_docs()])
        loaded = load_choices(path)
        assert [choice.winners[0] for choice in loaded.choices] == [n % 2 for n in range(40)]
        assert task.doc_to_target(documents[-1][1]) == 1
        assert check_data(path).about["candidates"] == {"2": 40}
        rows = [loaded.shape.write(choice) for choice in loaded.choices]
    assert documents[0] == documents[1]
