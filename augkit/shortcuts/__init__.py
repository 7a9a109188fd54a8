"""Ways to find shortcuts in a dataset: token statistics, attribution, grammars, RAZOR's definition."""
