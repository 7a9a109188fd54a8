from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.run import accept_known, read_baseline, write_baseline


def finding(feature, value=0.5, label="yes"):
    """A shortcut, or without a label something else."""
    return Finding("tokens", f"{feature}!", value, 0.2, "text", feature, label)


def test_known_shortcuts_pass(tmp_path):
    """What was written passes, what is new or became stronger fails."""
    path = tmp_path / "known" / "baseline.json"
    odd = 'a "\ud800\n'
    found = [finding("old"), finding(odd), finding("stronger", 0.3), finding("repeats", label="")]
    assert write_baseline(path, [CheckRun("tokens", "", found)]) == 3
    now = [finding("old", 0.55), finding(odd), finding("stronger", 0.5), finding("new")]
    now += [finding("repeats", label=""), finding("old", label="no")]
    check = accept_known(CheckRun("tokens", "", now), read_baseline(path), 0.1)
    failed = [(one.feature, one.label) for one in check.failed]
    assert failed == [("stronger", "yes"), ("new", "yes"), ("repeats", ""), ("old", "no")]
    assert "0.30 in the baseline" in check.failed[0].message
