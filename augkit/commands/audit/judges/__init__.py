"""``augkit audit --judge``: what a judge of answers goes by, besides which one is better."""
