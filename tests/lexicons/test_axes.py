from importlib.resources import files
from pathlib import Path

import pytest

from augkit.core.errors import ConfigError, UnknownName
from augkit.lexicons.demographics.axes import (
    BUNDLED,
    bundled_axis,
    check_target,
    load_axis,
    read_axis,
)
from augkit.lexicons.demographics.person_words import has_slur, slurs
from augkit.lexicons.demographics.term_senses import CASES, readings
from augkit.lexicons.phrase_table import PhraseTable, TextWords, lower_in_place

READINGS = {name: tuple(readings(bundled_axis(name))) for name in BUNDLED}
RELIGION = """\
axis: religion
attributes: [christian, muslim]
terms:
  - pos: noun
    rows:
      - Christian/Christians | Muslim/Muslims
      - church/churches | mosque/mosques
"""


@pytest.fixture
def axis_file(tmp_path: Path) -> Path:
    path = tmp_path / "religion.yaml"
    path.write_text(RELIGION, encoding="utf-8")
    return path


def test_data_files_say_where_they_are_from() -> None:
    """Each list begins with its source and licence, or is named in NOTICE."""
    folder = files("augkit.lexicons").joinpath("data")
    notice = folder.joinpath("NOTICE").read_text(encoding="utf-8")
    for name in ("gender.yaml", "race.yaml", "age.yaml", "slurs.txt", "first_names.tsv"):
        head = folder.joinpath(name).read_text(encoding="utf-8")[:600]
        assert "# Source:" in head, name
        assert "Licence:" in head, name
    assert "first_names.tsv" in notice


@pytest.mark.parametrize("name", BUNDLED)
def test_written_forms_are_complete(name: str) -> None:
    """A form is read once, knows what it becomes in two attributes, and no slur is among them."""
    seen = [(r.form.lower(), r.pos, r.number, r.case) for r in READINGS[name]]
    assert len(seen) == len(set(seen))
    for reading in READINGS[name]:
        if reading.attribute not in {"mixed", "unknown"}:
            assert reading.attribute in reading.written, reading
            assert len(reading.written) >= 2, reading
        assert not any(has_slur(word) for word in (reading.form, *reading.written.values()))


def test_pronouns_are_complete() -> None:
    """Every paradigm that is written has all five cases, and each is read as its own case."""
    for attribute, paradigm in bundled_axis("gender").pronouns.items():
        for case in CASES:
            form = getattr(paradigm, case)
            found = [r for r in READINGS["gender"] if r.form == form and r.case == case]
            assert [r.attribute for r in found] == [attribute], (form, case)


def test_men_and_women_change_back() -> None:
    """A man's word whose counterpart is read from the same row comes back from it."""
    read = {(r.form.lower(), r.pos, r.number, r.case): r for r in READINGS["gender"]}
    checked = 0
    for key, reading in read.items():
        for other in {"man", "woman"} - {reading.attribute, "mixed"} & reading.written.keys():
            back = read.get((reading.written[other].lower(), *key[1:]))
            if back and back.written == reading.written and reading.attribute in {"man", "woman"}:
                checked += 1
                own = reading.written[reading.attribute]
                assert back.written[reading.attribute] == own
    assert checked > 250


@pytest.mark.parametrize(
    "pair",
    ["man woman", "men women", "husband wife", "uncles aunts", "king queen", "Mr Ms", "him her"],
)
def test_common_pairs_are_mutual(pair: str) -> None:
    his, hers = pair.split()
    found = {r.form: r.written for r in READINGS["gender"] if r.form in {his, hers}}
    assert found[his]["woman"] == hers
    man = [r.written["man"] for r in READINGS["gender"] if r.form == hers]
    assert his in man


def test_slurs_are_words() -> None:
    """The coded list decodes to lower-case words, without repetition."""
    assert len(slurs()) > 50
    assert all(word == word.lower() and word.strip() for word in slurs())
    assert not has_slur("A kind word for everybody.")


def test_own_axis(axis_file: Path) -> None:
    axis = load_axis(axis_file)
    assert read_axis(str(axis_file)) == axis
    forms = {r.form: r.written for r in readings(axis)}
    assert forms["churches"] == {"christian": "churches", "muslim": "mosques"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Christian/Christians | Muslim/Muslims", "Christian/Christians", "2 cells"),
        ("church/churches | mosque/mosques", "'- | -'", "no form"),
        ("    rows:", "    weak: [jewish]\n    rows:", "no attribute"),
        ("pos: noun", "pos: pronoun", "pos"),
        ("axis: religion", "axis: religion\ncolour: red", "colour"),
        ("church/churches | mosque/mosques", "Christian/Christians | Muslim/Muslims", "twice"),
    ],
)
def test_mistakes_in_an_axis_are_reported(
    axis_file: Path, old: str, new: str, message: str
) -> None:
    """A wrong file is refused, and the message names the mistake and the file."""
    axis_file.write_text(RELIGION.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError, match=message) as error:
        load_axis(axis_file)
    assert "religion.yaml" in str(error.value)


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="gender"):
        read_axis("gendre")
    with pytest.raises(UnknownName, match="non-binary"):
        check_target(bundled_axis("gender"), "men")


def test_phrases_prefer_the_longest() -> None:
    """Of phrases that begin alike the longest is found, whatever joins its words."""
    table = PhraseTable([("black", 1), ("black market", 2), ("black market price", 3)])
    text = lower_in_place("Black-market prices, BLACK MARKET price; black, market")
    assert [value for *_, value in table.find(TextWords(text))] == [2, 3, 1]
