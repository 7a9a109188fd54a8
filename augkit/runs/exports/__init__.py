"""Counterfactual sets in the formats of evaluation harnesses."""
