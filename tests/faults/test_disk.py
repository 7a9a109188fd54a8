"""A disk that is really full."""

import os
import subprocess

import pytest

pytestmark = pytest.mark.slow


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


def test_a_full_disk_is_reported_and_the_run_resumes(augkit, small_disk, tmp_path):
    """Exit code 2 with folder and cure; with more room the result is that of a whole run."""
    command = ("run", "-m", "eda", "-d", "reviews-demo", "-o")
    assert augkit(*command, tmp_path / "whole").code == 0
    out = small_disk / "out"
    stopped = augkit(*command, out)
    assert stopped.code == 2
    assert "no space left" in stopped.err
    assert f"--resume --out {out}" in stopped.err
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    assert augkit(*command, out, "--resume").code == 0
    for name in ("variants.jsonl", "dataset.jsonl"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_full_disk_stops_a_study_in_order(augkit, small_disk, tmp_path):
    """Exit code 2 without a traceback; with more room the same command ends it."""
    study = tmp_path / "study.yaml"
    study.write_text(
        "methods: [eda]\ndatasets: [reviews-demo]\nseeds: [0, 1]\n"
        "tests: {reviews-demo: [reviews-demo:test]}\n"
    )
    out = small_disk / "study"
    command = ("sweep", study, "--trials", "1", "--out", out)
    stopped = augkit(*command)
    assert stopped.code == 2
    assert "no space left" in stopped.err
    assert "Traceback" not in stopped.err
    subprocess.run(["mount", "-o", "remount,size=40m", small_disk], check=True)
    done = augkit(*command)
    assert done.code == 0, done.err
    assert len((out / "results.csv").read_text().splitlines()) == 3  # a header and two trials


def test_a_full_disk_under_the_answers_is_reported(augkit, small_disk, write_rows, tmp_path):
    """A cache of answers that cannot grow ends the run in order; with room it goes on."""
    rows = write_rows([{"text": f"Film {i} was good. " * 20, "label": "a"} for i in range(150)])
    script = tmp_path / "answers.jsonl"
    script.write_text('{"match": "", "reply": "{\\"text\\": \\"' + "Some words. " * 60 + '\\"}"}\n')
    command = [
        "run", "-m", "paraphrase", "-d", rows, "--resume",
        "--llm", f"scripted:{script}", "--set", f"cache={small_disk / 'cache.sqlite'}",
        "--out", tmp_path / "out",
    ]  # fmt: skip
    stopped = augkit(*command)
    assert stopped.code == 2, stopped.err
    assert "no space left" in stopped.err
    assert "cache.sqlite" in stopped.err
    assert "Traceback" not in stopped.err
    subprocess.run(["mount", "-o", "remount,size=40m", small_disk], check=True)
    assert augkit(*command).code == 0
