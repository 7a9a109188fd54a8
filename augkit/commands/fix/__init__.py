"""``augkit fix``: find the shortcuts of a dataset, break them, and prove that it worked."""
