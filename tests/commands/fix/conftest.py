"""Files made for the tests: tickets with a name, pairs with "not", no shortcut at all."""

from random import Random

import pytest

from tests.data import negated_pairs, signed_tickets, ticket, write_csv, write_jsonl


@pytest.fixture
def ticket_file(tmp_path):
    """400 tickets in a CSV file with columns that must be named."""
    return write_csv(tmp_path / "my tickets.csv", signed_tickets(400))


@pytest.fixture
def null_file(tmp_path):
    """Tickets whose texts say nothing about the label."""
    rng = Random(2)
    rows = [
        {"text": ticket(rng, rng.choice(("billing", "technical"))), "label": f"{number % 2}"}
        for number in range(300)
    ]
    return write_csv(tmp_path / "null.csv", rows)


@pytest.fixture
def nli_file(tmp_path):
    """600 pairs of which those with "not" mostly contradict."""
    return write_jsonl(tmp_path / "nli.jsonl", negated_pairs(600))
