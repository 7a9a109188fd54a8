import pytest

from augkit.commands.check.contract import CheckContract, load_contract


def test_short_forms(tmp_path):
    """A limit alone, true and false are short for a section."""
    path = tmp_path / "contract.yaml"
    path.write_text("tokens: 0.3\nshortcuts: false\nlanguage: true\n", encoding="utf-8")
    contract = load_contract(path)
    assert contract.tokens.limit == pytest.approx(0.3)
    assert contract.shortcuts is None
    assert contract.language.allowed == ("en",)
    assert contract.tests == CheckContract().tests - 1


def test_paths_are_relative_to_the_contract(tmp_path):
    """A baseline and a test file are searched beside the contract; a name stays a name."""
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "contract.yaml"
    (folder / "test.jsonl").write_text("{}", encoding="utf-8")
    path.write_text("no_new_shortcuts: known.json\nleakage: {test: test.jsonl}", encoding="utf-8")
    contract = load_contract(path)
    assert contract.no_new_shortcuts == folder / "known.json"
    assert contract.leakage.test == str(folder / "test.jsonl")
    path.write_text("leakage: {test: 'reviews-demo:test'}", encoding="utf-8")
    assert load_contract(path).leakage.test == "reviews-demo:test"


def test_the_command_line_wins():
    """A baseline and a test set of the command line replace those of the contract."""
    contract = CheckContract(leakage=None).with_options("known.json", "reviews-demo:test")
    assert contract.no_new_shortcuts == "known.json"
    assert contract.leakage.test == "reviews-demo:test"
