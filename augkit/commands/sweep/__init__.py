"""Studies: many runs from one YAML file, measured and put into one table."""
