from augkit.core.types import Example, Pair, Provenance
from augkit.datasets.rows import original_row, variant_row
from augkit.datasets.schema import Schema

SCHEMA = Schema({"premise": "s1", "hypothesis": "s2"}, "gold", ("no", "yes"), "json")
COLUMNS = {"id": 7, "s1": "a", "s2": "b", "gold": 1}
PARENT = Example({"premise": "a", "hypothesis": "b"}, "yes", "p", COLUMNS)


def pair(fields, label):
    provenance = Provenance("swap", "c", 0, ("p",), (), "kept")
    return Pair(PARENT, Example(fields, label, "v"), provenance)


def test_an_original_keeps_every_column():
    """The row as it was read, and where it comes from."""
    ours = {"augkit_id": "p", "augkit_origin": "original"}
    assert original_row(PARENT) == COLUMNS | ours | {"augkit_parent": None, "augkit_method": None}


def test_a_variant_stands_in_the_columns_of_its_original():
    """Texts go into their columns, the label into the input's spelling, the rest is copied."""
    row = variant_row(pair({"premise": "A", "hypothesis": "b"}, "no"), SCHEMA)
    assert row == {
        "id": 7,
        "s1": "A",
        "s2": "b",
        "gold": 0,
        "augkit_id": "v",
        "augkit_origin": "variant",
        "augkit_parent": "p",
        "augkit_method": "swap",
    }
    assert PARENT.columns == COLUMNS


def test_a_kept_label_is_not_spelt_anew():
    """What the input had for the label stays, byte for byte, where the label is kept."""
    assert variant_row(pair({"premise": "A", "hypothesis": "b"}, "yes"), SCHEMA)["gold"] == 1
