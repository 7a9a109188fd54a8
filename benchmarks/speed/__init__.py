"""How fast and how large: ratios within one run."""
