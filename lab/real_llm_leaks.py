"""What an accepted text must not hold, checked without the code of augkit's own gates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from augkit.prompts.load import bundled_prompt, prompt_ids

RUN = 6
"""Words in a row that are a piece of a prompt."""
MARKUP = re.compile(r"</?data|<\||\|>|```|\{\"|\"\}|\\n")


def folded(text: str) -> list[str]:
    """The words of a text, without case and punctuation."""
    return re.findall(r"\w+", text.casefold())


def runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    """All runs of words of one length."""
    return {tuple(words[n : n + RUN]) for n in range(len(words) - RUN + 1)}


def prompt_runs(method: str) -> set[tuple[str, ...]]:
    """The runs of words in the prompts of a method, worked examples included."""
    folder = method.replace("-", "_")
    mine = [one for one in prompt_ids() if one.partition("/")[0] == folder]
    return {run for one in mine for run in runs(folded(bundled_prompt(one).model_dump_json()))}


class LeakCheck:
    """The prompts of a method, and the labels and rows of a dataset."""

    def __init__(self, method: str, labels: Iterable[str], rows: Iterable[str]) -> None:
        self.prompts = prompt_runs(method)
        self.labels = [one for one in map(folded, labels) if "".join(one).isalpha()]
        self.rows = {" ".join(folded(row)) for row in rows}

    def found(self, source: str, output: str) -> Iterator[str]:
        """Why an output leaks: a kind, and what was found."""
        before, after = folded(source), folded(output)
        yield from (
            f"prompt: {' '.join(one)}" for one in (runs(after) - runs(before)) & self.prompts
        )
        if (mark := MARKUP.search(output)) and mark[0] not in source:
            yield f"markup: {mark[0]}"
        joined, known = (f" {' '.join(words)} " for words in (after, before))
        for label in self.labels:
            name = f" {' '.join(label)} "
            if name in joined and name not in known:
                yield f"label name:{name}"
        if " ".join(after) in self.rows:
            yield f"row of the data: {output}"
