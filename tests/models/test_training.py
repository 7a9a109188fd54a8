"""The learning rate of a training, and the loop that applies it."""

import pytest

from augkit.models.training import TrainingLoop, warmup_rate

torch = pytest.importorskip("torch")


@pytest.mark.slow
@pytest.mark.parametrize(("warmup", "updates"), [(0, 1), (0, 7), (3, 10), (6, 100), (4, 4)])
def test_the_rate_is_that_of_transformers(warmup, updates):
    """One value for each update, without the first, which is 0; without decay it stays."""
    transformers = pytest.importorskip("transformers")
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    schedule = transformers.get_linear_schedule_with_warmup(optimizer, warmup, updates + 1)
    rate, constant = (warmup_rate(warmup, updates, decay) for decay in ("linear", "none"))
    for update in range(1, updates + 1):
        optimizer.step()
        schedule.step()
        assert rate(update) == pytest.approx(schedule.get_last_lr()[0])
        assert constant(update) == min(1.0, update / max(1, warmup))
        assert 0 < rate(update) <= 1


def test_every_group_of_parameters_has_its_own_rate():
    """A bias expert that trains ten times as fast still does so after each update."""
    weight, expert = (torch.nn.Parameter(torch.ones(1)) for _ in range(2))
    rate = warmup_rate(2, 4, "linear")
    loop = TrainingLoop(
        {"weight": weight}, lambda _: (weight.sum() + expert.sum(), 1), 1.0, rate, lr=0.01
    )
    loop.optimizer.add_param_group({"params": [expert], "lr": 0.1})
    for update in range(1, 5):
        loop.train([None])
        rates = [group["lr"] for group in loop.optimizer.param_groups]
        assert rates == pytest.approx([0.01 * rate(update), 0.1 * rate(update)])
