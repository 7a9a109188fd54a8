"""Variants that make a new shortcut are not in the dataset, and are counted with their reason."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from augkit.runs.execute import augment_dataset
from augkit.runs.manifest import read_manifest
from augkit.runs.records import read_dataset, read_rejected, read_variants
from augkit.shortcuts.thinning import NEW_SHORTCUT


@pytest.mark.slow
def test_thinned_variants_are_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stay in variants.jsonl; a run that is finished again has the same bytes."""

    def first_two(originals: object, variants: list[object]) -> dict[str, tuple[str, str]]:
        return {variant.id: ("there", variant.label) for variant in variants[:2]}  # type: ignore[attr-defined]

    monkeypatch.setattr("augkit.runs.thinning.thin", first_two)
    out = tmp_path / "run"
    augment_dataset("reviews-demo", "coba", out, limit=60, workers=1)
    gone = [variant.id for variant in read_variants(out)][:2]
    assert not {row["augkit_id"] for row in read_dataset(out)} & set(gone)
    rejected = [record for record in read_rejected(out) if record.reason == NEW_SHORTCUT]
    assert len(rejected) == 2
    counts = read_manifest(out).counts
    assert counts.accepted - counts.in_dataset >= 2
    assert read_manifest(out).rejected_by_reason[NEW_SHORTCUT] == 2
    files = {name: (out / name).read_bytes() for name in ("dataset.jsonl", "rejected.jsonl")}
    again = tmp_path / "again"
    augment_dataset("reviews-demo", "coba", again, limit=60, workers=2)
    assert {name: (again / name).read_bytes() for name in files} == files


KILLED = """
import os, signal, sys
from dataclasses import replace
import augkit.runs.execute as execute
import augkit.runs.thinning as thinning
from augkit.augmenters.baselines.eda import Eda
from augkit.cli.app import main

Eda.traits = replace(Eda.traits, thinned=True)
thinning.thin = lambda originals, variants: {
    variant.id: ("there", variant.label) for variant in variants[:2]
}

def kill_after(owner, name):
    function = getattr(owner, name)

    def call(*arguments):
        function(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, call)

places = {
    "a part of the rows": (execute.Ledger, "append"),
    "the choice": (thinning, "thin"),
    "the lines of what is left out": (execute, "write_thinned"),
    "the dataset": (execute, "finish_dataset"),
}
place = sys.argv.pop(1)
if place in places:
    kill_after(*places[place])
main()
"""
"""Runs augkit with a method whose variants are thinned, and kills it behind a place of the work."""


@pytest.mark.slow
def test_a_run_that_is_killed_while_it_thins_has_the_same_bytes(tmp_path: Path) -> None:
    """By SIGKILL behind each step: resumed, the files are those of a run that was left alone."""

    def augkit(place: str, out: Path, *more: str) -> int:
        words = ["run", "-m", "eda", "-d", "reviews-demo", "--limit", "40", "--workers", "1"]
        command = [sys.executable, "-c", KILLED, place, *words, "--out", str(out), *more]
        return subprocess.run(command, capture_output=True, check=False).returncode

    def files(out: Path) -> list[bytes]:
        names = ("dataset.jsonl", "variants.jsonl", "rejected.jsonl")
        return [(out / name).read_bytes() for name in names]

    whole = tmp_path / "whole"
    assert augkit("nowhere", whole) == 0
    lines = (whole / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    rejected = [json.loads(line) for line in lines]
    assert [record["reason"] for record in rejected].count(NEW_SHORTCUT) == 2
    killed = tmp_path / "killed"
    assert augkit("a part of the rows", killed) == -signal.SIGKILL
    for place in ("the choice", "the lines of what is left out", "the dataset"):
        assert augkit(place, killed, "--resume") == -signal.SIGKILL
    assert augkit("nowhere", killed, "--resume") == 0
    assert files(killed) == files(whole)
    assert read_manifest(killed).counts == read_manifest(whole).counts
