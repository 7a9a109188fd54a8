"""Runs on Ray: rows sharded over actors, one store of answers and one budget for all of them."""
