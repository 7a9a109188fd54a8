"""Findings in groups, for people: what occurs together, by label, the strongest first."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from augkit.commands.check.associations import holds
from augkit.commands.check.groups import feature_words, features_together
from augkit.commands.check.reports import render_report
from augkit.commands.check.run import check_data

TOPICS = {
    "sport": "goal coach season striker referee stadium league penalty transfer keeper".split(),
    "money": "shares profit bank dividend bond merger inflation budget audit lender".split(),
    "space": "orbit rocket probe comet lunar telescope galaxy astronaut crater launch".split(),
}


@dataclass(frozen=True)
class Feature:
    """A feature with what the groups look at."""

    kind: str
    name: str
    field: str = "text"
    label: str = "x"


def groups_by_hand(features, texts):
    """Each feature joins the first group with a member that is in the same texts or nested."""
    held = [{n for n, text in enumerate(texts) if holds(f.kind, f.name, text)} for f in features]

    def together(first, second):
        if features[first].label != features[second].label:
            return False
        common = len(held[first] & held[second])
        if common and common >= 0.8 * max(len(held[first]), len(held[second])):
            return True
        words, others = (
            f" {' '.join(feature_words(features[n].kind, features[n].name))} "
            for n in (first, second)
        )
        nested = words.strip() and others.strip() and (words in others or others in words)
        return bool(nested) and common > 0 and common >= 0.5 * len(held[second])

    groups = []
    for number in range(len(features)):
        for group in groups:
            if any(together(member, number) for member in group):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


@pytest.mark.parametrize("seed", range(6))
def test_groups_are_those_of_the_definition(seed):
    """Words, phrases, first words and formats of random texts, beside a slow count."""
    draw = Random(seed)
    texts = [" ".join(draw.choices("abcdef", k=draw.randint(1, 5))) + "!" * draw.randint(0, 1)
             for _ in range(25)]  # fmt: skip
    names = [*"abcdef", *(f"{a} {b}" for a in "abc" for b in "abc")]
    features = [Feature("token" if len(name) == 1 else "2-gram", name) for name in names]
    features += [Feature("first word", "a"), Feature("format", "sign !")]
    features += [Feature("token", name, label="y") for name in "ab"]
    draw.shuffle(features)
    assert features_together(features, {"text": texts}) == groups_by_hand(features, texts)


@pytest.fixture(scope="module")
def topics(tmp_path_factory):
    """A dataset of topics in which many words say the label by right, with a leaked test set."""
    import json

    draw, rows = Random(0), []
    for number in range(600):
        label = list(TOPICS)[number % 3]
        words = draw.sample(TOPICS[label], 4) + [f"w{draw.randint(0, 300)}" for _ in range(5)]
        signed = " filed by agency reuters" if label == "money" else ""
        draw.shuffle(words)
        rows.append({"text": " ".join(words) + signed, "label": label})
    folder = tmp_path_factory.mktemp("topics")
    for name, part in (("train.jsonl", rows), ("test.jsonl", rows[:30])):
        text = "".join(json.dumps(row) + "\n" for row in part)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_topics_are_grouped_by_label_and_short(topics):
    """A phrase is one line, the strongest first; nothing is lost of what programs read."""
    report = check_data(str(topics / "train.jsonl"))
    lines = render_report([report], "text").splitlines()
    first = lines.index(next(line for line in lines if line.startswith("Words that give")))
    assert lines[first + 1] == "  money (33% of all rows)"
    assert lines[first + 2].startswith("    'agency' (also 'by', 'filed', 'reuters' and 11 more)")
    assert (
        ": 200 of 200 rows (100%), association 1.00, p < 0.001 [line 2, 5, 8]" in lines[first + 2]
    )
    findings = [finding for check in report.checks for finding in check.failed]
    assert sum("filed" in line for line in lines) == 1
    assert len(lines) < 40 < len(findings) + 10
    shown = lines[first + 2 : -2]
    by_label = " ".join("|" if not line.startswith("    ") else
                        line.split("association ")[1][:4] for line in shown)  # fmt: skip
    strengths = [list(map(float, part.split())) for part in by_label.split("|")]
    assert all(values == sorted(values, reverse=True) for values in strengths)
    everything = render_report([report], "text", everything=True)
    assert all(finding.message in everything for finding in findings)
    assert "Words that give" not in everything


@pytest.mark.slow
def test_leaked_and_repeated_rows_come_first(augkit, topics):
    """They make all other figures wrong."""
    result = augkit("check", topics / "train.jsonl", "--test", topics / "test.jsonl")
    names = [line.split()[1] for line in result.out.splitlines() if line[:4] in {"FAIL", "ok  "}]
    assert names[:3] == ["duplicates:", "conflicting_labels:", "leakage:"]
    assert "FAIL leakage: 30 of 30 test texts are in this dataset" in result.out
    assert "more groups; --all lists every finding" in result.out
    everything = augkit("check", topics / "train.jsonl", "--all").out
    assert everything.count(" goes with ") > 30
