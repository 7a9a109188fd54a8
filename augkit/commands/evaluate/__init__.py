"""``augkit evaluate``: classifiers trained before and after, measured, and a verdict."""
