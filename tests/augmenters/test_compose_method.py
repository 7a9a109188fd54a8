"""``compose``: methods put together as one."""

import json

import pytest

from augkit import augment_dataset
from augkit.augmenters.base import Augmenter
from augkit.augmenters.compose import gated, union
from augkit.augmenters.compose_method import ComposedArtifact
from augkit.augmenters.create import create
from augkit.augmenters.symmetric import method as symmetric
from augkit.core.config import MethodConfig
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Variant, example
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

ROWS = [
    example(f"A fine film, number {n}, that the king saw.", "ab"[n % 2], occurrence=n)
    for n in range(20)
]
SWAP = {"method": "swap", "options": {"pairs": [["film", "movie"]]}}
MASK = {"method": "mask-words", "options": {}}


def composed(**settings):
    return create("compose", **settings).fit(ROWS)


def texts(step):
    return [pair.variant.fields["text"] for pair in step(ROWS)]


def test_a_chain_gives_what_the_steps_give_one_after_the_other():
    """The variant has the edits of both, leads to the original, and names the steps."""
    other = {"method": "swap", "options": {"pairs": [["king", "queen"]]}}
    pairs = list(composed(steps=[SWAP, other])(ROWS))
    assert len(pairs) == len(ROWS)
    assert pairs[0].variant.fields["text"] == "A fine movie, number 0, that the queen saw."
    assert pairs[0].provenance.method == "compose"
    assert pairs[0].provenance.about["steps"] == "swap+swap"
    assert pairs[0].provenance.parents == (ROWS[0].id,)


def test_a_union_has_the_variants_of_all():
    assert len(texts(composed(how="union", steps=[SWAP, MASK]))) == 2 * len(ROWS)


def test_one_of_draws_by_weight_and_sometimes_by_share():
    """A weight of 0 is never drawn; a share of 0 leaves every row alone, with the reason."""
    drawn = composed(how="one_of", steps=[SWAP, MASK], weights=[1, 0])
    assert all("movie" in text for text in texts(drawn))
    never = composed(how="sometimes", steps=[SWAP], p=0)
    reasons = {rejection.reason for rejection in never.outcomes(ROWS)}
    assert reasons == {"sometimes: not sampled"}


def test_what_steps_learnt_survives_the_disk(tmp_path):
    settings = {"steps": ["random-edit", SWAP], "how": "union"}
    fitted = composed(**settings)
    fitted.artifact.save(tmp_path)
    again = create("compose", **settings).with_artifact(ComposedArtifact.load(tmp_path))
    assert texts(again) == texts(fitted)


def test_copies_are_asked_of_the_first_of_a_chain():
    step = composed(steps=["random-edit", SWAP], copies=3)
    found = list(step(ROWS[:1]))
    assert 1 < len(found) <= 3
    assert len({pair.variant.id for pair in found}) == len(found)


def test_a_step_that_needs_labels_says_so():
    with pytest.raises(DataError, match="'coba' needs at least 2"):
        create("compose", steps=["coba"]).fit([example("Fine."), example("Bad.")])


@pytest.mark.parametrize("steps", [[], ["razor"], ["nothing"], [{"method": "eda", "opt": 1}]])
def test_what_cannot_be_a_step_is_refused(steps):
    """No steps, one that needs the corpus for some rows only, an unknown one, a wrong key."""
    with pytest.raises(ConfigError, match=r"steps|step 1"):
        create("compose", how="sometimes", steps=steps)


CLAIMS = [
    {"evidence": f"Hall {n} was opened in {1850 + n} .", "claim": claim, "label": label}
    for n in range(40)
    for claim, label in (
        (f"Hall {n} was officially opened in {1850 + n}.", "SUPPORTS"),
        (f"Hall {n} was opened in {1950 + n}.", "REFUTES"),
    )
]


def claims_run(folder, method, *, resume=False):
    """A run on the claims; its dataset, its variants and its folder."""
    rows = folder / "claims.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in CLAIMS), encoding="utf-8")
    settings = RunSettings(method=method, dataset=str(rows))
    out = run(settings, folder / method, resume=resume)
    files = ((out / name).read_text().splitlines() for name in ("dataset.jsonl", "variants.jsonl"))
    return *(list(map(json.loads, lines)) for lines in files), out


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A run of two methods: its dataset, its variants and its folder."""
    return claims_run(tmp_path_factory.mktemp("both"), "razor,symmetric")


@pytest.mark.slow
def test_methods_with_commas_run_side_by_side(both, tmp_path):
    """Razor's rewrites replace their rows, as alone; the symmetric pairs are added to all rows."""
    alone, _, _ = claims_run(tmp_path, "razor")
    _, pairs, _ = claims_run(tmp_path, "symmetric")
    dataset, variants, folder = both
    texts = [(row["evidence"], row["claim"], row["label"]) for row in dataset]
    assert any(row["augkit_origin"] == "variant" for row in alone)
    assert {(row["evidence"], row["claim"], row["label"]) for row in alone} <= set(texts)
    assert len(texts) == len(alone) + len(pairs)
    assert {variant["about"]["steps"] for variant in variants} == {"razor", "symmetric"}
    assert {row["augkit_id"] for row in dataset if row["augkit_parent"]} == {
        variant["id"] for variant in variants
    }
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["method"], manifest["mix"]) == ("razor,symmetric", "replace")
    assert manifest["settings"]["method"] == "razor,symmetric"
    assert json.loads((folder / "run_info.json").read_text())["shortcuts"]


@pytest.mark.slow
def test_a_stopped_run_of_two_methods_ends_as_one_that_was_not(both, tmp_path, monkeypatch):
    """Killed after razor has worked and before the first rows are written: the same bytes."""
    *_, whole = both

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(symmetric, "symmetric_texts", killed)
        with pytest.raises(KeyboardInterrupt):
            claims_run(tmp_path, "razor,symmetric")
    *_, resumed = claims_run(tmp_path, "razor,symmetric", resume=True)
    for name in ("dataset.jsonl", "variants.jsonl", "rejected.jsonl", "run_info.json"):
        assert (resumed / name).read_bytes() == (whole / name).read_bytes()


def test_gates_leave_a_method_that_needs_all_rows_what_it_makes_of_them():
    """A step that sees the corpus is asked once, with all rows."""

    class Counting(Augmenter):
        name = "counting"
        Config = MethodConfig
        scope = "corpus"

        def propose(self, batch):
            yield from (Variant(row, {"text": f"{len(batch)} rows"}, row.label) for row in batch)

    step = gated(Counting(MethodConfig()))
    assert step.scope == union(step, create("typo")).scope == "corpus"
    assert {pair.variant.fields["text"] for pair in step(ROWS)} == {f"{len(ROWS)} rows"}


def test_a_chain_on_french_rows_is_refused_before_it_starts(tmp_path):
    """As its steps alone are; a union goes on if a step reads any language."""
    path = tmp_path / "rows.jsonl"
    text = "Le film que nous avons vu hier soir dans cette ville \u00e9tait vraiment {}."
    rows = [{"text": text.format(word), "label": word} for word in ("magnifique", "ennuyeux")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows * 3), encoding="utf-8")
    chain = {"steps": ["typo", "eda"]}
    with pytest.raises(DataError, match=r"'eda' only knows English.*options of the step"):
        augment_dataset(path, "compose", tmp_path / "chain", options=chain)
    assert not (tmp_path / "chain").exists()
    parallel = {**chain, "how": "union"}
    folder = augment_dataset(path, "compose", tmp_path / "union", options=parallel)
    assert "variant" in (folder / "dataset.jsonl").read_text(encoding="utf-8")
