"""Symmetric pairs: every claim once true and once false, so that it gives no label away."""
