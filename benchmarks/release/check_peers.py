"""Text properties against the label by deepchecks: paths of JSON Lines files in, a line for each.

Run by ``benchmarks/release/check_planted.py`` with the Python of an environment that has
deepchecks; it imports nothing of augkit. The check is ``PropertyLabelCorrelation`` with its default
condition (a predictive power score under 0.3). Properties whose models must be downloaded are left
out. It always loads a model of the language, which cannot be had from a package index: here every
text is said to be English, as it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from deepchecks.nlp import TextData
from deepchecks.nlp.checks import PropertyLabelCorrelation
from deepchecks.nlp.utils import text_properties

OFFLINE = [
    "Text Length",
    "Average Word Length",
    "Max Word Length",
    "% Special Characters",
    "% Punctuation",
    "Sentiment",
    "Subjectivity",
    "URLs Count",
    "Email Addresses Count",
    "Unique URLs Count",
    "Unique Email Addresses Count",
]


class English:
    """A model of the language that answers English."""

    def predict(self, text: str, **_: object) -> tuple[tuple[str], tuple[float]]:
        """The label of English, certain."""
        del text
        return ("__label__en",), (1.0,)


def main() -> None:
    """Check each file."""
    text_properties.get_fasttext_model = lambda **_: English()
    for path in map(Path, sys.argv[1:]):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        data = TextData(
            raw_text=[row["text"] for row in rows],
            label=[row["label"] for row in rows],
            task_type="text_classification",
        )
        data.calculate_builtin_properties(include_properties=OFFLINE)
        check = PropertyLabelCorrelation().add_condition_property_pps_less_than()
        result = check.run(data)
        scores = {name: float(value) for name, value in result.value.items()}
        best = max(scores, key=lambda name: scores[name])
        record = {
            "file": path.stem,
            "peer passed": result.passed_conditions(),
            "peer strongest": f"{best} {scores[best]:.2f}",
        }
        print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
