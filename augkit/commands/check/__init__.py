"""``augkit check``: a contract for a dataset, checked like code in continuous integration."""
