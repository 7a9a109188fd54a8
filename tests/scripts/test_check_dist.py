"""The comparison of two wheels."""

import tarfile
from zipfile import ZipFile

from check_dist import faults, missing


def wheel(path, **files):
    """A wheel with these files."""
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_changed_or_missing_file_is_named(tmp_path):
    """A file that one of them lacks, or has with other bytes, is named."""
    one = wheel(tmp_path / "one.whl", a="1", b="2")
    assert faults(one, wheel(tmp_path / "same.whl", b="2", a="1")) == []
    other = wheel(tmp_path / "two.whl", a="3", c="")
    assert faults(one, other) == ["differs: a", "differs: b", "differs: c"]


def test_a_link_that_the_package_index_cannot_follow_is_a_fault(tmp_path):
    """The description must not link to files of the repository by a relative path."""
    name = "augkit-1.dist-info/METADATA"
    one = wheel(tmp_path / "one.whl", **{name: "[a](docs/a.md) [b](https://b) [c](#c)"})
    assert faults(one, one) == ["relative link in the description: docs/a.md"]


def test_a_tracked_file_that_the_sdist_lacks_is_named(tmp_path):
    """Names in the sdist begin with the folder of the version."""
    (tmp_path / "kept.md").write_text("")
    with tarfile.open(tmp_path / "augkit-1.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "kept.md", "augkit-1/docs/kept.md")
    found = missing(tmp_path / "augkit-1.tar.gz", ["docs/kept.md", "Dockerfile"])
    assert found == ["not in the sdist: Dockerfile"]
