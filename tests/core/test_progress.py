"""What is reported while work is done."""

from augkit.core.progress import report_progress, reported, reporting_to
from augkit.core.types import example
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.ensembles.crossfit import EnsembleConfig, train_crossfitted
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

ROWS = [example(f"A {'good' if n % 2 else 'bad'} film {n}.", str(n % 2)) for n in range(12)]


def test_reports_reach_whoever_listens_and_nobody_else():
    """The one inside is asked while it is there."""
    heard, outside = [], []
    report_progress("nothing")
    with reporting_to(lambda *report: outside.append(report)):
        with reporting_to(lambda *report: heard.append(report)):
            assert list(reported("counting", "ab")) == ["a", "b"]
        report_progress("after")
    assert heard == [("counting", 0, 2), ("counting", 1, 2), ("counting", 2, 2)]
    assert outside == [("after", 0, 0)]


def test_fitting_an_ensemble_says_how_far_it_is():
    """A fold counts when it is done, so that the time that is left is right."""
    heard = []
    config = EnsembleConfig(members=(LinearConfig(),), folds=3)
    with reporting_to(lambda *report: heard.append(report)):
        train_crossfitted(ROWS, config, "judge")
    assert heard == [(f"fitting the judge on {len(ROWS)} rows", n, 3) for n in (0, 1, 2, 3)]


def test_the_rows_of_a_run_are_counted_up_to_those_selected(tmp_path):
    heard = []
    settings = RunSettings(method="swap", dataset="reviews-demo", sample=7, workers=1)
    with reporting_to(lambda *report: heard.append(report)):
        run(settings, tmp_path / "out")
    assert heard[0] == ("reading the rows", 0, 0)
    assert heard[-1] == ("augmenting rows", 7, 7)
