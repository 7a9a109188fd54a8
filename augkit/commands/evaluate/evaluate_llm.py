"""Evaluation of an LLM: in its own folder, within a budget; or what that would cost."""

from __future__ import annotations

from pathlib import Path

from augkit.commands.evaluate.evaluate import Evaluation, evaluate, measure
from augkit.commands.evaluate.llm_config import LLMClassifierConfig
from augkit.commands.evaluate.settings import EvaluateSettings, create_metrics
from augkit.commands.tested_llm import Answers, folder_for, open_tested
from augkit.core.errors import ConfigError
from augkit.runs.estimate import Recorder, priced

_ASKED = (
    "tests",
    "ood",
    "metrics",
    "method",
    "options",
    "limit",
    "sample",
    "seed",
    "tested_llm",
    "reading",
)
"""Settings that shape the questions: with others, the replies are kept in another folder."""


def evaluate_llm(settings: EvaluateSettings) -> Evaluation:
    """The evaluation of an LLM; the same settings continue where they stopped."""
    with open_tested(_config(settings), settings.connection, llm_folder(settings)) as answers:
        return measure(settings, answers)


def estimate_llm(settings: EvaluateSettings) -> dict[str, object]:
    """Calls, tokens and money: all questions are made and none is asked."""
    config = _config(settings)
    recorder = Recorder()
    records = evaluate(settings, Answers(recorder, config))
    return {
        "model": config.spec,
        "tests": ", ".join(settings.tests),
        "metrics": ", ".join(settings.metrics),
        "questions": f"{records[-1]['llm']['questions']:,}, each in up to {config.orders} orders",
        **priced(recorder.cost, config.spec, settings.connection).describe(),
        "budget": settings.connection.budget or "none (--budget sets a hard limit)",
    }


def llm_folder(settings: EvaluateSettings) -> Path:
    """The folder that is named, or the one that belongs to these settings."""
    asked = settings.model_dump(mode="json", include=set(_ASKED))
    return settings.out or folder_for("evaluate", _config(settings).spec, asked)


def _config(settings: EvaluateSettings) -> LLMClassifierConfig:
    create_metrics(settings)  # an error now, before a folder is made
    if settings.tested_llm is None:
        raise ConfigError("--dry-run is for an LLM under test: --model llm:openai:NAME")
    return settings.tested_llm
