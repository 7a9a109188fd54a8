"""Wrappers of the same shape as a model: cache, retry, budget, rate limit, parallel calls."""
