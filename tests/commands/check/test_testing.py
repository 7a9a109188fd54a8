import pytest

from augkit.commands.check.contract import CheckContract
from augkit.core.errors import ConfigError
from augkit.testing import check_dataset

pytest_plugins = ["pytester"]
ALLOWED = ["on opening night", "dorian vale"]
CONTRACT = CheckContract.model_validate({"shortcuts": {"allow": ALLOWED}})


def test_a_failed_check_is_a_failed_test(tmp_path):
    """The message is the report; a contract or a baseline makes it pass."""
    with pytest.raises(AssertionError, match=r"'dorian vale' +negative +86 of 91 rows"):
        check_dataset("reviews-demo")
    assert check_dataset("reviews-demo", CONTRACT).passed
    with pytest.raises(ConfigError, match="label_colum"):
        check_dataset("reviews-demo", label_colum="x")


@pytest.mark.slow
def test_the_fixture(pytester, write_rows):
    """A test of another project, its paths relative to the root."""
    pytester.makeconftest("pytest_plugins = ['augkit.testing.fixtures']")
    pytester.makefile(".yaml", contract=f"shortcuts: {{allow: {ALLOWED}}}")
    pytester.makepyfile(
        """
        import pytest

        def test_good(check_dataset):
            check_dataset("reviews-demo", contract="contract.yaml")

        def test_bad(check_dataset):
            check_dataset("reviews-demo")
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*AssertionError: reviews-demo: 380 rows*"])
