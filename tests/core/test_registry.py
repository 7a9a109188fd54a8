"""Names to things."""

import sys

import pytest

from augkit.core import registry
from augkit.core.errors import NameClash, UnknownName


def install(folder, package, entry, monkeypatch):
    """Put a package that registers one method on the path."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[augkit.augmenters]\n{entry}\n")
    monkeypatch.syspath_prepend(str(folder))


def test_names_are_listed_without_importing(tmp_path, monkeypatch):
    """A package whose module is broken can still be listed."""
    install(tmp_path, "shouting", "shout = no_such_module:Shout", monkeypatch)
    assert "shout" in registry.names("augmenters")
    assert {"eda", "swap"} <= set(registry.names("augmenters"))
    assert "no_such_module" not in sys.modules


def test_a_thing_is_imported_when_it_is_asked_for(tmp_path, monkeypatch):
    install(tmp_path, "shouting", "shout = shouting_module:Shout", monkeypatch)
    (tmp_path / "shouting_module.py").write_text("Shout = 'loud'\n")
    assert "shouting_module" not in sys.modules
    assert registry.find("augmenters", "shout") == "loud"


def test_a_package_installed_later_is_found(tmp_path, monkeypatch):
    """As by ``%pip install`` in a notebook: the folder was on the path before."""
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "shout" not in registry.names("augmenters")
    install(tmp_path, "shouting", "shout = shouting_module:Shout", monkeypatch)
    sys.path.remove(str(tmp_path))  # it stands there once, as before
    assert "shout" in registry.names("augmenters")


def test_two_claims_to_one_name_clash(tmp_path, monkeypatch):
    install(tmp_path / "one", "loud", "shout = loud:Shout", monkeypatch)
    install(tmp_path / "two", "louder", "shout = louder:Shout", monkeypatch)
    with pytest.raises(NameClash, match="Uninstall one") as raised:
        registry.find("augmenters", "swap")
    assert all(part in str(raised.value) for part in ("'shout'", "loud (", "louder ("))


def test_a_plug_in_cannot_take_a_builtin_name(tmp_path, monkeypatch):
    install(tmp_path, "loud", "swap = loud:Swap", monkeypatch)
    with pytest.raises(NameClash, match="'swap'"):
        registry.names("augmenters")


def test_a_package_found_twice_is_no_clash(tmp_path, monkeypatch):
    """An editable install beside a wheel lists the same entry twice."""
    install(tmp_path / "one", "loud", "shout = loud:Shout", monkeypatch)
    install(tmp_path / "two", "loud", "shout = loud:Shout", monkeypatch)
    assert registry.names("augmenters").count("shout") == 1


@pytest.mark.parametrize("name", ["hedge", "xxxxxxxx"])
def test_a_name_unlike_all_others_may_be_of_a_package_that_is_missing(name):
    """It is asked about, with the nearest name or without one; a typing error is not."""
    with pytest.raises(UnknownName, match=rf"Is the package that has '{name}' installed\?"):
        registry.find("augmenters", name)
