"""The settings of ``augkit audit``."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from augkit.core.errors import ConfigError
from augkit.llm.settings import PREFIX, LLMUnderTest, ModelSettings


class AuditSettings(ModelSettings):
    """What is audited, and how."""

    template: Path | None = Field(
        None, description="a YAML file: texts with slots, a question, axes"
    )
    model: str | None = Field(None, description="the LLM that decides, as llm:openai:NAME")
    answers: Path | None = Field(
        None, description="JSON lines {scenario, axis, group, answer}, instead of a model"
    )
    judge: str | None = Field(
        None,
        description="verdicts of judges, instead of a template; with a model: answers that it "
        "is to judge",
    )
    limit: int = Field(
        50, ge=1, description="with --judge and --model: pairs are made of the first N answers"
    )
    axes: tuple[str, ...] = Field(
        (), description="gender, race, age, or a file; default: those of the template"
    )
    seed: int = Field(0, description="for ages and names that are drawn")
    out: Path | None = Field(
        None, description="the folder of the results; default: runs/audit-NAME"
    )

    @property
    def tested(self) -> LLMUnderTest | None:
        """The LLM that decides; an error where the model is no LLM."""
        if self.model is not None and not self.model.startswith(PREFIX):
            raise ConfigError(f"--model {self.model}: name an LLM, as in --model llm:openai:NAME")
        return super().tested
