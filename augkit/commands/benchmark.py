"""``benchmark``: score a language model on a published bias benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from augkit.commands.tested_llm import folder_for, open_tested
from augkit.core import registry
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.json_files import write_json
from augkit.core.pretrained import identity
from augkit.core.results import answers_record
from augkit.datasets.load import load_examples
from augkit.evaluation.bias.benchmark import Benchmark, ScoringRule
from augkit.evaluation.bias.items import benchmark_items, sample
from augkit.evaluation.llm_answers import Answers, llm_caveats
from augkit.llm.openai_api.completions import NAME as COMPLETIONS
from augkit.llm.openai_api.completions import PromptProbabilities
from augkit.llm.settings import PREFIX, ModelSettings
from augkit.models.language_models.causal_lm import open_causal
from augkit.models.language_models.masked_lm import open_masked
from augkit.models.language_models.sentence_debias import debias
from augkit.models.language_models.vectors import Pooling, open_vectors
from augkit.models.precision import Precision
from augkit.runs.estimate import Recorder, priced

RESULT = "benchmark.json"
_BUNDLED_TEXTS = ["reviews-demo", "nli-demo", "claims-demo"]
_LOCAL = "transformers:"
_FEW = 100
"""Below this many items intervals are too wide to say much."""


class BenchmarkSettings(ModelSettings):
    """Which benchmark, which model, and how it is scored."""

    name: str = Field(description="a benchmark: `augkit list benchmarks`")
    model: str = Field(
        description="a folder with a saved model, a hub id, or an LLM, as llm:openai:NAME"
    )
    score: str | None = Field(None, description="the scoring rule; default: the published one")
    pooling: Pooling = Field(
        "first", description="the vector of a sentence: first, last or mean token"
    )
    precision: Precision = Field(
        "float32",
        description="of masked models: float32, or tf32 (GPUs) and bfloat16, faster and rounded",
    )
    debias: Literal["sentence-debias"] | None = Field(
        None, description="sentence-debias: remove the gender direction from vectors first"
    )
    debias_texts: str | None = Field(
        None, description="the dataset to estimate it on; default: the bundled ones"
    )
    data_folder: Path | None = Field(None, description="the data folder, with bias/...")
    file: Path | None = Field(None, description="the benchmark's own file or folder")
    sample: int | None = Field(None, ge=1, description="use at most N items, drawn by their texts")
    orders: int | None = Field(
        None,
        ge=1,
        description="orders of the answers in which an LLM is asked a question; default: all",
    )
    out: Path | None = Field(
        None,
        description="folder of benchmark.json; of an LLM also of its replies, to continue there "
        "(default: one under runs/)",
    )


def benchmark(settings: BenchmarkSettings) -> dict[str, Any]:
    """The scores, with what was measured on which data, and the caveats."""
    chosen: Benchmark = registry.find("benchmarks", settings.name)
    rule = chosen.rules[_rule_name(chosen, settings)]
    if settings.tested is None or not (rule.model == "llm" or _scores_prompts(settings)):
        return _written(settings.out, _scored(chosen, settings, _open(rule, settings)))
    shaping = settings.model_dump(mode="json", exclude={"out", "connection"})
    spec = settings.tested.spec
    folder = settings.out or folder_for(f"benchmark-{settings.name}", spec, shaping)
    with open_tested(settings.tested, settings.connection, folder) as answers:
        model = PromptProbabilities(answers.llm) if rule.model == "causal" else answers
        record = _scored(chosen, settings, model)
        about = answers.summary()
    llm = answers_record(about)
    if rule.model == "causal":
        llm = {"cost": llm["cost"]}
    else:
        record["caveats"] += llm_caveats(about)
    return _written(folder, {**record, "llm": llm})


def _written(folder: Path | None, record: dict[str, Any]) -> dict[str, Any]:
    """The record, written to the folder where there is one."""
    if folder is not None:
        record |= {"folder": str(folder)}
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / RESULT, record)
    return record


def estimate_benchmark(settings: BenchmarkSettings) -> dict[str, object]:
    """What a benchmark of an LLM would cost: all questions are made and none is asked."""
    chosen: Benchmark = registry.find("benchmarks", settings.name)
    if settings.tested is None or chosen.rules[_rule_name(chosen, settings)].model != "llm":
        raise ConfigError("--dry-run is for an LLM that is asked: --model llm:openai:NAME")
    recorder = Recorder()
    record = _scored(chosen, settings, Answers(recorder, settings.tested))
    return {
        "benchmark": chosen.name,
        "model": settings.tested.spec,
        "items": f"{record['items']:,}",
        **priced(recorder.cost, settings.tested.spec, settings.connection).describe(),
        "budget": settings.connection.budget or "none (--budget sets a hard limit)",
    }


def _rule_name(chosen: Benchmark, settings: BenchmarkSettings) -> str:
    """The rule that is named, or the first that fits the kind of model."""
    if settings.score is not None and settings.score not in chosen.rules:
        raise UnknownName(f"scoring rule of {chosen.name}", settings.score, chosen.rules)
    names = [settings.score] if settings.score else list(chosen.rules)
    fitting = [name for name in names if _fits(chosen.rules[name], settings)]
    if not fitting and _scores_prompts(settings):
        raise ConfigError(
            f"{chosen.name} asks questions, and {settings.model} scores texts: use llm:openai:NAME"
        )
    if not fitting and settings.tested is not None:
        raise ConfigError(
            f"{chosen.name} needs the probability of whole sentences, and an LLM behind a chat API "
            "does not give it. Use --model llm:transformers:PATH, llm:openai-completions:NAME (a "
            "server that echoes prompts, as vLLM), or a benchmark that asks questions: bbq, "
            "winogenerated, bec-pro, winobias, occupation-pronouns"
        )
    if not fitting:
        raise ConfigError(
            f"{chosen.name} ({names[0]}) asks questions: name the model as an LLM, as in "
            f"--model llm:transformers:{settings.model}"
        )
    if settings.debias and chosen.rules[fitting[0]].model != "vectors":
        raise ConfigError(f"{settings.debias} changes vectors, and {chosen.name} scores none")
    return fitting[0]


def _fits(rule: ScoringRule, settings: BenchmarkSettings) -> bool:
    """An LLM answers questions; a local one also gives the probability of a text."""
    if settings.tested is None:
        return rule.model != "llm"
    if _scores_prompts(settings):
        return rule.model == "causal"
    local = settings.tested.spec.startswith(_LOCAL)
    return rule.model == "llm" or (rule.model == "causal" and local)


def _scores_prompts(settings: BenchmarkSettings) -> bool:
    """Whether the model gives log-probabilities of prompts through an API."""
    return settings.model.startswith(f"{PREFIX}{COMPLETIONS}:")


def _scored(chosen: Benchmark, settings: BenchmarkSettings, model: Any) -> dict[str, Any]:
    name = _rule_name(chosen, settings)
    rule = chosen.rules[name]
    source, items = benchmark_items(chosen, settings.file, settings.data_folder)
    used = sample(items, settings.sample, chosen.sampling_unit)
    caveats = [f"known faults of {chosen.name}: {chosen.caveats}"]
    if len(used) < len(items):
        caveats.append(
            f"{len(used):,} of {len(items):,} items: a sample, not the published benchmark"
        )
    if len(used) < _FEW:
        caveats.append(f"only {len(used)} items: the intervals are wide")
    return {
        "benchmark": chosen.name,
        "score": name,
        **({"debias": settings.debias} if settings.debias else {}),
        "about": chosen.about,
        "direction": chosen.direction,
        "unbiased": chosen.unbiased,
        "reference": chosen.reference,
        "model": settings.model if settings.tested else identity(settings.model),
        "data": source,
        "items": len(used),
        "scores": [asdict(score) for score in rule.score(model, used)],
        "caveats": [*caveats, *_precision_caveats(rule, settings, model)],
    }


def _open(rule: ScoringRule, settings: BenchmarkSettings) -> Any:
    if rule.model == "masked":
        return open_masked(settings.model, settings.precision)
    if rule.model == "causal":
        return open_causal(settings.model.removeprefix(PREFIX + _LOCAL))
    vectors = open_vectors(settings.model, settings.pooling)
    if settings.debias is None:
        return vectors
    names = [settings.debias_texts] if settings.debias_texts else _BUNDLED_TEXTS
    rows = [row for name in names for row in load_examples(name, data_folder=settings.data_folder)]
    return debias(vectors, [text for row in rows for text in row.fields.values()])


def _precision_caveats(rule: ScoringRule, settings: BenchmarkSettings, model: Any) -> Iterator[str]:
    if settings.precision == "float32" or rule.model != "masked":
        return
    if model.precision == "float32":
        yield f"this machine has no {settings.precision} units: computed in float32"
    elif rule.rescores_close_pairs:
        yield f"computed in {settings.precision}; close pairs were rescored in float32"
    else:
        yield (
            f"computed in {settings.precision}: pairs that differ by a few hundredths may go "
            "either way"
        )
