"""``augkit export``, ``card`` and ``push``: a run for other people and other tools."""
