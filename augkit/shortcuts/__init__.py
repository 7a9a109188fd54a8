"""Ways to find shortcuts: token statistics, attribution, grammars, RAZOR's definition."""
