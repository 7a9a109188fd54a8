"""Finders of shortcuts: token statistics, attribution, grammars, RAZOR's definition."""
