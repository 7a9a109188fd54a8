"""Gendered words swapped by other tools: JSON lines {id, text, target} in, one line per tool out.

Run by ``panda.py`` with the Python of an environment that has them; it imports nothing of augkit. A
tool that cannot be imported says so: {"peer", "error"}. As ``panda_peers.py speed`` it measures
AugLy instead: see ``augly_rounds``.
"""

from __future__ import annotations

import gc
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout

Rewrite = Callable[[str, str], str]


def augly() -> Rewrite:
    """AugLy's swap of gendered words; it knows no target and swaps all of them."""
    from augly.text import swap_gendered_words

    def rewrite(text: str, target: str) -> str:
        del target
        changed = swap_gendered_words(text, aug_word_p=1.0)
        return changed if isinstance(changed, str) else changed[0]

    return rewrite


def langfair() -> Rewrite:
    """The counterfactual prompts of langfair, for the gender that is asked for."""
    from langfair.generator import CounterfactualGenerator, counterfactual
    from nltk.tokenize import NLTKWordTokenizer

    # Its own call wants data that has to be downloaded; for one sentence this gives the same words.
    counterfactual.word_tokenize = NLTKWordTokenizer().tokenize
    generator = CounterfactualGenerator()

    def rewrite(text: str, target: str) -> str:
        try:
            prompts = generator.create_prompts(prompts=[text], attribute="gender")
        except AssertionError:  # it finds no gendered word
            return text
        found = prompts["female_prompt" if target == "woman" else "male_prompt"]
        return str(found[0]) if found else text

    return rewrite


def augly_rounds() -> None:
    """Texts to warm up on and texts to measure in; then, for every line, texts per CPU-second."""
    from augly.text import swap_gendered_words

    texts = json.loads(sys.stdin.readline())
    swap_gendered_words(texts["warm"], aug_word_p=1.0)
    gc.collect()
    gc.freeze()
    for _ in sys.stdin:
        rates = {}
        for name, some in texts["measured"].items():
            began = time.process_time()
            swap_gendered_words(some, aug_word_p=1.0)
            rates[name] = len(some) / (time.process_time() - began)
        print(json.dumps(rates), flush=True)


def main() -> None:
    """Answer all lines with every tool that can be imported."""
    rows = [json.loads(line) for line in sys.stdin]
    for make in (augly, langfair):
        try:
            with redirect_stdout(sys.stderr):
                rewrite = make()
            random.seed(0)
            with redirect_stdout(sys.stderr):  # some tools print as they work
                outputs = {row["id"]: rewrite(row["text"], row["target"]) for row in rows}
        except Exception as error:  # noqa: BLE001 - whatever a foreign tool raises is reported
            print(json.dumps({"peer": make.__name__, "error": f"{type(error).__name__}: {error}"}))
            continue
        print(json.dumps({"peer": make.__name__, "outputs": outputs}))


if __name__ == "__main__":
    augly_rounds() if sys.argv[1:] == ["speed"] else main()
