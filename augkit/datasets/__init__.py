"""Datasets in and out: columns to examples, readers, named datasets, the bundled demo data."""
