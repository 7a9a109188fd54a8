"""A disk that is really full."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 120 kB; its size can be changed."""
    place = tmp_path / "disk"
    place.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=120k", "tmpfs", place], check=False
        ).returncode
    ):
        pytest.skip("needs the right to mount a small file system")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_is_told_and_the_run_resumes(small_disk, tmp_path):
    """Exit code 2 with folder and cure; with more room the result is that of a whole run."""
    command = [sys.executable, "-m", "augkit", "run", "-m", "eda", "-d", "reviews-demo", "-o"]
    subprocess.run([*command, tmp_path / "whole"], check=True, capture_output=True)
    out = small_disk / "out"
    stopped = subprocess.run([*command, out], check=False, capture_output=True, text=True)
    assert stopped.returncode == 2
    assert "no space left" in stopped.stderr
    assert f"--resume --out {out}" in stopped.stderr
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    subprocess.run([*command, out, "--resume"], check=True, capture_output=True)
    for name in ("variants.jsonl", "dataset.jsonl"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_full_disk_stops_a_study_in_order(small_disk, tmp_path):
    """Exit code 2 without a traceback; with more room the same command ends it."""
    study = tmp_path / "study.yaml"
    study.write_text(
        "methods: [eda]\ndatasets: [reviews-demo]\nseeds: [0, 1]\n"
        "tests: {reviews-demo: [reviews-demo:test]}\n"
    )
    out = small_disk / "study"
    command = [sys.executable, "-m", "augkit", "sweep", study, "--workers", "1", "--out", out]
    stopped = subprocess.run(command, check=False, capture_output=True, text=True)
    assert stopped.returncode == 2
    assert "no space left" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    subprocess.run(["mount", "-o", "remount,size=40m", small_disk], check=True)
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (out / "results.csv").read_text().count("reviews-demo:test") == 2


def test_a_full_disk_under_the_answers_is_told(small_disk, write_rows, tmp_path):
    """A cache of answers that cannot grow ends the run in order; with room it goes on."""
    rows = write_rows([{"text": f"Film {i} was good. " * 20, "label": "a"} for i in range(150)])
    script = tmp_path / "answers.jsonl"
    script.write_text('{"match": "", "reply": "{\\"text\\": \\"' + "Some words. " * 60 + '\\"}"}\n')
    command = [
        sys.executable, "-m", "augkit", "run", "-m", "paraphrase", "-d", rows, "--resume",
        "--llm", f"scripted:{script}", "--cache", small_disk / "cache.sqlite",
        "--out", tmp_path / "out",
    ]  # fmt: skip
    stopped = subprocess.run(command, check=False, capture_output=True, text=True)
    assert stopped.returncode == 2, stopped.stderr
    assert "no space left" in stopped.stderr
    assert "cache.sqlite" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    subprocess.run(["mount", "-o", "remount,size=40m", small_disk], check=True)
    subprocess.run(command, check=True, capture_output=True)
