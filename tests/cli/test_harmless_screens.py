"""No command lets a dataset, a file name or an argument steer the terminal."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

import pytest

from augkit.cli.app import COMMANDS, main
from tests.data import audit_answers, marked_tickets, verdicts, write_jsonl

pytestmark = pytest.mark.slow

CLEAR, HIDE, LINK = "\x1b[2J", "\x1b[8m", "\x1b]8;;http://evil.example\x07here\x1b]8;;\x07"
HOSTILE = f"{CLEAR}{HIDE}{LINK}\x07\x08\r\x7f\x85\x9b31m\u202e\u2066\u2028\u200e\u200f\u061c"
"""Clear, hide, a link, bell, backspace, return, C1 controls, other directions, another line end."""
NAME = f"na{CLEAR}{HIDE}\x07\r\x9b31m\u202eme"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
DATA_OF_PAGE = re.compile(r'<script id="data"[^>]*>(.*?)</script>', re.DOTALL)
OWN = re.compile(r"\r?\x1b\[(?:2K|1A|\?25[lh]|0m|[12]m|(?:[12];)?[39]\dm|38;[\d;]+m|1;3\dm)")
"""Colours and bars of rich; none of them is in a hostile text."""
TEXT, LABEL = f"text{CLEAR}", f"label\x9b31m{HIDE}\u202e"
TESTS = ("--test", f"{NAME}.test.jsonl")
COLUMNS = ("--text-column", TEXT, "--label-column", LABEL)
SET_COLUMNS = (
    *("--set", f"text_columns={json.dumps([TEXT])}"),
    *("--set", f"label_column={json.dumps(LABEL)}"),
)
DATA, RUN = f"{NAME}.jsonl", f"runs/{NAME}"


def recipes(model):
    """Command → calls of it, in an order in which each has the files that it needs."""
    run = ["run", "-m", "eda", "-d", DATA, *COLUMNS, "--limit", 60]
    judged = ["--judge", f"{NAME}.verdicts.jsonl"]
    return {
        "run": [[*run, "-o", RUN], [*run, "--dry-run"], [*run, "-o", "swapped", *TESTS]],
        "try": [["try", DATA, "-m", "eda", *SET_COLUMNS]],
        "sweep": [["sweep", f"{NAME}.yaml", *more] for more in (["--dry-run"], ["-o", NAME])],
        "train": [["train", DATA, *COLUMNS, "--out", f"models/{NAME}"]],
        "evaluate": [
            ["evaluate", RUN, *TESTS],
            ["evaluate", RUN, *TESTS, "--json"],
            ["evaluate", "--classifier", f"models/{NAME}", *TESTS, *COLUMNS],
        ],
        "shortcuts": [
            ["shortcuts", RUN],
            ["shortcuts", DATA, *COLUMNS],
            ["shortcuts", DATA, *COLUMNS, "--json"],
        ],
        "check": [
            ["check", DATA, *COLUMNS, *TESTS, "--format", kind]
            for kind in ("text", "json", "junit", "sarif")
        ]
        + [
            ["check", DATA, *COLUMNS, *more]
            for more in (
                ["--all"],
                ["--write-baseline", f"{NAME}.json"],
            )
        ],
        "fix": [
            ["fix", DATA, *COLUMNS, "--cue", "marta", *more]
            for more in (["--dry-run"], ["-o", f"fixed/{NAME}"])
        ],
        "benchmark": [
            ["benchmark", "crows-pairs", "--model", model, "--file", f"{NAME}.csv"],
        ],
        "audit": [
            ["audit", "--answers", f"{NAME}.answers.jsonl", "-o", f"audit-{NAME}"],
            ["audit", *judged, "-o", f"judges-{NAME}"],
            ["audit", *judged, "-o", f"judges-{NAME}", "--json"],
        ],
        "report": [["report", RUN], ["report", NAME]],
        "perturb": [
            ["perturb", f"He is here. {HOSTILE}", "--axis", "gender", "--target", "woman"],
            ["perturb", f"He {HOSTILE}", "--axis", "gender", "--target", "woman", "--json"],
        ],
        "list": [["list", "datasets"], ["list", "--check"]],
    }


MISTAKES = (
    ["try", "--text", HOSTILE],
    ["evaluate", NAME],
    ["shortcuts", DATA, "--text-column", NAME],
    ["benchmark", "crows-pairs", "--model", NAME, "--file", f"{NAME}.csv"],
    ["report", f"no{NAME}"],
    ["perturb", "He is here.", "--axis", "gender", "--target", NAME],
    ["train", f"{NAME}.jsonl", "--model", f"seq2seq:{NAME}", "--out", NAME],
    ["list", NAME],
    ["list", "methods", NAME],
)


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


def printed(arguments, stream):
    """All that a call of the command line writes, on both outputs, and its exit code."""
    out, err = stream(), stream()
    argv = mock.patch.object(sys, "argv", ["augkit", *map(str, arguments)])
    with argv, redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
        main()
    return out.getvalue() + err.getvalue(), end.value.code


@pytest.fixture
def folder(tmp_path):
    """A folder with hostile files."""
    folder = tmp_path
    rows = marked_tickets(460, HOSTILE, text=TEXT, label=LABEL)
    write_jsonl(folder / DATA, rows[:400])
    write_jsonl(folder / TESTS[1], rows[400:])
    write_jsonl(folder / f"{NAME}.answers.jsonl", audit_answers(30, HOSTILE))
    write_jsonl(folder / f"{NAME}.verdicts.jsonl", verdicts(40, HOSTILE))
    study = {
        "methods": [{"method": "eda", "name": f"eda{HOSTILE}"}],
        "datasets": [DATA],
        "columns": {DATA: {"text_columns": [TEXT], "label_column": LABEL}},
        "tests": {DATA: [TESTS[1]]},
        "limit": 60,
    }
    (folder / f"{NAME}.yaml").write_text(json.dumps(study), encoding="utf-8")
    header = "sent_more,sent_less,stereo_antistereo,bias_type\n"
    pairs = [f'"He was {n}","She was {n}",stereo,"{HOSTILE}"\n' for n in range(6)]
    (folder / f"{NAME}.csv").write_text(header + "".join(pairs), encoding="utf-8", newline="")
    return folder


def test_every_command_has_a_call(tmp_path):
    """A new command is walked too."""
    assert recipes(tmp_path).keys() == COMMANDS.keys()


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_no_command_prints_a_control_character_of_the_data(
    folder, monkeypatch, tiny_masked, stream
):
    """Of labels, texts, columns, file names; in a file and in colours on a terminal, on no page."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("AUGKIT_DATA", f"data{HOSTILE}")
    calls = [call for of_command in recipes(tiny_masked).values() for call in of_command]
    for call in (*calls, *MISTAKES):
        shown, code = printed(call, stream)
        assert shown
        assert (code == 2) == (call in MISTAKES), shown
        assert not CONTROLS.findall(OWN.sub("", shown)), (call, shown)
    pages = list(folder.rglob("report.html"))
    assert len(pages) > 5
    for page in pages:
        assert not CONTROLS.findall(page.read_text(encoding="utf-8")), page
        for data in DATA_OF_PAGE.findall(page.read_text(encoding="utf-8")):
            # The page's script shows these texts, and takes a tab for the end of a name.
            shown = json.dumps(json.loads(data), ensure_ascii=False).replace("\\t", "")
            assert not re.search(r"(?<!\\)\\(?:u|r|b|f)", shown), page
            assert not CONTROLS.findall(shown), page


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_hostile_argument_is_quoted_harmless(command):
    """Unknown commands and options, and arguments too many."""
    for arguments in ([f"--{HOSTILE}"], [HOSTILE] * 5):
        shown, code = printed([*filter(None, [command]), *arguments], io.StringIO)
        assert code == 2
        assert not CONTROLS.findall(shown), shown
