"""Variants that make a new shortcut are not in the dataset, and are counted with their reason."""

from __future__ import annotations

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
