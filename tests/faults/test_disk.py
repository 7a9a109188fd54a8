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
